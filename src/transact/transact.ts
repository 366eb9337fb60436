import { countFiles } from '../lines/find-renames.ts'
import type { Entry } from '../model/entry.ts'
import type { Outcome } from '../model/talk.ts'
import { decide } from './decide/decide.ts'
import { conclude } from './end/conclude.ts'
import { endUntouched } from './end/roll-back.ts'
import { movesOf } from './entry/moves.ts'
import { commitPlan } from './execute/commit-plan.ts'
import { execute } from './execute/execute.ts'
import { entryOf } from './execute/new-entry.ts'
import { beginUnfinished, noteAllEnded } from './journal/unfinished.ts'
import { removeStage } from './layout/stage.ts'
import { forgetBegun } from './lock/begun-here.ts'
import { type Prepared, prepare } from './prepare.ts'
import { verify } from './run/verify.ts'
import { asFailure, asInterruption, type Decision, interrupted, rollBackBecause } from './work/decision.ts'
import { begin, type Job, type OpenProject, type Running } from './work/work.ts'

/**
 * Carries a plan from "nothing has changed" to one of two ends: it stays, or it never happened. (Or to neither, when the user
 * leaves the question open.)
 *
 * The order makes it safe: everything needed for a rollback is on the disk before the first file changes, and relay does not
 * call a change kept before the rename that keeps it is on the disk. No other transaction is unfinished when this one begins.
 *
 * Throws the signal's name, and does not begin, when relay was interrupted before.
 */
export async function transact(job: Job, site: OpenProject): Promise<Outcome> {
  const { layout } = site
  await beginUnfinished(layout)
  // A signal that came while a large plan was made is noticed only here.
  site.system.interruption.throwIfAborted()
  const outcome = await bringToEnd(job, begin(job, site))
  if (outcome.kind !== 'held') await forgetBegun(job.uuid, layout, site.system)
  await noteAllEnded(job.uuid, layout)
  return outcome
}

async function bringToEnd(job: Job, work: Running): Promise<Outcome> {
  const { stage, layout, system, talk } = work
  const { number, uuid, title } = job
  const cameByItself = job.source === 'clipboard' || job.source === 'paste'
  const at = cameByItself ? system.clock.now() : undefined
  talk.report({ kind: 'begun', number, uuid, title, changes: job.plan.changes, at })

  let entry: Entry
  let ready: Prepared
  try {
    await layout.files.makeFolder(stage.folder, 0o700)
    const found = await system.trace
      .span('prepare', () => prepare(job, work))
      .catch(error => asInterruption(error, work))
    if (found.kind === 'back') return await endUntouched(found, job.plan, work)
    if (found.kind === 'refused') {
      await removeStage(stage).catch(() => undefined)
      return found
    }
    ready = found
    entry = entryOf(ready.plan, work)
  } catch (error) {
    await removeStage(stage).catch(() => undefined)
    throw error
  }
  const end = await carryOut(entry, ready, work).catch(asFailure)
  return system.trace.span('conclude', () => conclude(entry, end, work))
}

/** From the pending entry to the commit. The caller rolls back every result other than a commit or `held`. */
async function carryOut(entry: Entry, { plan, before }: Prepared, work: Running): Promise<Decision> {
  const { stage, system, talk } = work
  const pending = await system.trace.span('pending entry', () => commitPlan(entry, work))
  const stopped = interrupted(work)
  if (stopped !== undefined) return stopped
  const moves = movesOf(pending.entry)

  talk.report({ kind: 'step-started', step: 'write', command: '' })
  const began = system.clock.monotonic()
  const conflicts = await system.trace.span('execute', () => execute(moves, pending.entry, stage))
  work.reached.written = true
  if (conflicts.length > 0) return rollBackBecause({ kind: 'conflict', paths: conflicts })
  talk.report({ kind: 'written', files: countFiles(plan.changes), ms: system.clock.monotonic() - began })

  const result = await system.trace.span('verify', () => verify(moves, before, work))
  if (result.kind === 'back') return result
  const review = {
    ...result,
    kind: 'review',
    leftOut: new Set<string>(),
    edited: [],
    byHand: new Set<string>(),
  } as const
  return system.trace.span('decide', () => decide(pending, review, work))
}
