import type { System } from '../ports.ts'
import { instructions } from '../project/instructions.ts'
import { openProject } from './open/open-project.ts'
import { giveInstructions } from './talk/give-instructions.ts'

/** `relay prompt`: gives the user the instructions for the LLM once more. */
export async function prompt(system: System, options: { readonly copy: boolean }): Promise<number> {
  const { projectId } = (await openProject(system)).config
  await giveInstructions(instructions(projectId), projectId, options, system)
  return 0
}
