import { basename, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { shellWord } from '../../ground/shell-word.ts'
import { makeFolders } from '../../make-folders.ts'
import type { Entry, Outcome, Plan, Rescue, Restoration, RollbackReason } from '../../model.ts'
import { isGone, isTaken } from '../disk/is-gone.ts'
import { twice } from '../disk/twice.ts'
import { hashOperations, sha256 } from '../entry/hash.ts'
import { movesOf } from '../entry/moves.ts'
import { writeEntry } from '../entry/write-entry.ts'
import { type LastDeclined, writeLastDeclined } from '../journal/last-declined.ts'
import type { Layout } from '../layout/layout.ts'
import { mendStage, removeStage } from '../layout/stage.ts'
import { ensureStateFolder } from '../layout/state-folder.ts'
import { setBeside } from '../restore/put-aside.ts'
import { orUnfinished, restore, untouched } from '../restore/restore.ts'
import type { Back } from '../work/decision.ts'
import type { Work } from '../work/work.ts'
import { clearUpRestored } from './clear-up.ts'
import { noteAttempt } from './note-attempt.ts'

/**
 * Restores first and clears up after. Throws `unfinished` where that does not come to its end: then the entry stays, and the
 * message names what is restored and what is not.
 */
export async function rollBack(entry: Entry, end: Back, work: Work): Promise<Outcome> {
  const restoration = await orUnfinished(entry, () => goBack(entry, end, work))
  await clearUpRestored(entry, work.stage)
  return rolledBack(end.reason, restoration, work)
}

async function goBack(entry: Entry, end: Back, work: Work): Promise<Restoration> {
  const { layout, stage, talk } = work
  const { reason } = end
  if ((await twice(() => layout.files.stat(layout.applied(entry.uuid)))) !== null) throw neitherWay(entry, reason)
  const last = await noteAttempt(end, entry, work)
  const policy = reason.kind === 'conflict' || !talk.present ? 'keep' : 'rescue'
  const moved = await twice(() => clearOwnPlace(work))
  await twice(() => rewritePlan(entry, work)).catch(error => keepPlanOutside(entry, error, work))
  if (work.reached.written) await twice(() => mendStage(stage))
  const times = work.known.hasFound ? await timesInStage(entry, work) : undefined
  const tookEdits = reason.kind === 'conflict' || reason.kind === 'failed'
  const restoration = await restore(entry, layout, { policy, tookEdits })
  await rememberBack(last, reason, work, entry.asked ?? hashOperations(entry.operations))
  if (times !== undefined) await work.known.rememberBack(times)
  await work.known.save(stage)
  return { ...restoration, rescued: [...moved, ...restoration.rescued] }
}

/** When the files that come back to their places were changed last. */
async function timesInStage(entry: Entry, { stage, layout }: Work): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  for (const move of movesOf(entry)) {
    const stat = await layout.files.stat(stage.old(move)).catch(() => null)
    if (stat !== null) times.set(move.target, stat.modifiedMs)
  }
  return times
}

/**
 * What has taken the place of relay's own folder (a link, a file) goes beside it: relay follows no link, and needs a place
 * for what going back rests on. Nothing of it is lost, and it is named.
 */
async function clearOwnPlace({ layout }: Work): Promise<readonly Rescue[]> {
  if (!(await isTaken(layout.folder, layout.files))) return []
  const path = basename(layout.folder)
  const place = await setBeside(layout.folder, { target: path }, layout)
  return [{ path, rescue: basename(place) }]
}

/**
 * Where somebody has removed the entry and the stage meanwhile (`git clean -X`), what is in memory is all there is to go
 * back by: so that it outlives a crash, it goes to the disk again first.
 */
async function rewritePlan(entry: Entry, { layout, stage, reached }: Work): Promise<void> {
  const { files } = layout
  const sign = reached.written ? stage.staged : stage.folder
  if (!(await isGone(sign, files)) || !(await isGone(layout.pending(entry.uuid), files))) return
  if ((await files.stat(layout.root)) === null) throw projectGone(entry, layout)
  await ensureStateFolder(layout)
  const plan = Buffer.from(writeEntry(entry))
  await files.replace(layout.pending(entry.uuid), plan, layout.spare, { mode: 0o600 })
}

/**
 * What is in memory is the last of the originals, and the project's disk takes no name for it any more: it goes to what is
 * the user's own, which is often on another disk. Where that fails as well they are lost, and are named.
 */
async function keepPlanOutside(entry: Entry, error: Error, { layout, system }: Work): Promise<never> {
  const { files } = layout
  const pending = layout.pending(entry.uuid)
  const isOpen = error instanceof RelayError && error.kind === 'unfinished'
  if (isOpen || !(await isGone(pending, files))) throw error
  const message = `#${entry.number} could not be taken back to its end: ${error.message}`
  let saved: string
  try {
    if (system.stateFolder === undefined) throw error
    // Models invent uuids: another project may have the same one there.
    const project = sha256(layout.root).slice(0, 8)
    saved = join(await makeFolders(system.stateFolder, files), `${project}.${basename(pending)}`)
    await files.replace(saved, Buffer.from(writeEntry(entry)), `${saved}.new`, { mode: 0o600 })
  } catch {
    const paths = movesOf(entry).flatMap(({ path, before }) => (before.kind === 'absent' ? [] : [path]))
    throw new RelayError(
      'unfinished',
      [message, 'Lost with .relaycode/ are the originals of', ...paths.map(path => `  ${path}`)].join('\n'),
      {
        hint: 'Look for them in git, in a backup, or in an editor that still has them open.',
        cause: error,
      },
    )
  }
  throw new RelayError('unfinished', message, {
    hint: `The originals are safe in ${saved}. Make room, then: \`mkdir -p .relaycode && mv ${shellWord(saved)} .relaycode/${basename(pending)} && relay recover\``,
    cause: error,
  })
}

/** It may have been moved with all that is in it, so no other is made in its place. */
function projectGone({ number }: Entry, { root }: Layout): RelayError {
  return new RelayError('unfinished', `#${number} could not be taken back to its end: ${root} is gone`, {
    hint: 'If the project was moved, run `relay recover` where it is now.',
  })
}

/** The commit could not be brought to the disk, and its rename could not be taken back: it stands, and may yet fall. */
function neitherWay({ number }: Entry, reason: RollbackReason): RelayError {
  const cause = reason.kind === 'failed' ? reason.error : undefined
  const why = cause === undefined ? '' : `: ${cause.message}`
  return new RelayError('unfinished', `The files of #${number} are changed, but the disk does not confirm it${why}`, {
    hint: 'Remove the cause, then run `relay recover`.',
    cause,
  })
}

/** The end of a transaction that had not come to touch anything. */
export async function endUntouched(end: Back, { patch, flags }: Plan, work: Work): Promise<Outcome> {
  const last = await noteAttempt(end, { operations: patch.operations, flags }, work)
  await rememberBack(last, end.reason, work, hashOperations(patch.operations))
  await work.known.save(work.stage)
  await removeStage(work.stage)
  return rolledBack(end.reason, untouched, work)
}

function rolledBack(reason: RollbackReason, restoration: Restoration, { job, stopwatch }: Work): Outcome {
  return { kind: 'rolled-back', number: job.number, reason, restoration, ms: stopwatch.ms }
}

/**
 * The history is a cache, and the last declined response a convenience: a full disk must not keep a rollback open. It may
 * have no room for the response, and still for a line.
 */
async function rememberBack(
  last: LastDeclined | undefined,
  reason: RollbackReason,
  work: Work,
  operations: string,
): Promise<void> {
  const { job, journal, stage, system } = work
  const at = system.clock.now().toISOString()
  const { number, uuid, title } = job
  const modelUuid = job.modelUuid === undefined ? {} : { modelUuid: job.modelUuid }
  const outcome = reason.kind === 'declined' ? 'declined' : 'rolled-back'
  if (last !== undefined) await writeLastDeclined(last, stage).catch(() => undefined)
  await journal.remember({ number, uuid, ...modelUuid, at, outcome, operations, title }).catch(() => undefined)
}
