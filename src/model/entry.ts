import type { FileState, LinkState } from './plan.ts'
import type { DeleteOperation, Flag, SourceName, WriteOperation } from './response.ts'

/**
 * How a transaction ended, as the history remembers it. One that is `committed` the screen calls kept, and its entry is an
 * applied one; what was `rolled-back` and what was `declined` both count as the last declined response.
 */
export type Ended = 'committed' | 'declined' | 'rolled-back' | 'undone'

/** One line of the history: without content, but for the name of what no entry tells of. */
export interface HistoryLine {
  readonly number: number
  readonly uuid: string
  /** The model's uuid, when relay gave the entry one of its own. */
  readonly modelUuid?: string | undefined
  readonly at: string
  readonly outcome: Ended
  /** SHA-256 of the operations, hex. */
  readonly operations: string
  /** Of one of which nothing was kept: no entry has its name for people. */
  readonly title?: string | undefined
  /** Of one of which nothing was kept: it came from no response that could be taken again. */
  readonly noResponse?: true | undefined
  /** Of a transaction that takes another one back: which kind it is, and that one's uuid. */
  readonly source?: BackSource | undefined
  readonly undoes?: string | undefined
}

/** `undo` takes back the newest, `redo` takes back an undo, `revert` takes back any one and keeps what came later. */
export type BackSource = 'undo' | 'redo' | 'revert'

/** An operation as an entry holds it, with the exact bytes that go to disk: line ends and byte order mark applied. */
export type EntryOperation = EntryWrite | DeleteOperation | LinkOperation

/** What takes something back, or was made elsewhere, also has permission bits, and bytes that are no text. */
export interface EntryWrite extends WriteOperation {
  readonly mode?: number
  /** The path that the file had before: the same entry deletes that. */
  readonly renamedFrom?: string
  /** The file as the model knows it, where `content` is another text. */
  readonly seen?: string
  /** The same with what earlier commands had made of it, where that is another text. */
  readonly formatted?: string
  /** The exact bytes where `content` cannot hold them. */
  readonly bytes?: Uint8Array
}

/** Makes a symbolic link: again, where one was deleted, or as an agent made it; no response can ask for one. */
export interface LinkOperation {
  readonly op: 'link'
  readonly path: string
  readonly to: string
}

/** A transaction on disk: everything that going forward or back needs. */
export interface Entry {
  readonly version: 1
  readonly number: number
  readonly uuid: string
  readonly modelUuid?: string | undefined
  readonly projectId: string
  /** ISO 8601. */
  readonly createdAt: string
  readonly source: SourceName | BackSource
  /** The entry that this one takes back. */
  readonly undoes?: { readonly number: number; readonly uuid: string } | undefined
  readonly changeSummary: readonly unknown[]
  readonly promptSummary?: string | undefined
  readonly gitCommitMsg?: string | undefined
  readonly reasoning: readonly string[]
  readonly flags: readonly Flag[]
  readonly operations: readonly EntryOperation[]
  /** SHA-256 of all that the response asked for, where the operations do not tell it: edits, or a part of its files. */
  readonly asked?: string
  /** Each affected path as it was. */
  readonly snapshot: ReadonlyMap<string, SnapshotState>
  readonly createdFolders: readonly string[]
  /** Folders, with their permission bits, that go once they are empty: what is taken back had made them. */
  readonly removedFolders?: ReadonlyMap<string, number> | undefined
  /** Left open on purpose: a recovery asks before it rolls this back. */
  readonly held?: true
  /** From here on added at the end of the transaction. */
  readonly checks?: { readonly before: CheckRecord; readonly after: CheckRecord }
  readonly written?: ReadonlyMap<string, WrittenState>
  readonly outcome?: {
    readonly kind: 'committed'
    readonly by: 'auto' | 'user'
    readonly at: string
    /** The paths that the user changed by hand before it was kept: what `written` tells of them is not all the patch's. */
    readonly edited?: readonly string[]
  }
  /** The commit of git in which its files are; noted once that is made. */
  readonly commit?: string
}

/**
 * A path's state in an entry. `target` is the place it really led to where that is another one, `aside` the folder in
 * which its files were kept meanwhile where that was not the stage; both relative to the root.
 */
export type SnapshotState = ((FileState & { readonly sha256: string }) | LinkState | { readonly kind: 'absent' }) & {
  readonly target?: string
  readonly aside?: string
}

/** What a file was once the commands had run; `bytes` and `mode` where the operation tells something else. */
export interface WrittenState {
  readonly sha256: string
  readonly bytes?: Uint8Array
  readonly mode?: number
}

/** What an entry keeps of a check. */
export interface CheckRecord {
  readonly errors: number | null
  readonly new?: number
  readonly fixed?: number
  readonly uncounted?: string
}
