import type { Change, Patch, Project } from '../../model.ts'
import { planPatch } from '../../plan/plan-patch.ts'
import type { System, Talk } from '../../ports.ts'
import { titleOf } from '../../title.ts'
import { rememberDeclinedOffer } from '../../transact/journal/declined-offer.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { survey } from '../../transact/survey/survey.ts'
import { understand } from '../../understand.ts'
import { hadItsTurn } from '../had-its-turn.ts'

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
  if (await hadItsTurn(patch, project, system.files)) return true
  const changes = await changesBy(patch, project, system)
  if (changes.every(({ effect }) => effect === 'none')) return true
  const answer = await talk.ask({ kind: 'offered', title: titleOf(patch), changes })
  // Ctrl+D is like n; Ctrl+C, and a window that is closed, tell nothing of it.
  const isNo = answer === 'no' || (answer === 'closed' && !system.interruption.aborted)
  if (isNo) await rememberDeclinedOffer(text, layoutOf(project.root, system.files))
  return answer === 'yes'
}

/** What a patch would come to change here, as its files stand now; nothing where it would be refused. */
async function changesBy(patch: Patch, { root, config }: Project, system: System): Promise<readonly Change[]> {
  const { files, stateFolder, interruption: signal } = system
  const facts = await survey(root, patch.operations, files, { ...config.limits, stateFolder, signal })
  const planned = planPatch(patch, facts, config)
  return planned.kind === 'plan' ? planned.plan.changes : []
}
