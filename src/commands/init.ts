import type { System } from '../ports.ts'
import { initProject } from '../project/init-project.ts'
import { initText } from '../project/instructions.ts'
import { isTrackedByGit, trackedNote } from '../project/tracked-by-git.ts'
import { trustProject } from '../project/trust.ts'
import { describeInit } from './say/describe-init.ts'
import { giveInstructions } from './say/give-instructions.ts'

/** `relay --init`: makes the current folder a project and gives the user the instructions for the LLM. */
export async function init(system: System, options: { readonly copy: boolean }): Promise<number> {
  const initialised = await initProject(system)
  // What relay wrote itself needs no question. One that cannot be remembered is asked about at the first start.
  const { root, config, linter } = initialised
  if (config === 'created') await trustProject({ root, config: { linter: linter.command } }, [], system)
  const tracked = (await isTrackedByGit(root, system.files)) ? [trackedNote] : []
  const notes = [...initialised.notes, ...tracked]
  for (const line of describeInit({ ...initialised, notes })) system.terminal.err(line)
  const { projectId } = initialised
  system.terminal.err('')
  await giveInstructions(initText(projectId), projectId, options, system)
  return 0
}
