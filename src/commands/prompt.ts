import type { System } from '../ports.ts'
import { loadProject } from '../project/load-project.ts'
import { visibleLine } from '../report/visible.ts'
import { giveInstructions } from './give-instructions.ts'

/** `relay prompt`: gives the user the instructions for the LLM once more. */
export async function prompt(system: System, options: { readonly copy: boolean }): Promise<number> {
  const { project, notes } = await loadProject(system)
  for (const note of notes) system.terminal.err(visibleLine(`  note     ${note}`))
  await giveInstructions(system, project.config.projectId, options)
  return 0
}
