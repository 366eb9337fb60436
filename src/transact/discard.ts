import type { Files } from '../ports.ts'
import type { Layout } from './layout.ts'
import { removeStage, type Stage } from './stage.ts'

/** Removes a restored transaction's entry, and after it its stage: whoever finds the entry finds all it needs. */
export async function discard(uuid: string, layout: Layout, stage: Stage, files: Files): Promise<void> {
  await files.remove(layout.pending(uuid))
  await files.sync(layout.folder)
  await removeStage(stage, files)
}
