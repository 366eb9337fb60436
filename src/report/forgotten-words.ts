import type { HistoryLine } from '../model/entry.ts'
import { count } from './text/count.ts'

/** What a damaged history has lost. */
export function forgottenWords(lines: readonly HistoryLine[]): string {
  const numbers = lines.slice(0, most).map(({ number }) => `#${number}`)
  const more = lines.length > most ? ', …' : ''
  return `${count(lines.length, 'kept transaction')} (${numbers.join(', ')}${more})`
}

const most = 5
