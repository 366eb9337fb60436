import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { moveIfFree } from '../disk/move-if-free.ts'
import { holds, type Move } from '../entry/moves.ts'
import type { Layout } from '../layout/layout.ts'
import type { Stage } from '../layout/stage.ts'

/** `false`: the place held something else than the snapshot. */
export async function swap(move: Move, stage: Stage): Promise<boolean> {
  try {
    return await exchange(move, stage)
  } catch (error) {
    // A folder in the path has become a link since the survey, or has been moved.
    if (error instanceof RelayError && error.kind === 'conflict') return false
    throw error
  }
}

async function exchange(move: Move, stage: Stage): Promise<boolean> {
  const { root, files } = stage.layout
  const [fresh, place] = [stage.fresh(move), join(root, move.target)]
  // A staged file that is not what the entry says (a torn write, a change by somebody) must never get the place.
  if (move.after !== null && !(await isAsStaged(move.after, fresh, stage.layout))) {
    throw new RelayError('failed', `The staged copy of ${move.path} is damaged`, {
      hint: 'Check the disk, then try again.',
    })
  }
  if (move.before.kind !== 'absent' && (await files.rename(place, stage.old(move))) === 'absent') return false
  const pointsTo = move.after?.kind === 'link' ? move.after.to : undefined
  if (move.after !== null && !(await moveIfFree(fresh, place, files, { pointsTo }))) return false
  return move.before.kind === 'absent' || holds(stage.old(move), move.before, files)
}

async function isAsStaged(after: NonNullable<Move['after']>, fresh: string, { files }: Layout): Promise<boolean> {
  if (after.kind === 'link')
    return (await files.stat(fresh))?.kind === 'link' && (await files.readLink(fresh)) === after.to
  const staged = await files.read(fresh)
  return staged !== null && Buffer.compare(staged, after.bytes) === 0
}
