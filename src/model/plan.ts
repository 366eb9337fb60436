import type { Flag, Patch, Problem } from './response.ts'
import type { AnswerOverlap } from './stale.ts'

/** What stands at a path: a file's exact bytes and permission bits, a link, or nothing. */
export type PathState = FileState | LinkState | null

export interface FileState {
  readonly kind: 'file'
  readonly bytes: Uint8Array
  /** Permission bits, `0o644`. */
  readonly mode: number
}

export interface LinkState {
  readonly kind: 'link'
  /** Where the link points, as it is written in it. */
  readonly to: string
}

/** What a look at the disk told about one operation's path. */
export interface PathFact {
  readonly path: string
  /** Where the path really leads, links followed. */
  readonly leads:
    | { readonly kind: 'inside'; readonly target: string }
    | { readonly kind: 'outside'; readonly to: string }
    /** A link to nothing. */
    | { readonly kind: 'nowhere'; readonly to: string }
  /** Where the path itself stands: links of its folders followed, one of its own not; relative to the root. */
  readonly place: string
  /** Other paths of the project that lead to the same place, by way of links. */
  readonly otherNames?: readonly string[]
  /** The path itself, not a folder above it, is a symbolic link that points there. */
  readonly link: string | undefined
  /** What stands at the target. */
  readonly found: 'absent' | 'file' | 'folder' | 'other'
  /** The target's content when it is a file. */
  readonly file: FileState | undefined
  /** The user may not write into that file. */
  readonly isClosed?: true
  /** The size of a file that is too large to be kept for going back: its content was not read. */
  readonly tooLarge?: number
  /** Device and inode of the target, to tell two names of one file. */
  readonly identity: string | undefined
  /** A part of the path that is a file where a folder is needed. */
  readonly fileInTheWay: string | undefined
  /** Folders that will have to be made, outermost first, relative to the root. */
  readonly missingFolders: readonly string[]
  /**
   * Where something new is to be written: the names in the nearest folder that is there, as far as it can be listed. One
   * list for all files of that folder.
   */
  readonly beside?: readonly string[]
  /**
   * The nearest folder that is there, relative to the root, when nothing can be moved between it and `.relaycode/`:
   * another file system, or another mount of the same one.
   */
  readonly otherDevice: string | undefined
  /**
   * The folder that the target lies in and that no patch may reach into, though its name does not tell: git's own (a
   * bare repository, a separated git folder), or where relay keeps what is the user's; relative to the root.
   */
  readonly guarded: string | undefined
}

/** One operation, ready to be carried out here. */
export interface Change {
  readonly op: 'write' | 'delete'
  /** As the response names it. */
  readonly path: string
  /** Where it is carried out: the path with links followed, relative to the root. */
  readonly target: string
  /** Other paths of the project that lead there, by way of links. */
  readonly otherNames?: readonly string[] | undefined
  readonly before: PathState
  /** What is there may not be written by this user. */
  readonly isClosed?: true | undefined
  /** Where its files are kept meanwhile, when nothing can be moved between its place and `.relaycode/`. */
  readonly aside?: string | undefined
  /** What exactly will be there; `null` after a delete. No response makes a link. */
  readonly after: PathState
  /** Its text is that of the file, but for the edits; so many of them were there already. */
  readonly edits?: { readonly count: number; readonly already: number } | undefined
  /** The path that the file had before, where the response renames it. */
  readonly renamedFrom?: string | undefined
  /** The user's edits since then are in it as well: `#42`, `before #42`, `the last pack`, or `codex began`. */
  readonly merged?: string | undefined
  /** It holds two texts between conflict markers. */
  readonly isMarked?: true | undefined
  /** Nothing of the answer came into it: it stays as the user has it. */
  readonly isYours?: true | undefined
  /** The file as the model knows it after this, where that is another text: the user's own lines, or a formatter's, are in it. */
  readonly seen?: Uint8Array | undefined
  /** The same with what commands have made of it so far, where they have made something else of it. */
  readonly formatted?: Uint8Array | undefined
  /** `none`: already so (same content, or a file to delete that is not there). */
  readonly effect: 'create' | 'modify' | 'delete' | 'none'
}

/** A patch that may run here. */
export interface Plan {
  readonly patch: Patch
  readonly changes: readonly Change[]
  /** Folders to make, outermost first, relative to the root. */
  readonly newFolders: readonly string[]
  /** Folders that go once they are empty, with their permission bits; only where something is taken back. */
  readonly oldFolders?: ReadonlyMap<string, number>
  /** The patch's flags that the disk did not clear, and those that only the disk could raise. */
  readonly flags: readonly Flag[]
}

export type Planned =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'refused'; readonly problems: readonly [Problem, ...Problem[]] }
  /** Somebody has to decide about these first. */
  | { readonly kind: 'overlaps'; readonly overlaps: readonly [AnswerOverlap, ...AnswerOverlap[]] }
