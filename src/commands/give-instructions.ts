import type { System } from '../ports.ts'
import { instructions } from '../project/instructions.ts'
import { copyText } from './copy-text.ts'
import { showNotes } from './show-notes.ts'
import { styleOf } from './style-of.ts'

/**
 * Prints a text with the instructions for the LLM on stdout, and puts the instructions alone on the clipboard.
 *
 * That they are there is said below them: on an ordinary screen, what stands above has scrolled away. A clipboard that
 * does not work is no failure: everything it would hold is on the screen.
 */
export async function giveInstructions(
  text: string,
  projectId: string,
  options: { readonly copy: boolean },
  system: Pick<System, 'clipboard' | 'terminal'>,
): Promise<void> {
  const copied = options.copy ? await copyText(instructions(projectId), system) : undefined
  const { terminal } = system
  terminal.out(text)
  if (copied === undefined) return
  const { paint, sign } = styleOf(terminal)
  switch (copied.kind) {
    case 'copied':
      return terminal.err(`${paint.ok(sign.ok)} copied the instructions: paste them into your LLM's system prompt`)
    case 'sent':
      terminal.err(`${paint.ok(sign.ok)} sent the instructions to your terminal's clipboard`)
      return terminal.err("    For your LLM's system prompt. Nothing there? They were printed as well.")
    case 'failed':
      return showNotes([`not copied: ${copied.why}`], system)
  }
}
