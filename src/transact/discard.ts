import type { Entry } from '../model.ts'
import type { Files } from '../ports.ts'
import type { Layout } from './layout.ts'
import { movesOf } from './moves.ts'
import { orUnfinished } from './restore.ts'
import { removeAsides, removeStage, type Stage } from './stage.ts'

/** Removes a restored transaction's entry, and after it its stage: whoever finds the entry finds all it needs. */
export async function discard(entry: Entry, layout: Layout, stage: Stage, files: Files): Promise<void> {
  await orUnfinished(entry, async () => {
    // What is kept beside its place is named by the entry alone, so it goes first; restored places need none of it.
    await removeAsides(stage, movesOf(entry), files)
    await files.remove(layout.pending(entry.uuid))
  })
  await files.sync(layout.folder)
  await removeStage(stage, files)
}
