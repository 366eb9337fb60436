import type { Patch, Project } from '../../model.ts'
import { planPatch } from '../../plan/plan-patch.ts'
import type { System, Talk } from '../../ports.ts'
import { titleOf } from '../../title.ts'
import { survey } from '../../transact/survey/survey.ts'
import { understand } from '../../understand.ts'
import { hadItsTurn } from '../had-its-turn.ts'

/**
 * What was on the clipboard before watching began is offered, never applied by itself. What had its turn, can have none,
 * or would change nothing, needs no question: the pipeline says so.
 *
 * The pipeline looks once more: the offer may stand for hours, and holds no lock.
 */
export async function isWanted(text: string, project: Project, system: System, talk: Talk): Promise<boolean> {
  const understood = understand(text, project.config.projectId)
  if (understood.kind !== 'patch') return true
  const { patch } = understood
  if (await hadItsTurn(patch, project, system)) return true
  if (!(await wouldChange(patch, project, system))) return true
  return (await talk.ask({ kind: 'offered', title: titleOf(patch), operations: patch.operations })) === 'yes'
}

/** Whether a patch would come to change anything here, as its files stand now. */
async function wouldChange(patch: Patch, { root, config }: Project, system: System): Promise<boolean> {
  const { files, stateFolder, interruption: signal } = system
  const facts = await survey(root, patch.operations, files, { ...config.limits, stateFolder, signal })
  const planned = planPatch(patch, facts, config)
  return planned.kind === 'plan' && planned.plan.changes.some(({ effect }) => effect !== 'none')
}
