import type { Entry, SnapshotState } from '../model.ts'
import { sha256 } from './hash.ts'

/** One change that an entry makes to one place: from what the snapshot holds to what the operation asks for. */
export interface Move {
  /** Its number in the stage. */
  readonly number: number
  /** As the response names it. */
  readonly path: string
  /** Where it is carried out, links followed; relative to the root. */
  readonly target: string
  /** Where its files are kept meanwhile, relative to the root, when that is not the stage. */
  readonly aside: string | undefined
  readonly before: SnapshotState
  readonly after: NewFile | null
}

export interface NewFile {
  readonly bytes: Uint8Array
  readonly sha256: string
  /** Permission bits of the file it replaces; a new file gets what the umask gives. */
  readonly mode: number | undefined
}

/**
 * What an entry does to the project. Going forward and going back both start from this, and this from the entry alone.
 *
 * A file that gets the content it has is among them: a formatter may change it, and then it has to go back as well.
 * Only to delete what is not there is nothing.
 */
export function movesOf(entry: Entry): Move[] {
  const moves: Move[] = []
  for (const [number, operation] of entry.operations.entries()) {
    const before = entry.snapshot.get(operation.path) ?? { kind: 'absent' }
    const after = operation.op === 'delete' ? null : newFile(operation.content, before)
    if (after === null && before.kind === 'absent') continue
    const { target = operation.path, aside } = before
    moves.push({ number, path: operation.path, target, aside, before, after })
  }
  return moves
}

function newFile(content: string, before: SnapshotState): NewFile {
  const bytes = Buffer.from(content)
  return { bytes, sha256: sha256(bytes), mode: before.kind === 'file' ? before.mode : undefined }
}
