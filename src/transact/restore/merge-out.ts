import { join } from 'node:path'
import { mergeFiles } from '../../lines/merge-files.ts'
import { believedMode } from '../../model/path-state.ts'
import { sha256 } from '../entry/hash.ts'
import type { Move } from '../entry/moves.ts'
import type { Evidence } from './evidence.ts'

/** A file with the user's edits and without the entry's change: where it waits, and the hash of the text it is made of. */
export interface MergedOut {
  readonly path: string
  readonly of: string
}

/**
 * Makes the file that a place would hold had there been only the user's edits. `undefined` where that is no clean merge, or
 * where it cannot be told or made: then the whole file has to be taken back.
 */
export async function mergeOut(move: Move, old: string, evidence: Evidence): Promise<MergedOut | undefined> {
  const { before, after, target } = move
  const { written, stage, layout } = evidence
  const { root, files } = layout
  if (before.kind !== 'file' || after?.kind !== 'file') return undefined
  // What a command made of the change is in no text that relay has: it cannot be told from the user's edits.
  if ((written?.get(move.path) ?? after.sha256) !== after.sha256) return undefined
  // A new file would no longer be the one that has another name.
  if ((await files.stat(old))?.links !== 1) return undefined

  const place = join(root, target)
  const [now, mode] = [await files.inspect(place), (await files.stat(place))?.mode]
  if (now?.kind !== 'file' || mode === undefined) return undefined
  const labels = { ours: 'as it is now', theirs: 'as it was before' }
  const merged = mergeFiles({ base: after.bytes, ours: now.bytes, theirs: before.bytes }, labels)
  if (merged.kind !== 'clean') return undefined
  const path = stage.merged(move)
  try {
    // A kill may have left an earlier one.
    await files.remove(path)
    await files.create(path, merged.bytes, { mode: mode === after.mode ? believedMode(before.mode, mode) : mode })
  } catch {
    // A full disk, for instance: taking the whole file back needs no room.
    return undefined
  }
  return { path, of: sha256(now.bytes) }
}
