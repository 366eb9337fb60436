import type { Patch, Project } from '../model.ts'
import type { System } from '../ports.ts'
import { earlierTurn } from '../transact/journal/earlier-turn.ts'
import { readJournal } from './say/read-journal.ts'

/** Whether a patch was kept, declined or undone here before, with the same operations: it would be skipped. */
export async function hadItsTurn(patch: Patch, project: Project, system: System): Promise<boolean> {
  const earlier = await earlierTurn(patch, await readJournal(project, system))
  return earlier?.isSame === true
}
