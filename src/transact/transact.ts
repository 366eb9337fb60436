import type { Check, Entry, Outcome } from '../model.ts'
import { conclude } from './end/conclude.ts'
import { endUntouched } from './end/roll-back.ts'
import { carryOut } from './execute/commit-plan.ts'
import { entryOf } from './execute/new-entry.ts'
import { beginUnfinished, noteAllEnded } from './journal/unfinished.ts'
import { removeStage } from './layout/stage.ts'
import { prepare } from './prepare.ts'
import { asFailure, begin, type Job, type Site, type Work } from './work/work.ts'

/**
 * Carries a plan from "nothing has changed" to one of two ends: it stays, or it never happened. (Or to neither, when
 * the user leaves the question open.)
 *
 * The order is the safety: what is needed for going back is on the disk before the first file changes, and nothing is
 * said to be kept before the rename that keeps it is on the disk. Nothing else is unfinished when it begins.
 */
export async function transact(job: Job, site: Site): Promise<Outcome> {
  const { layout } = site
  await beginUnfinished(layout)
  const outcome = await bringToEnd(job, begin(job, site))
  await noteAllEnded(job.uuid, layout)
  return outcome
}

async function bringToEnd(job: Job, work: Work): Promise<Outcome> {
  const { stage, layout, system, talk } = work
  const { number, uuid, title } = job
  const cameByItself = job.source === 'clipboard' || job.source === 'paste'
  const at = cameByItself ? system.clock.now() : undefined
  talk.report({ kind: 'begun', number, uuid, title, changes: job.plan.changes, at })

  let entry: Entry
  let before: Check
  try {
    await layout.files.makeFolder(stage.folder, 0o700)
    const ready = await system.trace.span('prepare', () => prepare(job, work))
    if (ready.kind === 'back') return await endUntouched(ready, job.plan, work)
    if (ready.kind === 'refused') {
      await removeStage(stage)
      return ready
    }
    entry = entryOf(ready.plan, work)
    before = ready.before
  } catch (error) {
    await removeStage(stage).catch(() => undefined)
    throw error
  }
  const end = await carryOut(entry, before, work).catch(asFailure)
  return system.trace.span('conclude', () => conclude(entry, end, work))
}
