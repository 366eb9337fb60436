/**
 * The words of relay, and here what comes in. One idea, one word, in code, messages, docs and tests.
 *
 * This folder imports nothing but itself: everything else is said in terms of it. Go on with `project.ts` and `plan.ts`, then
 * with the story.
 */

/** Where a response came from. */
export type SourceName = 'clipboard' | 'paste' | 'stdin' | `file:${string}` | `agent:${string}`

/** The text a model gave, as it was copied. */
export interface Response {
  readonly text: string
  readonly source: SourceName
}

/** One change to one file: the path is relative to the project's root, with `/` between its parts. */
export type Operation = WriteOperation | DeleteOperation | EditOperation | RenameOperation

export interface WriteOperation {
  readonly op: 'write'
  readonly path: string
  /** The file's full new text, lines joined with LF. */
  readonly content: string
}

export interface DeleteOperation {
  readonly op: 'delete'
  readonly path: string
}

/** Changes places of a file, and leaves the rest of it as it is. */
export interface EditOperation extends Edits {
  readonly op: 'edit'
  readonly path: string
  /** The whole text that the same response gives for the file: the edits are placed in it, not in what is on the disk. */
  readonly content?: string
}

/** Gives a file another name. */
export interface RenameOperation extends Edits {
  readonly op: 'rename'
  readonly path: string
  readonly to: string
}

export interface Edits {
  /** Block by block: the edits of one are placed in the text that the blocks before it leave. */
  readonly blocks: readonly (readonly Hunk[])[]
  /** Whether the file may be run, where the response says so. */
  readonly executable?: boolean
}

/** One edit: a place in a file, and what becomes of it. */
export interface Hunk {
  /** 1-based number of its block, and line in the response. */
  readonly block: number
  readonly line: number
  /** 1-based among the edits of its block for the same file, where there are several. */
  readonly number?: number
  /** Each line behind its sign: a blank stays, `-` goes, `+` comes. A new file has only lines that come. */
  readonly lines: readonly string[]
  /** Lines of the file that the place stands below, outermost first: what was written behind `@@`. */
  readonly below?: readonly string[]
  /** There is no such file yet, or none with text in it. */
  readonly isNew?: true
  /** The place is at the end of the file. */
  readonly atEnd?: true
  /** Whether the file's last line has an end afterwards, where the response says so. */
  readonly finalNewline?: boolean
  /** So many blank lines at its end may be no part of it. */
  readonly looseBlanks?: number
}

/** The closing YAML of a response: what it is for, and which one it is. */
export interface Control {
  readonly projectId: string
  readonly uuid: string
  /** As the model gave it, plain data only; empty when it could not be read. */
  readonly changeSummary: readonly unknown[]
  readonly promptSummary?: string | undefined
  readonly gitCommitMsg?: string | undefined
}

/** A doubt about a patch that forbids auto-approval. */
export interface Flag {
  readonly flag: FlagName
  /** The file it is about, where it is about one. */
  readonly path?: string
  /** 1-based line in the response, where the doubt has a place. */
  readonly line?: number
  /** The doubtful line itself, for doubts that the file on disk can clear. */
  readonly text?: string
  /** All doubtful lines, where it is about each line that holds something; only until they are compared with the disk. */
  readonly lines?: readonly { readonly line: number; readonly text: string }[]
  /** A linter that reads the file finds it as well; only until it is known whether one does. */
  readonly linterFinds?: true
  /** One sentence for the user, without a period. */
  readonly reason: string
}

export type FlagName =
  | 'placeholder'
  | 'shrink'
  | 'duplicate-path'
  | 'missing-end'
  | 'summary-mismatch'
  | 'yaml-invalid'
  | 'chat-artifact'
  | 'encoding'
  | 'mass-delete'
  | 'look-alike'
  | 'hidden-errors'
  | 'older-version'
  | 'sensitive-path'

/** An understood response; it knows nothing of the disk. */
export interface Patch {
  readonly control: Control
  readonly operations: readonly Operation[]
  /** The prose between the blocks, in order. */
  readonly reasoning: readonly string[]
  readonly flags: readonly Flag[]
}

/** Damage that forbids a patch as a whole: where it is, what was found, what to do. */
export interface Problem {
  /** Stable kebab-case name, for machines. */
  readonly code: string
  /** For people: what was found and what was expected, then what to do next. */
  readonly message: string
  /** 1-based line in the response. */
  readonly line?: number
  /** 1-based number of the block in the response. */
  readonly block?: number
  readonly path?: string
  /** Of an edit without a place: the file's text around the nearest one, from a 1-based line on. */
  readonly around?: { readonly from: number; readonly lines: readonly string[] }
}

/** What a text turned out to be. Most clipboards hold no patch, and that is not an error. */
export type Parsed =
  | { readonly kind: 'patch'; readonly patch: Patch }
  | { readonly kind: 'ignored'; readonly why: IgnoredWhy }
  | {
      readonly kind: 'refused'
      readonly problems: readonly [Problem, ...Problem[]]
      /** What is left when the damaged blocks are left out; only where the rest can vouch for itself. */
      readonly sound?: Patch | undefined
      /** What could be read of the control block. */
      readonly control: Partial<Control>
      readonly reasoning: readonly string[]
    }

export type IgnoredWhy =
  /**
   * No control block and nothing that looks like a patch: silence. One dim line in `watch` where it seems to be a part of
   * one: `isCut`: a START has no END; `isBlock`: it is what one block holds, from START to END, and nothing else.
   */
  | { readonly kind: 'no-patch'; readonly isCut?: true; readonly isBlock?: true }
  /** A block with a path and START/END, but no control block: one dim line in `watch`. `isCut`: another START has no END. */
  | { readonly kind: 'no-control'; readonly isCut?: true }
  | { readonly kind: 'other-project'; readonly projectId: string; readonly uuid: string | undefined }
  /** The copied instructions, or another text of relay's own. */
  | { readonly kind: 'own-text' }
