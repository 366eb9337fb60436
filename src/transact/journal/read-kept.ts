import { RelayError } from '../../errors.ts'
import type { Entry } from '../../model/entry.ts'
import { readOwn } from '../disk/read-own.ts'
import { isLaterEntry } from '../entry/read-entry.ts'
import type { Layout } from '../layout/layout.ts'
import { readDeclined } from './declined.ts'
import type { EndedTransaction, Journal } from './journal.ts'
import { readLastDeclined } from './last-declined.ts'
import { readApplied } from './read-applied.ts'

/** The whole entry of a transaction that was kept; throws `usage` with the reason when there is none. */
export async function readKept(transaction: EndedTransaction, layout: Layout, journal: Journal): Promise<Entry> {
  if (transaction.outcome === 'declined' || transaction.outcome === 'rolled-back') {
    const ended = transaction.outcome === 'declined' ? 'was declined' : 'was rolled back'
    throw new RelayError('usage', `#${transaction.number} ${ended}, so there is nothing to show`, {
      hint: await wayOn(transaction, layout, journal),
    })
  }
  const entry = await readApplied(transaction.uuid, layout)
  if (entry !== undefined) return entry
  const stands = (await layout.files.stat(layout.applied(transaction.uuid))) !== null
  const text = await readOwn(layout.applied(transaction.uuid), layout.files)
  const path = `.relaycode/${transaction.uuid}.yml`
  throw new RelayError(
    'usage',
    stands ? `Cannot read #${transaction.number}` : `#${transaction.number} is no longer stored`,
    {
      hint: !stands
        ? '`relay prune` removed it from .relaycode/, or somebody did by hand.'
        : text !== undefined && isLaterEntry(text)
          ? `A newer relay wrote ${path}: use that one, or update this one.`
          : `Look at ${path}: something other than relay changed it.`,
    },
  )
}

/** The next step after a response that was not kept, or the number under which it was kept since. */
async function wayOn({ uuid, number }: EndedTransaction, layout: Layout, journal: Journal): Promise<string> {
  const since = await journal.lookUp(uuid)
  if (since?.outcome === 'committed')
    return `It has been kept since, as #${since.number}: \`relay show ${since.number}\`.`
  if ((await readLastDeclined(layout))?.uuid === uuid)
    return '`relay followup` says what was wrong with it, `relay apply --last` applies it again.'
  return (await readDeclined(number, layout)) === undefined
    ? '`relay log` lists what was kept.'
    : `\`relay show ${number}\` shows the answer, \`relay apply --declined ${number}\` applies it again.`
}
