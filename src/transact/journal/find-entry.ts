import { RelayError } from '../../errors.ts'
import { wasKept } from './history-line.ts'
import type { EndedTransaction, Journal } from './journal.ts'

/**
 * The transaction that somebody means by `42`, `#42`, a uuid or the beginning of one, as it stands now.
 *
 * A number is tried first; a few digits are nothing else, or a slip in a number would mean whichever uuid begins with it.
 * Of several turns of one uuid the one that was kept counts. Throws `usage` when there is none, or more than one, and says
 * what is near.
 */
export function findEntry(word: string, journal: Journal): EndedTransaction {
  const number = /^#?(\d{1,15})$/.exec(word.trim())?.[1]
  const lines = [...journal.newestFirst()]
  if (number !== undefined) {
    const found = lines.find(line => line.number === Number(number))
    if (found !== undefined) return found
    if (/^#|^\d{1,7}$/.test(word.trim())) throw unknown(word, lines)
  }
  const start = word.trim().replace(/^#/, '').toLowerCase()
  const meant = start === '' ? [] : lines.filter(line => isMeant(line, start))
  const exact = meant.filter(({ uuid, modelUuid }) => [uuid, modelUuid].some(id => id?.toLowerCase() === start))
  const found = oneOf(exact.length > 0 ? exact : meant)
  if (found === 'none') throw unknown(word, lines)
  if (found === 'several') throw ambiguous(word, meant)
  return found
}

function isMeant({ uuid, modelUuid }: EndedTransaction, start: string): boolean {
  return uuid.toLowerCase().startsWith(start) || modelUuid?.toLowerCase().startsWith(start) === true
}

/** Turns of one entry's uuid are one; the newest that was kept, else the newest. */
function oneOf(lines: readonly EndedTransaction[]): EndedTransaction | 'none' | 'several' {
  const kept = lines.filter(wasKept)
  const [first, ...others] = kept.length > 0 ? kept : lines
  if (first === undefined) return 'none'
  return others.some(({ uuid }) => uuid !== first.uuid) ? 'several' : first
}

function unknown(word: string, lines: readonly EndedTransaction[]): RelayError {
  const newest = lines[0]
  if (newest === undefined) {
    return new RelayError('usage', `There is no change ${word}: nothing was kept here yet`)
  }
  const near = nearest(word, lines)
  return new RelayError('usage', `There is no change ${word}; the newest is #${newest.number}`, {
    hint: near === undefined ? '`relay log --all` lists them.' : `Did you mean #${near.number} (${near.uuid})?`,
  })
}

/** For a uuid that was copied with a slip in it: the one that shares the longest beginning, if that is long enough. */
function nearest(word: string, lines: readonly EndedTransaction[]): EndedTransaction | undefined {
  const start = word.toLowerCase()
  const shared = ({ uuid }: EndedTransaction) => {
    let length = 0
    while (length < start.length && uuid[length]?.toLowerCase() === start[length]) length += 1
    return length
  }
  const [best] = lines.toSorted((a, b) => shared(b) - shared(a))
  return best !== undefined && shared(best) >= 4 ? best : undefined
}

function ambiguous(word: string, meant: readonly EndedTransaction[]): RelayError {
  const numbers = [...new Set(meant.map(({ number }) => `#${number}`))]
  return new RelayError(
    'usage',
    `${word} could be ${numbers.slice(0, 5).join(', ')}${numbers.length > 5 ? ', …' : ''}`,
    {
      hint: 'Use the number, or more of the uuid.',
    },
  )
}
