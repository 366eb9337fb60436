import type { FileState, LinkState } from './plan.ts'
import type { DeleteOperation, Flag, SourceName, WriteOperation } from './response.ts'

/**
 * How a transaction ended, in the history. The screen says *kept* for `committed`, and the entry of such a transaction is
 * *applied*. Both `rolled-back` and `declined` count as the last declined response.
 */
export type Ended = 'committed' | 'declined' | 'rolled-back' | 'undone'

/** One line of the history. It has no contents; `title` is there only for transactions without an entry. */
export interface HistoryLine {
  readonly number: number
  readonly uuid: string
  /** The model's uuid, if relay gave the entry another one. */
  readonly modelUuid?: string | undefined
  readonly at: string
  readonly outcome: Ended
  /** SHA-256 of the operations, in hex. */
  readonly operations: string
  /** Set when no entry was kept that could tell the title. */
  readonly title?: string | undefined
  /** Set when no entry was kept and there is no response that could be applied again. */
  readonly noResponse?: true | undefined
  /** Set when the transaction takes another one back: how, and the other one's uuid. */
  readonly source?: BackSource | undefined
  readonly undoes?: string | undefined
  /**
   * For each path of a kept transaction, by the hash of its name: the hash of what it left there, if that is what the model
   * knows, else an empty text. Missing in a line of an earlier relay.
   */
  readonly paths?: Readonly<Record<string, string>> | undefined
}

/** What is left of a transaction whose entry is gone: that it wrote a path, and the beginning of that text's hash. */
export interface LostVersion {
  readonly number: number
  /** SHA-256 in hex; empty if the model does not know that text. */
  readonly left: string
}

/**
 * `undo` takes back the newest transaction, `redo` takes back an undo, `revert` takes back any transaction
 * and keeps later changes.
 */
export type BackSource = 'undo' | 'redo' | 'revert'

/** An operation as an entry stores it, with the exact bytes for the disk: line ends and byte order mark are applied. */
export type EntryOperation = EntryWrite | DeleteOperation | LinkOperation

/** `mode` and `bytes` occur when a transaction takes another one back, or when an agent made the change. */
export interface EntryWrite extends WriteOperation {
  readonly mode?: number
  /** The file's earlier path: the same entry deletes it. */
  readonly renamedFrom?: string
  /** The file as the model knows it, if that differs from `content`. */
  readonly seen?: string
  /** `seen` after earlier commands had changed it, if they did. */
  readonly formatted?: string
  /** The exact bytes, if `content` cannot hold them. */
  readonly bytes?: Uint8Array
}

/** Makes a symbolic link: one that was deleted before, or one that an agent made. No response can ask for one. */
export interface LinkOperation {
  readonly op: 'link'
  readonly path: string
  readonly to: string
}

/** A transaction on disk: everything that is needed to go forward or back. */
export interface Entry {
  readonly version: 1
  readonly number: number
  readonly uuid: string
  readonly modelUuid?: string | undefined
  readonly projectId: string
  /** ISO 8601. */
  readonly createdAt: string
  readonly source: SourceName | BackSource
  readonly undoes?: { readonly number: number; readonly uuid: string } | undefined
  readonly changeSummary: readonly unknown[]
  readonly promptSummary?: string | undefined
  readonly gitCommitMsg?: string | undefined
  readonly reasoning: readonly string[]
  readonly flags: readonly Flag[]
  readonly operations: readonly EntryOperation[]
  /** SHA-256 of everything that the response asked for, if the operations do not show it: edits, or only some of its files. */
  readonly asked?: string
  /** The state of each affected path before the transaction. */
  readonly snapshot: ReadonlyMap<string, SnapshotState>
  readonly createdFolders: readonly string[]
  /** Folders, with their permission bits, to remove once they are empty: the transaction that is taken back had made them. */
  readonly removedFolders?: ReadonlyMap<string, number> | undefined
  /** The user left the transaction open: recovery asks before it rolls this back. */
  readonly held?: true
  /** This and the following are added at the end of the transaction. */
  readonly checks?: { readonly before: CheckRecord; readonly after: CheckRecord }
  readonly written?: ReadonlyMap<string, WrittenState>
  readonly outcome?: {
    readonly kind: 'committed'
    readonly by: 'auto' | 'user'
    readonly at: string
    /** Paths that the user edited before the transaction was kept: their `written` state is not the patch's alone. */
    readonly edited?: readonly string[]
  }
  /** The git commit that holds its files; added when that commit is made. */
  readonly commit?: string
  /** The title that the user gave it since. */
  readonly title?: string
}

/**
 * A path's state in an entry. `target` is the real place if the path leads elsewhere. `aside` is the folder that held its
 * files during the transaction if that was not the stage. Both are relative to the root.
 */
export type SnapshotState = ((FileState & { readonly sha256: string }) | LinkState | { readonly kind: 'absent' }) & {
  readonly target?: string
  readonly aside?: string
}

/** A file after the commands had run. `bytes` and `mode` are there if they differ from the operation's. */
export interface WrittenState {
  readonly sha256: string
  readonly bytes?: Uint8Array
  readonly mode?: number
}

export interface CheckRecord {
  readonly errors: number | null
  readonly new?: number
  readonly fixed?: number
  readonly uncounted?: string
  /** It ran no test, although it has a test runner. */
  readonly tests?: 'none'
}
