import type { Entry } from '../model.ts'
import { movesOf } from './moves.ts'
import { orUnfinished } from './restore.ts'
import { removeAsides, removeStage, type Stage } from './stage.ts'

/** Removes a restored transaction's entry, and after it its stage: whoever finds the entry finds all it needs. */
export async function discard(entry: Entry, stage: Stage): Promise<void> {
  const { files, pending, folder } = stage.layout
  await orUnfinished(entry, async () => {
    // What is kept beside its place is named by the entry alone, so it goes first; restored places need none of it.
    await removeAsides(stage, movesOf(entry))
    await files.remove(pending(entry.uuid))
  })
  await files.sync(folder)
  await removeStage(stage)
}
