import type { Flag, Patch, Problem } from './response.ts'
import type { AnswerOverlap } from './stale.ts'

/** The state of a path: a file's exact bytes and permission bits, a link, or nothing. */
export type PathState = FileState | LinkState | null

export interface FileState {
  readonly kind: 'file'
  readonly bytes: Uint8Array
  /** Permission bits, `0o644`. */
  readonly mode: number
}

export interface LinkState {
  readonly kind: 'link'
  /** The link's target, exactly as it is stored. */
  readonly to: string
}

/** What the disk says about the path of one operation. */
export interface PathFact {
  readonly path: string
  /** The path with links resolved. */
  readonly leads:
    | { readonly kind: 'inside'; readonly target: string }
    | { readonly kind: 'outside'; readonly to: string }
    /** A link to nothing. */
    | { readonly kind: 'nowhere'; readonly to: string }
  /** The path with the links of its folders resolved, but not a link at the path itself; relative to the root. */
  readonly place: string
  /** Other project paths that lead to the same place through links. */
  readonly otherNames?: readonly string[]
  /** Where the path points, if the path itself (not a folder above it) is a symbolic link. */
  readonly link: string | undefined
  /** What is at the target. */
  readonly found: 'absent' | 'file' | 'folder' | 'other'
  /** The target's content if it is a file. */
  readonly file: FileState | undefined
  /** The user has no permission to write to that file. */
  readonly isClosed?: true
  /** The file's size, if it is too large to be kept for a rollback; its content was not read. */
  readonly tooLarge?: number
  /** Device and inode of the target, to recognise two names of one file. */
  readonly identity: string | undefined
  /** The part of the path that is a file where a folder is needed. */
  readonly fileInTheWay: string | undefined
  /** Folders to make, outermost first, relative to the root. */
  readonly missingFolders: readonly string[]
  /**
   * For a new file: the names in the nearest existing folder, as far as it can be listed. All new files in
   * one folder share one list.
   */
  readonly beside?: readonly string[]
  /**
   * The nearest existing folder, relative to the root, if files cannot be moved between it and `.relaycode/`: it is on another
   * file system or another mount.
   */
  readonly otherDevice: string | undefined
  /**
   * A folder around the target that no patch may change although its name does not show it, relative to the root: git's own
   * folder (a bare repository, a separate git folder), or the folder where relay keeps the user's files.
   */
  readonly guarded: string | undefined
}

/** One operation, ready to be carried out on this disk. */
export interface Change {
  readonly op: 'write' | 'delete'
  /** The path as the response gives it. */
  readonly path: string
  /** The path with links resolved, relative to the root: where the change happens. */
  readonly target: string
  /** Other project paths that lead there through links. */
  readonly otherNames?: readonly string[] | undefined
  readonly before: PathState
  /** The user has no permission to write to the present file. */
  readonly isClosed?: true | undefined
  /** The folder for its files during the transaction, if they cannot be moved between its place and `.relaycode/`. */
  readonly aside?: string | undefined
  /** The exact state afterwards; `null` after a delete. No response makes a link. */
  readonly after: PathState
  /**
   * Set when the new text is the old one with edits: how many edits there are, and how many of them were already in the file.
   */
  readonly edits?: { readonly count: number; readonly already: number } | undefined
  /** The file's earlier path, if the response renames it. */
  readonly renamedFrom?: string | undefined
  /**
   * Set when the user's later edits were merged in; says since when: `#42`, `before #42`, `the last pack`, or `codex began`.
   */
  readonly merged?: string | undefined
  /** The new text holds two texts between conflict markers. */
  readonly isMarked?: true | undefined
  /** The file stays as the user has it: nothing from the answer was used. */
  readonly isYours?: true | undefined
  /**
   * The file as the model will know it, if that differs from `after`: the user's own lines, or a formatter's, are in `after`.
   */
  readonly seen?: Uint8Array | undefined
  /** `seen` after commands have changed it so far, if they did. */
  readonly formatted?: Uint8Array | undefined
  /** `none`: the path is already in this state (same content, or a file to delete that does not exist). */
  readonly effect: 'create' | 'modify' | 'delete' | 'none'
}

/** A patch that may run here. */
export interface Plan {
  readonly patch: Patch
  readonly changes: readonly Change[]
  /** Folders to make, outermost first, relative to the root. */
  readonly newFolders: readonly string[]
  /** Folders to remove once they are empty, with their permission bits; only when a transaction is taken back. */
  readonly oldFolders?: ReadonlyMap<string, number>
  /** The patch's flags that the disk did not clear, and the flags that only the disk could raise. */
  readonly flags: readonly Flag[]
}

export type Planned =
  | { readonly kind: 'plan'; readonly plan: Plan }
  | { readonly kind: 'refused'; readonly problems: readonly [Problem, ...Problem[]] }
  /** A person has to decide about these first. */
  | { readonly kind: 'overlaps'; readonly overlaps: readonly [AnswerOverlap, ...AnswerOverlap[]] }
