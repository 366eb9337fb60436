import type { Config } from '../../model/project.ts'
import type { AskOptions, Terminal } from '../../ports.ts'
import { cutLine } from '../../report/text/cut-line.ts'
import { type Keys, keyLines } from '../../report/text/hanging.ts'
import { visibleLine } from '../../report/text/visible.ts'
import { styleOf } from './style-of.ts'

/** How a project's user wants to answer, and what may take the question away. */
export type Answering = Pick<Config, 'singleKey'> & Pick<AskOptions, 'withdraw'>

/**
 * Asks until one of the keys is typed: a letter and Enter, or the letter alone where the project says so. Nothing is
 * the default, so a bare Enter shows the keys, as `?` does. `undefined`: nobody answers.
 */
export async function askKey(
  prompt: string,
  keys: Keys,
  { singleKey, withdraw }: Answering,
  terminal: Terminal,
): Promise<string | undefined> {
  for (;;) {
    const typed = (await terminal.ask(prompt, { singleKey, withdraw }))?.trim()
    if (typed === undefined) return undefined
    const lower = typed.toLowerCase()
    const key = { yes: 'y', no: 'n' }[lower] ?? lower
    if (key !== '?' && keys.some(([known]) => known === key)) return key
    if (key !== '?' && key !== '') {
      const letters = [...keys.map(([known]) => known).filter(known => known.length === 1 && known !== '?'), '?']
      terminal.err(`  "${cutLine(visibleLine(typed), 24)}" is not one of ${letters.join('/')}.`)
      continue
    }
    for (const line of keyLines(keys, styleOf(terminal))) terminal.err(line)
  }
}
