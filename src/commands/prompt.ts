import type { System } from '../ports.ts'
import { instructions } from '../project/instructions.ts'
import { loadProject } from '../project/load-project.ts'
import { giveInstructions } from './say/give-instructions.ts'
import { showNotes } from './say/show-notes.ts'

/** `relay prompt`: gives the user the instructions for the LLM once more. */
export async function prompt(system: System, options: { readonly copy: boolean }): Promise<number> {
  const { project, notes } = await loadProject(system)
  showNotes(notes, system)
  const { projectId } = project.config
  await giveInstructions(instructions(projectId), projectId, options, system)
  return 0
}
