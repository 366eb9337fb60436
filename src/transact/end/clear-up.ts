import { join } from 'node:path'
import type { Entry } from '../../model/entry.ts'
import type { Rescue } from '../../model/talk.ts'
import { movesOf } from '../entry/moves.ts'
import { removeAsides, removeStage, type Stage } from '../layout/stage.ts'
import { putLateSavesAside } from '../restore/put-aside.ts'
import { orUnfinished } from '../restore/restore.ts'
import { moveOutput } from '../run/command-output.ts'

/** Removes a restored transaction's entry: from then on it is taken back, and only the clearing up is left. */
export async function removeEntry(entry: Entry, stage: Stage): Promise<void> {
  const { files, pending } = stage.layout
  await orUnfinished(entry, async () => {
    // What is kept beside its place is named by the entry alone, so it goes first; restored places need none of it.
    await removeAsides(stage, movesOf(entry))
    await files.remove(pending(entry.uuid))
  })
}

/** Removes the stage after the entry: whoever finds the entry finds all it needs. */
export async function clearUpRestored(stage: Stage): Promise<void> {
  const { files, folder } = stage.layout
  await files.sync(folder)
  await removeStage(stage)
}

/**
 * Removes what a kept transaction needed while it ran; the stage, which tells that this is left to do, goes last. Answers
 * what of it is the user's, and was put aside.
 */
export async function clearUpKept(entry: Entry, stage: Stage): Promise<readonly Rescue[]> {
  const { root, files } = stage.layout
  const moves = movesOf(entry)
  const late = await putLateSavesAside(moves, stage)
  await moveOutput(stage)
  await removeAsides(stage, moves)
  // What was kept in a folder that had to go held it back.
  for (const folder of [...(entry.removedFolders?.keys() ?? [])].toReversed()) {
    if (moves.some(({ aside = '' }) => `${aside}/`.startsWith(`${folder}/`))) {
      // An empty folder that has to stay (something is mounted there by now) is no reason to stop at.
      await files.removeFolder(join(root, folder)).catch(() => undefined)
    }
  }
  await removeStage(stage)
  return late
}
