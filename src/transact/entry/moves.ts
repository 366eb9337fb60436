import { remembered } from '../../ground/collections.ts'
import type { Entry, EntryOperation, EntryWrite, SnapshotState } from '../../model/entry.ts'
import type { LinkState } from '../../model/plan.ts'
import type { Files } from '../../ports.ts'
import { hashOfFile, sha256 } from './hash.ts'

/** One change that an entry makes to one place: from what the snapshot holds to what the operation asks for. */
export interface Move {
  /**
   * Names its files in the stage. It depends on the path alone, so that it stays the same when other files are left
   * out.
   */
  readonly key: string
  /** As the response names it. */
  readonly path: string
  /** The real place, links followed; relative to the root. */
  readonly target: string
  /** The folder that holds its files meanwhile, relative to the root, if that is not the stage. */
  readonly aside: string | undefined
  /** The file's earlier path, if it gets another one. */
  readonly renamedFrom: string | undefined
  readonly before: SnapshotState
  readonly after: NewFile | LinkState | null
}

export interface NewFile {
  readonly kind: 'file'
  readonly bytes: Uint8Array
  readonly sha256: string
  /** Permission bits: as asked for, or those of the file it replaces; else a new file gets what the umask gives. */
  readonly mode: number | undefined
}

/**
 * What an entry does to the project. Carrying out and rolling back both start from this, and it depends on the entry
 * alone.
 *
 * A file that gets the content that it has is a move too: a formatter may change it, and then it must be restored. To
 * delete a file that does not exist is no move.
 */
export function movesOf(entry: Entry): Move[] {
  const moves: Move[] = []
  for (const operation of entry.operations) {
    const before = entry.snapshot.get(operation.path) ?? { kind: 'absent' }
    const after = newState(operation, before)
    if (after === null && before.kind === 'absent') continue
    const { target = operation.path, aside } = before
    const renamedFrom = operation.op === 'write' ? operation.renamedFrom : undefined
    moves.push({ key: keyOf(operation), path: operation.path, target, aside, renamedFrom, before, after })
  }
  return moves
}

function newState(operation: EntryOperation, before: SnapshotState): Move['after'] {
  switch (operation.op) {
    case 'delete':
      return null
    case 'link':
      return { kind: 'link', to: operation.to }
    case 'write':
      return newFile(operation, before)
  }
}

function newFile(operation: EntryWrite, before: SnapshotState): NewFile {
  const mode = operation.mode ?? (before.kind === 'file' ? before.mode : undefined)
  return { kind: 'file', bytes: bytesOf(operation), sha256: hashOfFile(operation), mode }
}

/** Remembered: an operation never changes, and each step of a transaction needs its bytes. */
const bytesOf = remembered(
  ({ bytes, content }: EntryWrite): Uint8Array => bytes ?? Buffer.from(content),
  new WeakMap<EntryWrite, Uint8Array>(),
)

const keyOf = remembered(({ path }: EntryOperation) => sha256(path).slice(0, 32), new WeakMap<EntryOperation, string>())

/** The folders that an entry makes, and those that it removes, each outermost first. */
export function foldersOf({ createdFolders, removedFolders }: Entry): readonly string[] {
  return [...createdFolders, ...(removedFolders?.keys() ?? [])]
}

export function isKeptInStage({ aside }: Pick<Move, 'aside'>): boolean {
  return aside === undefined
}

/** `null` if the move does not leave a file. */
export function hashAfter({ after }: Pick<Move, 'after'>): string | null {
  return after?.kind === 'file' ? after.sha256 : null
}

export async function holds(path: string, before: SnapshotState, files: Files): Promise<boolean> {
  const found = await files.inspect(path)
  if (found?.kind === 'link') return before.kind === 'link' && found.to === before.to
  return found?.kind === 'file' && before.kind === 'file' && sha256(found.bytes) === before.sha256
}
