import type { Check, Entry, Outcome, Plan } from '../model.ts'
import type { Files, System, Talk } from '../ports.ts'
import { carryOut } from './carry-out.ts'
import { clearUp, endUntouched, rollBack } from './ends.ts'
import type { Journal } from './journal.ts'
import type { Layout } from './layout.ts'
import { movesOf } from './moves.ts'
import { entryOf } from './new-entry.ts'
import { prepare, withoutFlags } from './prepare.ts'
import { removeStage, stageOf } from './stage.ts'
import { type Back, back, type Job, type Work } from './work.ts'

/**
 * Carries a plan from "nothing has changed" to one of two ends: it stays, or it never happened.
 *
 * The order is the safety: what is needed for going back is on the disk before the first file changes, and nothing is
 * said to be kept before the rename that keeps it is on the disk. The caller holds the lock and has recovered.
 */
export async function transact(
  job: Job,
  layout: Layout,
  journal: Journal,
  files: Files,
  system: System,
  talk: Talk,
): Promise<Outcome> {
  const stage = stageOf(layout, job.uuid)
  const work: Work = { job, layout, stage, journal, files, system, talk, began: system.clock.monotonic() }
  talk.report({
    kind: 'begun',
    number: job.number,
    uuid: job.uuid,
    title: job.title,
    changes: job.plan.changes,
    at: system.clock.now(),
  })

  let prepared: { readonly entry: Entry; readonly plan: Plan; readonly before: Check }
  try {
    await files.makeFolder(stage.folder, 0o700)
    const ready = await prepare(work)
    if (ready.kind === 'back') return await endUntouched(ready.reason, work)
    const planned = await job.replan()
    if (planned.kind === 'refused') {
      await removeStage(stage, files)
      return planned
    }
    const plan = withoutFlags(planned.plan, ready.cleared)
    prepared = { entry: entryOf(plan, work), plan, before: ready.before }
  } catch (error) {
    await removeStage(stage, files).catch(() => undefined)
    throw error
  }

  const { entry } = prepared
  const end = await carryOut(prepared, work).catch(asFailure)
  if (end.kind === 'back') return rollBack(entry, end.reason, end.checks, work)
  await clearUp(entry, work)
  return {
    kind: 'committed',
    number: entry.number,
    uuid: entry.uuid,
    by: end.by,
    files: movesOf(entry).length,
    checked: end.checks.after.kind === 'counted',
    ...(end.checks.comparison === undefined ? {} : { newErrors: end.checks.comparison.new }),
    ms: system.clock.monotonic() - work.began,
  }
}

function asFailure(error: unknown): Back {
  return back({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
}
