import { columnsOf } from './text/columns-of.ts'

/** The keys of a watcher that waits, and what each does. */
export const IDLE_KEYS = [
  ['u', 'undo the newest, after a question'],
  ['d', 'show what the newest one that was kept changed'],
  ['l', 'list the last ten'],
  ['c', 'copy a prompt for the model about what was rolled back last'],
  ['k', 'copy the files of the last answer as they are now, for the model'],
  ['p', 'pause: take nothing that is copied; once more: go on'],
  ['q', 'quit, like Ctrl+C'],
  ['?', 'show this help'],
] as const

const SHORT = ['u undo', 'd diff', 'l log', 'p pause', 'q quit']
const HELP = '? help'

/** The most important of them on one line: `u undo  d diff  ? help`. */
export function idleKeysInShort(columns: number): string {
  const shown: string[] = []
  for (const key of SHORT) if (columnsOf([...shown, key, HELP].join('  ')) <= columns) shown.push(key)
  return [...shown, HELP].join('  ')
}
