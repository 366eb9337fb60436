import type { Patch, Project } from '../model.ts'
import type { Files } from '../ports.ts'
import { earlierTurn } from '../transact/journal/earlier-turn.ts'
import { Journal } from '../transact/journal/journal.ts'
import { layoutOf } from '../transact/layout/layout.ts'

/** Whether a patch was kept, declined or undone here before, with the same operations: it would be skipped. */
export async function hadItsTurn(patch: Patch, { root }: Project, files: Files): Promise<boolean> {
  const earlier = await earlierTurn(patch, await Journal.read(layoutOf(root, files)))
  return earlier?.isSame === true
}
