import type { Check } from '../../model/check.ts'
import type { Entry } from '../../model/entry.ts'
import type { Project } from '../../model/project.ts'
import type { Outcome } from '../../model/talk.ts'
import { titleOfEntry } from '../../model/title.ts'
import type { System, Talk } from '../../ports.ts'
import { decide, type Review } from '../decide/decide.ts'
import { type OpenQuestion, readQuestion } from '../decide/held-question.ts'
import { conclude } from '../end/conclude.ts'
import { movesOf } from '../entry/moves.ts'
import { Journal } from '../journal/journal.ts'
import { readPending } from '../journal/read-pending.ts'
import { type Layout, stateNames } from '../layout/layout.ts'
import { mendStage, stageOf } from '../layout/stage.ts'
import { notedWritten } from '../layout/stage-notes.ts'
import { forgetBegun, wasStartedHere } from '../lock/begun-here.ts'
import { findSwapped } from '../restore/evidence.ts'
import { endOutlived } from '../run/run-command.ts'
import { differences, hashesIn, lookAt, plannedPlaces } from '../survey/places.ts'
import { asFailure } from '../work/decision.ts'
import { begin, type Running } from '../work/work.ts'

/**
 * Asks once more about each transaction that was left open with `q`, as if it had just been checked, and answers how
 * each ended. The caller holds the lock. Where nobody can be asked they are left as they are, and a recovery says so.
 */
export async function resumeHeld(
  project: Project,
  layout: Layout,
  system: System,
  talk: Talk,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  if (!talk.present) return outcomes
  for (const { kind, uuid } of await stateNames(layout)) {
    const entry = kind === 'pending' ? await readPending(uuid, layout) : undefined
    if (entry?.held !== true || !(await wasStartedHere(uuid, layout, system))) continue
    const outcome = await resume(entry, project, layout, system, talk)
    if (outcome.kind !== 'held') await forgetBegun(uuid, layout, system)
    outcomes.push(outcome)
    talk.report({ kind: 'resumed', outcome })
  }
  return outcomes
}

async function resume(entry: Entry, project: Project, layout: Layout, system: System, talk: Talk): Promise<Outcome> {
  const { number, uuid, modelUuid, source, undoes } = entry
  const stage = stageOf(layout, uuid)
  // A relay may have been killed while it checked this once more.
  await endOutlived(stage, system.shell)
  await mendStage(stage)
  const question = await readQuestion(stage)
  const { response, title, reused, doubts } = question ?? {
    response: undefined,
    title: titleOfEntry(entry),
    reused: undefined,
    doubts: [],
  }
  const work = begin(
    { project, source, response, undoes, number, uuid, modelUuid, title, reused, doubts },
    { layout, journal: await Journal.open(layout, { system, talk }), system, talk },
  )
  work.reached.written = true
  const review = await reviewOf(entry, question, work)
  const end = await decide({ entry, bytes: new Uint8Array() }, review, work).catch(asFailure)
  // The user gave no answer, so it stays as it was.
  const isLeft = end.kind === 'back' && (end.reason.kind === 'interrupted' || end.reason.kind === 'unasked')
  return conclude(entry, isLeft ? { kind: 'held' } : end, work)
}

async function reviewOf(entry: Entry, question: OpenQuestion | undefined, work: Running): Promise<Review> {
  const { layout, stage } = work
  const stays = await findSwapped(entry, layout)
  const paths = new Set(stays.map(({ path }) => path))
  const places = await lookAt(stays, layout)
  const noted = await notedWritten(stage)
  const edited = noted === undefined ? [] : differences(noted, hashesIn(places))
  const checks = question?.checks ?? { before: unknown, after: unknown, comparison: undefined }
  // A check that was cut short says nothing, and the one before it is out of date.
  const isCutShort = noted === undefined && checks.after.kind !== 'unchecked'
  const whileChecked = new Set(question?.whileChecked)
  return {
    kind: 'review',
    checks: isCutShort ? { ...checks, after: unknown, comparison: undefined } : checks,
    post: question?.post,
    places,
    leftOut: new Set(movesOf(entry).flatMap(({ path }) => (paths.has(path) ? [] : [path]))),
    edited,
    byHand: new Set([...(question?.byHand ?? []), ...edited]),
    // How a command had left them is no longer known.
    left: plannedPlaces(stays.filter(({ path }) => whileChecked.has(path))),
  }
}

const unknown: Check = { kind: 'uncounted', why: 'relay no longer has the result of the check', output: '' }
