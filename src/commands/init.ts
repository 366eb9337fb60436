import type { System } from '../ports.ts'
import { initProject } from '../project/init-project.ts'
import { describeInit } from './describe-init.ts'
import { giveInstructions } from './give-instructions.ts'

/** `relay --init`: makes the current folder a project and gives the user the instructions for the LLM. */
export async function init(system: System, options: { readonly copy: boolean }): Promise<number> {
  const initialised = await initProject(system)
  for (const line of describeInit(initialised)) system.terminal.err(line)
  await giveInstructions(system, initialised.projectId, options)
  return 0
}
