import { RelayError } from '../../errors.ts'
import type { Entry } from '../../model/entry.ts'
import { findEntry } from '../../transact/journal/find-entry.ts'
import { wasKept } from '../../transact/journal/history-line.ts'
import type { EndedTransaction } from '../../transact/journal/journal.ts'
import { readKept } from '../../transact/journal/read-kept.ts'
import type { Look } from './look.ts'

export interface ChosenEntry {
  readonly turn: EndedTransaction
  readonly entry: Entry
}

/** The kept transaction that somebody means, with its whole entry; without a word for it the newest. */
export async function chosenEntry(
  word: string | undefined,
  { journal, layout }: Pick<Look, 'journal' | 'layout'>,
): Promise<ChosenEntry> {
  const turn = word === undefined ? newestKept(journal) : findEntry(word, journal)
  return { turn, entry: await readKept(turn, layout, journal) }
}

function newestKept(journal: Look['journal']): EndedTransaction {
  for (const turn of journal.newestFirst()) {
    if (wasKept(turn)) return turn
  }
  throw new RelayError('usage', 'Nothing was kept here yet', { hint: 'Start with `relay watch` or `relay apply`.' })
}
