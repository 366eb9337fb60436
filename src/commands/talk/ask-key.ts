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
  return (await askKeyAndWords(prompt, keys, { singleKey, withdraw }, terminal))?.key
}

/** The same, and one of the keys may have words behind it: `c the coupon is not wanted`. */
export async function askKeyAndWords(
  prompt: string,
  keys: Keys,
  { singleKey, withdraw }: Answering,
  terminal: Terminal,
  withWords?: string,
): Promise<{ readonly key: string; readonly words: string } | undefined> {
  for (;;) {
    const typed = (await terminal.ask(prompt, { singleKey, withdraw }))?.trim()
    if (typed === undefined) return undefined
    const lower = typed.toLowerCase()
    const [first = '', words = ''] = /^(\S+)\s+(.*)$/s.exec(typed)?.slice(1) ?? []
    const isKnown = (key: string) => key !== '?' && keys.some(([known]) => known === key)
    if (withWords !== undefined && first.toLowerCase() === withWords && isKnown(withWords))
      return { key: withWords, words }
    const key = { yes: 'y', no: 'n' }[lower] ?? lower
    if (isKnown(key)) return { key, words: '' }
    if (key !== '?' && key !== '') {
      const letters = [...keys.map(([known]) => known).filter(known => known.length === 1 && known !== '?'), '?']
      terminal.err(`  "${cutLine(visibleLine(typed), 24)}" is not one of ${letters.join('/')}.`)
      continue
    }
    for (const line of keyLines(keys, styleOf(terminal))) terminal.err(line)
  }
}
