import { dirname, join } from 'node:path'
import { remembered } from '../../ground/collections.ts'
import { NEW_PROGRAM_MODE } from '../../model/path-state.ts'
import type { Stat } from '../../ports.ts'
import { inFlight } from '../disk/in-flight.ts'
import type { Move } from '../entry/moves.ts'
import type { Stage } from '../layout/stage.ts'

/**
 * Writes the new files of moves into the stage, or beside their places. After `signal` aborts no further one is
 * written, and the caller must not swap those that were.
 */
export async function stageNewFiles(moves: readonly Move[], stage: Stage, signal?: AbortSignal): Promise<void> {
  const { root, files } = stage.layout
  const ownerIn = await ownersFor(stage)
  const isOneOfMany = moves.length > 1
  const write = async (move: Move) => {
    if (move.after === null) return
    if (move.after.kind === 'link') {
      await files.symlink(move.after.to, stage.fresh(move))
      return
    }
    const { bytes, mode } = move.after
    const owner = await ownerIn(move)
    const standsFor = join(root, move.target)
    const isProgram = move.before.kind !== 'file' && mode === NEW_PROGRAM_MODE
    const bits = isProgram ? { isProgram } : { mode }
    await files.create(stage.fresh(move), bytes, { ...bits, standsFor, owner, isOneOfMany })
  }
  await inFlight(moves, write, signal)
}

type Owner = { readonly uid: number; readonly gid: number }

/** A replaced file keeps its owner; a new one gets its folder's group where the folder asks for that (setgid). */
async function ownersFor(stage: Stage): Promise<(move: Move) => Promise<Owner | undefined>> {
  const { root, files } = stage.layout
  const self = await files.stat(stage.folder)
  const nearest = remembered(
    async (folder: string): Promise<Stat> => (await files.stat(folder)) ?? nearest(dirname(folder)),
  )
  return async move => {
    if (move.before.kind === 'file') {
      const found = await files.stat(join(root, move.target))
      // A new file has the stage's owner without that.
      if (found === null || (found.uid === self?.uid && found.gid === self.gid)) return undefined
      return { uid: found.uid, gid: found.gid }
    }
    const found = await nearest(dirname(join(root, move.target)))
    return self !== null && (found.mode & 0o2000) !== 0 ? { uid: self.uid, gid: found.gid } : undefined
  }
}
