import { preview } from '../../flows/look-ahead.ts'
import { understand } from '../../flows/understand.ts'
import type { Project } from '../../model/project.ts'
import { titleOf } from '../../model/title.ts'
import type { System, Talk } from '../../ports.ts'
import { rememberDeclinedOffer } from '../../transact/journal/declined-offer.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { readJournal } from '../open/read-journal.ts'

/**
 * What was on the clipboard before watching began is offered, never applied by itself. What had its turn, can have none,
 * or would change nothing, needs no question: the pipeline says so. A no is remembered for the next start.
 *
 * The pipeline looks once more: the offer may stand for hours, and holds no lock.
 */
export async function isWanted(text: string, project: Project, system: System, talk: Talk): Promise<boolean> {
  const understood = understand(text, project.config.projectId)
  if (understood.kind !== 'patch') return true
  const { patch } = understood
  const found = await preview(patch, project, await readJournal(project, system), system)
  if (found.kind !== 'ready') return true
  const answer = await talk.ask({ kind: 'offered', title: titleOf(patch), changes: found.plan.changes })
  // Ctrl+D is like n; Ctrl+C, and a window that is closed, tell nothing of it.
  const isNo = answer === 'no' || (answer === 'closed' && !system.interruption.aborted)
  if (isNo) await rememberDeclinedOffer(text, layoutOf(project.root, system.files))
  return answer === 'yes'
}
