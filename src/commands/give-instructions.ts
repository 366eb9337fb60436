import type { System } from '../ports.ts'
import { initText } from '../project/init-text.ts'
import { instructions } from '../project/instructions.ts'
import { grouped } from '../report/count.ts'
import { visibleLine } from '../report/visible.ts'
import { wrapLine } from '../report/wrap-line.ts'
import { copyText } from './copy-text.ts'
import { styleOf } from './style-of.ts'

/**
 * Prints the text for the user on stdout, after the instructions in it were put on the clipboard.
 *
 * A clipboard that does not work is no failure: everything it would hold is on the screen.
 */
export async function giveInstructions(
  system: Pick<System, 'clipboard' | 'terminal'>,
  projectId: string,
  options: { readonly copy: boolean },
): Promise<void> {
  const { terminal } = system
  if (options.copy) {
    const text = instructions(projectId)
    const why = await copyText(text, system)
    if (why === undefined) terminal.err(`  copied   instructions -> clipboard (${grouped(text.length)} characters)`)
    else {
      const { paint, columns } = styleOf(terminal)
      const [first, ...others] = wrapLine(visibleLine(`not copied: ${why}`), columns - 4)
      for (const line of [`  ${first}`, ...others.map(line => `    ${line}`)]) terminal.err(paint.meta(line))
    }
  }
  terminal.err('')
  terminal.out(initText(projectId))
}
