/**
 * relay's vocabulary, beginning with its input. One idea has one word, in code, messages, docs and tests.
 *
 * This folder imports nothing else; all other code is written in its terms. Read `project.ts` and `plan.ts`
 * next, then `flows/relay.ts`.
 */

export type SourceName = 'clipboard' | 'paste' | 'stdin' | `file:${string}` | `agent:${string}`

/** A model's answer, as it was copied. */
export interface Response {
  readonly text: string
  readonly source: SourceName
}

/** One change to one file. The path is relative to the project's root, with `/` between its parts. */
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
  /** All text of the file, if the response says it: nothing else may be deleted. */
  readonly text?: readonly Hunk[]
}

/** Changes parts of a file and leaves the rest as it is. */
export interface EditOperation extends Edits {
  readonly op: 'edit'
  readonly path: string
  /** The file's whole text, if the same response gives it: then the edits apply to this text, not to the file on the disk. */
  readonly content?: string
}

/** Renames a file. */
export interface RenameOperation extends Edits {
  readonly op: 'rename'
  readonly path: string
  readonly to: string
}

export interface Edits {
  /** One list per block. The edits of a block apply to the text that the blocks before it have produced. */
  readonly blocks: readonly (readonly Hunk[])[]
  /** Whether the file is executable, if the response says so. */
  readonly executable?: boolean
}

/** One edit: a place in a file and its new text. */
export interface Hunk {
  /** 1-based number of its block, and its 1-based line in the response. */
  readonly block: number
  readonly line: number
  /** 1-based number among the block's edits of the same file, if there are several. */
  readonly number?: number
  /** Each line with a sign in front: a blank keeps the line, `-` removes it, `+` adds it. A new file has only added lines. */
  readonly lines: readonly string[]
  /** Lines of the file, outermost first, below which the place is: the text after `@@`. */
  readonly below?: readonly string[]
  /** The file does not exist yet, or is empty. */
  readonly isNew?: true
  /** The place is at the end of the file. */
  readonly atEnd?: true
  /** Whether the file ends with a newline afterwards, if the response says so. */
  readonly finalNewline?: boolean
  /** The number of blank lines at the end of `lines` that may not belong to the edit. */
  readonly looseBlanks?: number
}

/** The YAML block at the end of a response: which project it is for, and which response it is. */
export interface Control {
  readonly projectId: string
  readonly uuid: string
  /** The model's own list, plain data only; empty when it could not be read. */
  readonly changeSummary: readonly unknown[]
  readonly promptSummary?: string | undefined
  readonly gitCommitMsg?: string | undefined
}

/** A doubt about a patch. It forbids automatic approval. */
export interface Flag {
  readonly flag: FlagName
  /** The file in doubt, if the doubt is about one file. */
  readonly path?: string
  /** 1-based line in the response, if the doubt has a place. */
  readonly line?: number
  /** The doubtful line, for doubts that the file on the disk can clear. */
  readonly text?: string
  /** All doubtful lines that are not blank, if there are several; dropped after the comparison with the disk. */
  readonly lines?: readonly { readonly line: number; readonly text: string }[]
  /** It counts only where lines of the file on the disk would go. */
  readonly ifLinesGo?: true
  /** It counts only where the file is new, or the one on the disk has indented lines. */
  readonly ifIndented?: true
  /** It is about an agent's work, and asked about before anything is written or run. About an answer it is asked afterwards. */
  readonly isAskedFirst?: true
  /** A linter for this file would find the problem too; dropped once it is known whether there is one. */
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
  | 'secret'
  | 'sensitive-path'

/** Whether relay asks about a doubt before anything is written or run; `--allow-sensitive` answers that question. */
export function asksFirst({ flag, isAskedFirst }: Flag): boolean {
  return flag === 'sensitive-path' || isAskedFirst === true
}

/** A response that relay understood; it knows nothing of the disk. */
export interface Patch {
  readonly control: Control
  readonly operations: readonly Operation[]
  /** The prose between the blocks, in order. */
  readonly reasoning: readonly string[]
  readonly flags: readonly Flag[]
}

/** Damage because of which the whole patch is refused: where it is, what was found, what to do. */
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
  /** For an edit whose place was not found: the file's text around the nearest match, from a 1-based line on. */
  readonly around?: { readonly from: number; readonly lines: readonly string[] }
  /** The first line there that is another one than the edit has. */
  readonly differs?: { readonly line: number; readonly file: string; readonly edit: string }
}

/** The result of parsing a text. Most clipboards hold no patch, and that is not an error. */
export type Parsed =
  | { readonly kind: 'patch'; readonly patch: Patch }
  | { readonly kind: 'ignored'; readonly why: IgnoredWhy }
  | {
      readonly kind: 'refused'
      readonly problems: readonly [Problem, ...Problem[]]
      /** The patch without the damaged blocks; only if the rest is certain to be complete. */
      readonly sound?: Patch | undefined
      /** The parts of the control block that could be read. */
      readonly control: Partial<Control>
      readonly reasoning: readonly string[]
    }

export type IgnoredWhy =
  /**
   * No control block, and nothing that looks like a patch. relay stays silent, except that `watch` prints one dim line
   * when the text looks like a part of a patch. `isCut`: a START without an END. `isBlock`: exactly the content of one
   * block, from START to END.
   */
  | { readonly kind: 'no-patch'; readonly isCut?: true; readonly isBlock?: true }
  /**
   * A block with a path, START and END, but no control block: `watch` prints one dim line. `isCut`: another START has no END.
   */
  | { readonly kind: 'no-control'; readonly isCut?: true }
  | { readonly kind: 'other-project'; readonly projectId: string; readonly uuid: string | undefined }
  /** The copied instructions, or another text that relay itself wrote. */
  | { readonly kind: 'own-text' }
