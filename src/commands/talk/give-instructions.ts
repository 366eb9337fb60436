import type { System } from '../../ports.ts'
import { copyText } from './copy-text.ts'
import { styleOf } from './style-of.ts'

/**
 * Prints a text with the instructions for the LLM on stdout, and puts these alone on the clipboard.
 *
 * That they are there is said below them: on an ordinary screen, what stands above has scrolled away. A clipboard that
 * does not work is no failure: everything it would hold is on the screen.
 */
export async function giveInstructions(
  text: string,
  alone: string,
  options: { readonly copy: boolean },
  system: Pick<System, 'clipboard' | 'terminal'>,
): Promise<void> {
  system.terminal.out(text)
  if (!options.copy) return
  const { paint, sign } = styleOf(system.terminal)
  const head = (done: string) => [
    `${paint.ok(sign.ok)} ${done} the instructions: paste them into your LLM's system prompt`,
  ]
  await copyText(alone, head, 'The instructions are printed above: copy them from there.', system)
}
