import { join } from 'node:path'
import type { Entry } from '../../model/entry.ts'
import type { Rescue } from '../../model/talk.ts'
import { movesOf } from '../entry/moves.ts'
import { removeAsides, removeStage, type Stage } from '../layout/stage.ts'
import { rescueLateSaves } from '../restore/rescue.ts'
import { orUnfinished } from '../restore/restore.ts'
import { moveOutput } from '../run/command-output.ts'

/** Removes a restored transaction's entry: from then on it is rolled back, and only clearing up is left to do. */
export async function removeEntry(entry: Entry, stage: Stage): Promise<void> {
  const { files, pending } = stage.layout
  await orUnfinished(entry, async () => {
    // Only the entry names what is kept beside its place, so that goes first; restored places need none of it.
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
 * Removes what a kept transaction needed while it ran. The stage goes last: while it is there, this is left to do.
 * Answers the user's files that were put aside.
 */
export async function clearUpKept(entry: Entry, stage: Stage): Promise<readonly Rescue[]> {
  const { root, files } = stage.layout
  const moves = movesOf(entry)
  const late = await rescueLateSaves(moves, stage)
  await moveOutput(stage)
  await removeAsides(stage, moves)
  // These folders could not go while files were kept in them.
  for (const folder of [...(entry.removedFolders?.keys() ?? [])].toReversed()) {
    if (moves.some(({ aside = '' }) => `${aside}/`.startsWith(`${folder}/`))) {
      // An empty folder that cannot be removed, such as a mount, does no harm.
      await files.removeFolder(join(root, folder)).catch(() => undefined)
    }
  }
  await removeStage(stage)
  return late
}
