import { RelayError } from '../errors.ts'
import type { Entry } from '../model.ts'
import type { System } from '../ports.ts'
import { describeMoment } from '../report/describe-time.ts'
import { findEntry } from '../transact/find-entry.ts'
import type { Turn } from '../transact/journal.ts'
import { readApplied } from '../transact/read-applied.ts'
import type { Look } from './look.ts'

export interface ChosenEntry {
  readonly turn: Turn
  readonly entry: Entry
}

/** The kept transaction that somebody means, with its whole entry; without a word for it the newest. */
export async function chosenEntry(
  word: string | undefined,
  { journal, layout }: Pick<Look, 'journal' | 'layout'>,
  { files, clock }: System,
): Promise<ChosenEntry> {
  const turn = word === undefined ? newestKept(journal) : findEntry(word, journal)
  if (turn.outcome === 'declined' || turn.outcome === 'rolled-back') {
    const ended = turn.outcome === 'declined' ? 'was declined' : 'was rolled back'
    const moment = describeMoment(turn.at, clock.now())
    throw new RelayError('usage', `#${turn.number} ${ended} ${moment}: nothing of it was kept`, {
      hint: '`relay log` lists what was kept.',
    })
  }
  const entry = await readApplied(turn.uuid, layout, files)
  if (entry !== undefined) return { turn, entry }
  const stands = (await files.stat(layout.applied(turn.uuid))) !== null
  throw new RelayError('usage', `The entry of #${turn.number} ${stands ? 'cannot be read' : 'is gone'}`, {
    hint: stands
      ? `Look at .relaycode/${turn.uuid}.yml: it was changed by something else than relay.`
      : 'It was removed from .relaycode/, by `relay prune` or by hand.',
  })
}

function newestKept(journal: Look['journal']): Turn {
  for (const turn of journal.newestFirst()) {
    if (turn.outcome === 'committed' || turn.outcome === 'undone') return turn
  }
  throw new RelayError('usage', 'Nothing was applied here yet', { hint: 'Start with `relay watch` or `relay apply`.' })
}
