import { RelayError } from '../../errors.ts'
import type { Entry } from '../../model/entry.ts'
import type { Plan } from '../../model/plan.ts'
import type { Outcome, Restoration, RollbackReason } from '../../model/talk.ts'
import { retryOnce } from '../disk/retry-once.ts'
import { hashOperations } from '../entry/hash.ts'
import { keepDeclined } from '../journal/declined.ts'
import { type LastDeclined, writeLastDeclined } from '../journal/last-declined.ts'
import { mendStage, removeStage } from '../layout/stage.ts'
import { orUnfinished, REMEDY, restore, untouched } from '../restore/restore.ts'
import type { RollBack } from '../work/decision.ts'
import { unmarkOpen } from '../work/held-entry.ts'
import type { Running } from '../work/work.ts'
import { clearUpRestored, removeEntry } from './clear-up.ts'
import { clearOwnPlace, keepPlan } from './keep-plan.ts'
import { lastDeclinedOf } from './last-declined-of.ts'

/**
 * Restores first and clears up after. Throws `unfinished` when it cannot finish: then the entry stays, and the message
 * names what is restored and what is not.
 */
export async function rollBack(entry: Entry, end: RollBack, work: Running): Promise<Outcome> {
  const restoration = await orUnfinished(entry, () => restoreAll(entry, end, work))
  await removeEntry(entry, work.stage)
  // The next recovery repeats what fails now; the outcome is the same.
  await clearUpRestored(work.stage).catch(() => undefined)
  return rolledBack(end.reason, restoration, work)
}

async function restoreAll(entry: Entry, end: RollBack, work: Running): Promise<Restoration> {
  const { layout, stage, talk } = work
  const { reason } = end
  // First, because nothing behind a link that leads in a circle can be looked at.
  const moved = await retryOnce(() => clearOwnPlace(work))
  if ((await retryOnce(() => layout.files.stat(layout.applied(entry.uuid)))) !== null) throw neitherWay(entry, reason)
  const last = await lastDeclinedOf(end, entry, work)
  const policy = reason.kind === 'conflict' || !talk.present ? 'keep' : 'rescue'
  await keepPlan(entry, work)
  if (work.reached.written) await retryOnce(() => mendStage(stage))
  await retryOnce(() => unmarkOpen(entry, work))
  const tookEdits = reason.kind === 'conflict' || reason.kind === 'failed'
  const conflicts = new Set(reason.kind === 'conflict' ? reason.paths : [])
  const restoration = await restore(entry, layout, {
    policy,
    tookEdits,
    conflicts,
    mergesOut: policy === 'rescue' && !tookEdits,
  })
  await rememberEnd(last, reason, work, entry.asked ?? hashOperations(entry.operations))
  return { ...restoration, rescued: [...moved, ...restoration.rescued] }
}

/** The commit could not be synced, and its rename could not be taken back: a power cut may still undo it. */
function neitherWay({ number }: Entry, reason: RollbackReason): RelayError {
  const cause = reason.kind === 'failed' ? reason.error : undefined
  const why = cause === undefined ? '' : `: ${cause.message}`
  return new RelayError('unfinished', `The files of #${number} are changed, but the disk does not confirm it${why}`, {
    hint: REMEDY,
    cause,
  })
}

/** Ends a transaction that has not touched any file. */
export async function endUntouched(end: RollBack, { patch, flags }: Plan, work: Running): Promise<Outcome> {
  const last = await lastDeclinedOf(end, { operations: patch.operations, flags }, work)
  await rememberEnd(last, end.reason, work, hashOperations(patch.operations))
  await removeStage(work.stage).catch(() => undefined)
  return rolledBack(end.reason, untouched, work)
}

function rolledBack(reason: RollbackReason, restoration: Restoration, { job, stopwatch }: Running): Outcome {
  return { kind: 'rolled-back', number: job.number, reason, restoration, ms: stopwatch.ms }
}

/**
 * The history is a cache, and the last declined response a convenience: a full disk must not keep a rollback open. Each
 * is tried by itself, for the disk may have room for a line and not for the response.
 */
async function rememberEnd(
  last: LastDeclined | undefined,
  reason: RollbackReason,
  work: Running,
  operations: string,
): Promise<void> {
  const { job, journal, stage, system } = work
  const at = system.clock.now().toISOString()
  const { number, uuid, modelUuid, title } = job
  const noResponse = job.response === undefined || undefined
  const outcome = reason.kind === 'declined' ? 'declined' : 'rolled-back'
  if (last !== undefined) {
    await writeLastDeclined(last, stage)
      .then(() => keepDeclined(number, stage.layout))
      .catch(() => undefined)
  }
  await journal.remember({ number, uuid, modelUuid, at, outcome, operations, title, noResponse }).catch(() => undefined)
}
