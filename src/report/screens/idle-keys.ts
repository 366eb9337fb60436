import { columnsOf } from '../text/columns-of.ts'

export const IDLE_KEYS = [
  ['u', 'undo the newest change, after a question'],
  ['r', 'redo: take the last undo back, after a question'],
  ['d', 'show the diff of the newest change that was kept'],
  ['l', 'list the last ten changes'],
  ['c', 'copy a prompt that tells the model what was wrong with its last answer'],
  ['k', 'copy the files that the last answer names, as they are now'],
  ['p', 'pause: ignore what you copy; press p again to continue'],
  ['q', 'quit, like Ctrl+C'],
  ['?', 'show this help'],
] as const

const SHORT = ['u undo', 'd diff', 'l log', 'k files', 'p pause', 'q quit']
const HELP = '? help'

/** The most important keys on one line: `u undo d diff ? help`. */
export function idleKeysInShort(columns: number): string {
  const shown: string[] = []
  for (const key of SHORT) if (columnsOf([...shown, key, HELP].join('  ')) <= columns) shown.push(key)
  return [...shown, HELP].join('  ')
}
