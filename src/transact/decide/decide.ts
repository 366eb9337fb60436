import type { Reason } from '../../model/check.ts'
import type { Entry } from '../../model/entry.ts'
import type { Answer } from '../../model/talk.ts'
import { isGone } from '../disk/is-gone.ts'
import { commit, endingOf } from '../end/commit.ts'
import { entryWithout } from '../entry/entry-without.ts'
import { type Move, movesOf } from '../entry/moves.ts'
import { writeEntry } from '../entry/write-entry.ts'
import type { Pending } from '../execute/commit-plan.ts'
import { removeAsides, removedStage } from '../layout/stage.ts'
import { putOriginalsAside } from '../restore/restore-move.ts'
import { type Result, secure, verify } from '../run/verify.ts'
import { changesOf, differences, hashesIn, lookAt, plannedPlaces, statesIn } from '../survey/places.ts'
import { type Decision, interrupted, type Kept, type RollBack, rollBackBecause } from '../work/decision.ts'
import { reopen, unmarkOpen } from '../work/held-entry.ts'
import type { Running } from '../work/work.ts'
import { chooseFiles } from './choose-files.ts'
import { judge } from './gate.ts'
import { leaveOpen } from './held-question.ts'

export interface Review extends Omit<Result, 'kind'> {
  readonly kind: 'review'
  /** Paths that the user left out: they are as before the change. */
  readonly leftOut: ReadonlySet<string>
  /** Paths that were edited by hand after the check. */
  readonly edited: readonly string[]
  /** Paths that were edited by hand since relay wrote them, checked since or not. */
  readonly byHand: ReadonlySet<string>
}

/**
 * Decides about a patch whose files are changed and checked: by itself where nothing speaks against it, else with the
 * user, who may choose files, edit them and have them checked again before the last word.
 */
export async function decide(pending: Pending, begun: Review, begunWork: Running): Promise<Decision> {
  let review = begun
  let work = begunWork
  for (let asked = pending.entry.held === true; ; asked = true) {
    const reasons = reasonsToAsk(pending, review, work)
    // The user agreed to an undo before it began.
    const by = work.job.undoes === undefined ? 'auto' : 'user'
    if (reasons.length === 0 && !asked) return keep(pending, review, by, work)
    const isRule = work.job.project.config.approval === 'never' && !asked
    if (isRule) return rollBackBecause({ kind: 'declined', byRule: reasons }, review)
    const answer = await ask(pending, review, reasons, work)
    work = withConfig(answer, work)
    if (!needsRollback(answer) && (await isGone(work.stage.staged, work.layout.files))) {
      throw removedStage('relay waited for you', 'Next time leave that folder alone, for example with')
    }
    const next = await follow(answer, pending, review, reasons, work)
    if (next.kind !== 'review') return next
    review = next
  }
}

/** From here on the configuration counts that the user has corrected meanwhile. */
function withConfig(answer: Answer, work: Running): Running {
  if (typeof answer !== 'object' || !('again' in answer)) return work
  const { job } = work
  return { ...work, job: { ...job, project: { ...job.project, config: answer.again } } }
}

function reasonsToAsk({ entry }: Pending, review: Review, { job }: Running): readonly Reason[] {
  const { leftOut, checks, post, places, edited } = review
  const missing = split(entry, leftOut).stays.flatMap(({ path, after }) => {
    return after !== null && places.get(path) === null ? [path] : []
  })
  const verdict = judge({
    config: job.project.config,
    checks,
    flags: entryWithout(leftOut, entry).flags,
    post,
    reused: job.reused,
    needsTests: job.needsTests,
    also: [
      ...(missing.length > 0 ? [{ kind: 'missing', paths: missing } as const] : []),
      ...job.doubts,
      ...(edited.length > 0 ? [{ kind: 'unchecked-edits', paths: edited } as const] : []),
    ],
  })
  return verdict.kind === 'ask' ? verdict.reasons : []
}

function ask({ entry }: Pending, review: Review, reasons: readonly Reason[], work: Running): Promise<Answer> {
  const { job, layout, talk, stopwatch } = work
  const { stays, out } = split(entry, review.leftOut)
  return stopwatch.without(() =>
    talk.ask({
      kind: 'gate',
      number: entry.number,
      title: job.title,
      root: layout.root,
      reasons,
      changes: changesOf(stays, review.places),
      leftOut: changesOf(out, plannedPlaces(out)),
      checks: review.checks,
      reasoning: entry.reasoning,
      canFollowUp: job.response !== undefined,
      held: entry.held === true,
    }),
  )
}

/** These answers need nothing from the disk. */
function needsRollback(answer: Answer): boolean {
  return (
    answer === 'no' ||
    (typeof answer === 'object' && 'followUp' in answer) ||
    answer === 'unasked' ||
    answer === 'not-accepted' ||
    answer === 'closed'
  )
}

/** An answer leads to one of the ends, or to another question. */
async function follow(
  answer: Answer,
  pending: Pending,
  review: Review,
  reasons: readonly Reason[],
  work: Running,
): Promise<Decision | Review> {
  const { checks, post, byHand, left } = review
  if (answer === 'yes') return keepAsSeen(pending, review, work)
  const stopped = interrupted(work)
  if (stopped !== undefined) return rollBackBecause(stopped.reason, review)
  if (typeof answer === 'object') {
    if ('choose' in answer) return choose(answer.choose, pending, review, work)
    if ('again' in answer) return check(pending, await lookAgain(pending, review, work), work)
    return rollBackBecause({ kind: 'declined', followUp: answer.followUp }, review)
  }
  switch (answer) {
    case 'no':
      return rollBackBecause({ kind: 'declined' }, review)
    case 'unasked':
      return rollBackBecause({ kind: 'unasked', reasons }, review)
    case 'not-accepted':
      return rollBackBecause({ kind: 'not-accepted', reasons }, review)
    case 'closed':
      return rollBackBecause({ kind: 'unasked', reasons, closed: true }, review)
    case 'again':
      return check(pending, await lookAgain(pending, review, work), work)
    case 'edited':
      return checkIfEdited(pending, review, work)
    case 'hold': {
      const { response, title, reused, doubts } = work.job
      const changed = { byHand: [...byHand], whileChecked: [...left.keys()] }
      await leaveOpen(pending, { response, title, reused, doubts, checks, post, ...changed }, review.places, work)
      return { kind: 'held' }
    }
  }
}

/** Nothing is kept that nobody has seen: what was changed by hand since the question is named, and asked about. */
async function keepAsSeen(pending: Pending, review: Review, work: Running): Promise<Kept | Review> {
  // In a folder of relay's own, what is kept is what was checked, whatever lies there now.
  if (work.job.isAlone === true) return keep(pending, review, 'user', work)
  const seen = await lookAgain(pending, review, work)
  return seen === review ? keep(pending, review, 'user', work) : seen
}

/** Answers the same review if nothing was edited by hand since the last look. */
async function lookAgain({ entry }: Pending, review: Review, work: Running): Promise<Review> {
  const { stays } = split(entry, review.leftOut)
  const places = await lookAt(stays, work.layout)
  const edited = differences(hashesIn(review.places), hashesIn(places))
  if (edited.length === 0) return review
  await secure(stays, places, work)
  work.talk.report({ kind: 'edited', paths: edited })
  return {
    ...review,
    places,
    edited: [...new Set([...review.edited, ...edited])],
    byHand: new Set([...review.byHand, ...edited]),
  }
}

async function checkIfEdited(pending: Pending, review: Review, work: Running): Promise<RollBack | Review> {
  const seen = await lookAgain(pending, review, work)
  if (seen !== review) return check(pending, seen, work)
  work.talk.report({ kind: 'edited', paths: [] })
  return review
}

async function check({ entry }: Pending, review: Review, work: Running): Promise<RollBack | Review> {
  const result = await verify(split(entry, review.leftOut).stays, review.checks.before, work, true)
  if (result.kind === 'back') return result
  const { leftOut, byHand } = review
  // The files as the commands left them this time hold the user's edits from before.
  const left = new Map([...result.left, ...review.left])
  return { ...result, kind: 'review', leftOut, edited: [], byHand, left }
}

/** Leaves on the disk what the user chose, and checks that; to choose no file is a no. */
async function choose(
  paths: readonly string[],
  pending: Pending,
  review: Review,
  work: Running,
): Promise<RollBack | Review> {
  const { entry } = pending
  const chosen = new Set(paths)
  const seen = await lookAgain(pending, review, work)
  const { stays, out } = split(entry, review.leftOut)
  const takeOut = stays.filter(({ path }) => !chosen.has(path))
  const bringBack = out.filter(({ path }) => chosen.has(path))
  if (takeOut.length === stays.length && bringBack.length === 0) return rollBackBecause({ kind: 'declined' }, review)
  if (takeOut.length === 0 && bringBack.length === 0) return seen
  await unmarkOpen(entry, work)
  const { rescued, blocked } = await chooseFiles({ takeOut, bringBack }, entry, work.layout)
  await reopen(entry, work)
  const leftOut = new Set([...out, ...takeOut].map(({ path }) => path))
  for (const { path } of bringBack) if (!blocked.includes(path)) leftOut.delete(path)
  const of = stays.length + out.length
  work.talk.report({ kind: 'chosen', files: of - leftOut.size, of, rescued, blocked })
  if (leftOut.size === of) return rollBackBecause({ kind: 'declined' }, review)
  const left = new Map([...seen.left].filter(([path]) => !leftOut.has(path)))
  return check(pending, { ...seen, leftOut, left }, work)
}

/** Commits; the entry holds only what stays. */
async function keep(pending: Pending, review: Review, by: 'auto' | 'user', work: Running): Promise<Kept> {
  const { leftOut, checks, byHand } = review
  // An edit that the user made while the linter ran is theirs alone: they may not even know of this patch yet.
  const places = new Map([...review.places, ...review.left])
  const { held, ...whole } = pending.entry
  const { stays, out } = split(whole, leftOut)
  const entry = entryWithout(leftOut, whole)
  // The entry will not name these files, so an original is put aside if a command or the user has replaced it since.
  const replaced = await putOriginalsAside(out, whole, work.layout)
  // Nobody who clears up later would find these: the entry does not name them.
  await removeAsides(work.stage, out)
  const isWhole = leftOut.size === 0 && held === undefined
  const bytes = isWhole ? pending.bytes : writeEntry(entry)
  const ending = endingOf(checks, stays, places, { by, at: work.system.clock.now(), byHand })
  await commit(bytes, entry.uuid, ending, work)
  work.job.onKept?.(statesIn(stays, places))
  return { kind: 'kept', by, entry: { ...entry, ...ending }, checks, replaced }
}

function split(entry: Entry, leftOut: ReadonlySet<string>): { readonly stays: Move[]; readonly out: Move[] } {
  const moves = movesOf(entry)
  return {
    stays: moves.filter(({ path }) => !leftOut.has(path)),
    out: moves.filter(({ path }) => leftOut.has(path)),
  }
}
