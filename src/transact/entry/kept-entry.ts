import { RelayError } from '../../errors.ts'
import type { Entry } from '../../model.ts'
import type { Files } from '../../ports.ts'
import type { Turn } from '../journal/journal.ts'
import { readLastDeclined } from '../journal/last-declined.ts'
import { readApplied } from '../journal/read-applied.ts'
import type { Layout } from '../layout.ts'

/** The whole entry of a transaction that was kept; throws `usage` with the reason when there is none. */
export async function readKept(turn: Turn, layout: Layout, files: Files): Promise<Entry> {
  if (turn.outcome === 'declined' || turn.outcome === 'rolled-back') {
    const ended = turn.outcome === 'declined' ? 'was declined' : 'was rolled back'
    throw new RelayError('usage', `#${turn.number} ${ended}: nothing of it was kept`, {
      hint:
        (await readLastDeclined(layout, files))?.uuid === turn.uuid
          ? '`relay followup` tells what was wrong with it, `relay apply --last` takes it once more.'
          : '`relay log` lists what was kept.',
    })
  }
  const entry = await readApplied(turn.uuid, layout, files)
  if (entry !== undefined) return entry
  const stands = (await files.stat(layout.applied(turn.uuid))) !== null
  throw new RelayError('usage', `The entry of #${turn.number} ${stands ? 'cannot be read' : 'is gone'}`, {
    hint: stands
      ? `Look at .relaycode/${turn.uuid}.yml: it was changed by something else than relay.`
      : 'It was removed from .relaycode/, by `relay prune` or by hand.',
  })
}
