import type { System } from '../ports.ts'
import { instructionsIn } from '../project/instructions.ts'
import { openProject } from './open/open-project.ts'
import { giveInstructions } from './talk/give-instructions.ts'

/** `relay prompt`: gives the user the instructions for the LLM once more. */
export async function prompt(
  system: System,
  options: { readonly copy: boolean; readonly edits?: boolean },
): Promise<number> {
  const { config } = await openProject(system)
  const text = instructionsIn(options.edits === true ? { ...config, instructions: 'edits' } : config)
  await giveInstructions(text, text, options, system)
  return 0
}
