import type { Patch, Project } from '../../model.ts'
import { planPatch } from '../../plan/plan-patch.ts'
import type { System } from '../../ports.ts'
import { survey } from '../../transact/survey.ts'

/** Whether a patch would come to change anything here, as its files stand now. */
export async function wouldChange(patch: Patch, { root, config }: Project, system: System): Promise<boolean> {
  const { files, stateFolder } = system
  const facts = await survey(root, patch.operations, files, { ...config.limits, stateFolder })
  const planned = planPatch(patch, facts, config)
  return planned.kind === 'plan' && planned.plan.changes.some(({ effect }) => effect !== 'none')
}
