import { RelayError } from '../../errors.ts'
import { someOf } from '../../ground/words.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { AboutKept } from '../../model/kept.ts'
import type { AttemptFacts, NextAttempt, Stopped, TaskEnd, TaskResult } from '../../model/task.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { mostNamed } from './attempt.ts'
import { changesOfBooks } from './book-files.ts'
import { isOver } from './is-over.ts'
import { dropKept, keepWork } from './kept-work.ts'
import type { LandingAttempt, LandingEnd, LandingPlace } from './land.ts'
import { putBack } from './steering.ts'
import type { WorkCheckout } from './work-checkout.ts'
import { forgetWork, type WorkNote } from './work-note.ts'
import { limitReached, noteStep, type RunParts, StopRun } from './work-parts.ts'

/** Facts about an attempt that does not count. */
interface NotCounted {
  /** Another attempt would not get further. */
  readonly isFinal?: boolean
  /** Its work cannot be read. */
  readonly isUntakable?: boolean
  readonly toldBy?: 'turn' | 'checks'
  /** The user, the checks or the path policy refuse it. The same refusal twice in a row ends the task. */
  readonly isNo?: boolean
}

type Refused = Omit<Extract<LandingEnd, { kind: 'no' }>, 'isFinal'> & {
  readonly isFinal: boolean
  /** The id of the landing that was refused. */
  readonly landingId: string | undefined
}

/** An attempt from the end of its turn on: whether it counts, how it lands, and what becomes of the work where it does not. */
export class Settling {
  readonly #parts: RunParts
  readonly #checkouts: WorkCheckout

  constructor(parts: RunParts, checkouts: WorkCheckout) {
    this.#parts = parts
    this.#checkouts = checkouts
  }

  /** Judges the work of a finished turn, and lands it where it counts. */
  async judge(note: WorkNote, checkout: Checkout, facts: AttemptFacts): Promise<WorkNote | StopRun> {
    const { book, landing, options, doors, step } = this.#parts
    const { task, turn } = note
    if (turn === undefined) return note
    const made = await step('take the changes', () => takenFrom(checkout))
    if ('why' in made) return this.#again(note, made.why, [], { isUntakable: true })
    // A new agent may get further with the files that exist now.
    const isFinal = turn.status === 'overflow' && book.stuck === undefined
    if (!(await isOver(turn, book, task, facts)))
      return this.#again(note, turn.why, made.changes, { isFinal, toldBy: 'turn' })
    if (made.outside.length > 0 && book.isPlanning !== true)
      return this.#again(note, outsideWhy(made.outside), made.changes)
    const ofBooks = await changesOfBooks(made.changes, book, facts.cwd, doors.system)
    const toSettle = made.changes.filter(({ path }) => !ofBooks.has(path))
    const settled = await step('settle the attempt', () => book.settle(task, turn, toSettle, facts))
    if (settled.kind === 'not-done') return this.#again(note, settled.why, made.changes, settled)
    const { changes, title, message, own = [] } = settled
    const dropped = [...made.outside, ...ofBooks, ...(settled.dropped ?? [])]
    if (dropped.length > 0) doors.tell({ kind: 'dropped', paths: dropped })
    if (changes.length === 0) {
      const { overlapped } = note
      if (overlapped !== undefined) {
        const why = `It overlapped with edits of the user's, and the next turn changed nothing`
        return noteStep('note the failure', { ...note, failed: { why, kept: overlapped } }, this.#parts)
      }
      const landed = { number: undefined, files: 0 }
      return noteStep('note the commit', { ...note, landed, committed: { kind: 'none' } }, this.#parts)
    }
    const paths = changes.map(({ path }) => path)
    const landingNote = note.landing ?? {
      uuid: doors.system.randomUuid(),
      title,
      message,
      paths,
      dirty: (await this.#editedAmong(paths))?.filter(path => !own.includes(path)),
    }
    const noted = await noteStep('note the landing', { ...note, landing: landingNote }, this.#parts)
    const { uuid } = landingNote
    const isStuck = (await book.isStuckAfter?.(task, made.changes)) === true
    let isLast = false
    const attempt: LandingAttempt = {
      isLast: why => {
        isLast = this.#isLast(note, why, isStuck)
        return isLast
      },
      isSecondOverlap: note.overlaps > 0,
    }
    const what = { changes, title, message, uuid, reasoning: turn.text, agent: options.backend.name, attempt }
    const end = await step('land', () => landing.land(what, checkout))
    return this.#landed(noted, end, made.changes, checkout, isLast)
  }

  /** Whether no attempt follows in this run where the work of this one is refused. */
  #isLast({ attempt, before }: WorkNote, why: string, isStuck: boolean): boolean {
    const { book, options, used } = this.#parts
    const { attempts, iterations = Number.POSITIVE_INFINITY } = options.limits
    if (book.stuck !== undefined) return isStuck || used.attempts >= iterations
    return attempt >= attempts || isSameNo(before, why)
  }

  /** Those with edits of the user's that are not committed; `undefined` where nothing will be. */
  async #editedAmong(paths: readonly string[]): Promise<readonly string[] | undefined> {
    const { landing, doors } = this.#parts
    const { edited, uncompared = [] } = (await landing.uncommitted(paths)) ?? {}
    if (uncompared.length > 0) doors.tell({ kind: 'not-compared', paths: uncompared })
    return edited
  }

  async #landed(
    note: WorkNote,
    end: LandingEnd,
    changes: readonly AgentChange[],
    checkout: Checkout,
    isLast: boolean,
  ): Promise<WorkNote | StopRun> {
    if (end.kind === 'interrupted') return new StopRun({ kind: 'interrupted' })
    if (end.kind === 'held') return new StopRun({ kind: 'held' })
    const { landing: was, ...rest } = note
    if (end.kind === 'moved') return noteStep('note the attempt', { ...rest, ...behind }, this.#parts)
    if (end.kind === 'no') {
      // Whoever was asked about the last work has had the last word.
      const isFinal = end.isFinal === true || (isLast && this.#parts.book.stuck === undefined)
      return this.#refused(rest, { ...end, isFinal, landingId: was?.uuid }, changes, checkout)
    }
    const { number, files, mixed = [] } = end
    for (const kept of [note.overlapped, note.refused]) {
      if (kept !== undefined) await dropKept(note.root, kept, this.#parts.doors.system)
    }
    const landing = was?.dirty && { ...was, dirty: [...new Set([...was.dirty, ...mixed])] }
    return noteStep('note the landed', { ...note, ...(landing && { landing }), landed: { number, files } }, this.#parts)
  }

  async #refused(
    note: WorkNote,
    end: Refused,
    changes: readonly AgentChange[],
    checkout: Checkout,
  ): Promise<WorkNote | StopRun> {
    const { why, overlap, isFinal, landingId, missing = [] } = end
    if (overlap !== undefined) return this.#afterOverlap(note, landingId, why, changes, checkout, overlap)
    if (end.isUnanswered === true) return this.#unanswered(note, end, changes)
    const also = missing.map(name => `${name} is not installed in your folder: \`checkout.setup\``).join('\n')
    // The screen has shown the checks, but not why they had to fail.
    if (also !== '') return this.#again(note, `${also}\n${why}`, changes, { isFinal, isNo: true })
    return this.#again(note, why, changes, { isFinal, toldBy: 'checks', isNo: true })
  }

  /** Handles work that could not be merged into what is there now. */
  async overlapped(note: WorkNote, paths: readonly string[]): Promise<WorkNote> {
    const checkout = await this.#checkouts.of(note)
    const made = await takenFrom(checkout)
    const { isBehind: _, ...rest } = note
    const why = `Somebody else has changed the same places of ${someOf(paths, mostNamed)} meanwhile.`
    return this.#afterOverlap(rest, note.landing?.uuid, why, 'changes' in made ? made.changes : [], checkout)
  }

  /**
   * Handles work that only a person can agree to, where nobody has answered. The agent is not told: it could only leave out what
   * it was sent for.
   */
  async #unanswered(
    note: WorkNote,
    { why, option }: Refused,
    changes: readonly AgentChange[],
  ): Promise<WorkNote | StopRun> {
    const { book, doors } = this.#parts
    const { task, attempt } = note
    doors.tell({ kind: 'attempt-failed', task, attempt, why, toldBy: 'checks' })
    if (book.stuck === undefined) return this.fail(note, why, changes, option)
    // The turn stays noted: the next run lands its work without another one.
    await noteStep('note the attempt', note, this.#parts)
    return new StopRun({ kind: 'work-left', why: `${task.id}: ${why}`, ...(option !== undefined && { option }) })
  }

  /**
   * Handles work that the user's edits are in the way of: it costs no attempt, and the agent gets the folder as it is now. The
   * work is kept under the id of its landing, so that a relay run that was killed in between does not keep it twice.
   */
  async #afterOverlap(
    note: WorkNote,
    landingId: string | undefined,
    why: string,
    changes: readonly AgentChange[],
    checkout: Checkout,
    yours?: readonly string[],
  ): Promise<WorkNote> {
    if (note.overlaps > 0) {
      const whose =
        yours === undefined ? why : `your edits in ${someOf([...new Set(yours)], mostNamed)} were in the way twice`
      return this.fail(note, whose, changes)
    }
    this.#parts.used.attempts--
    const diff = await checkout.diff()
    const { turn, landing: _landing, checkout: _was, isBegun: _, ...rest } = note
    const { id, title } = note.task
    const about = { book: note.book, task: id, title, agent: note.agent, why, reasoning: turn?.text ?? '' }
    const kept = await this.#keep({ id: landingId, ...about }, changes)
    const overlapped = typeof kept === 'number' ? { overlapped: kept } : {}
    const told = `${why}\nYou work in the folder as it is now. This is what you had changed before:\n\n${diff}`
    return noteStep(
      'note the attempt',
      { ...rest, ...overlapped, overlaps: 1, before: [...note.before, told] },
      this.#parts,
    )
  }

  /**
   * Handles an attempt that does not count. The agent gets the reason, unless it was the last attempt or the same refusal
   * twice.
   */
  async #again(
    note: WorkNote,
    why: string,
    changes: readonly AgentChange[],
    { isFinal = false, isUntakable = false, isNo = false, toldBy }: NotCounted = {},
  ): Promise<WorkNote | StopRun> {
    const { book, doors, options, used } = this.#parts
    const { task, attempt, before } = note
    const { attempts, iterations } = options.limits
    const isSame = isNo && attempt < attempts && isSameNo(before, why)
    const isSpent = book.stuck === undefined && (attempt >= attempts || isSame)
    const isLast = isFinal || isSpent
    const whole = isLast && isUntakable ? `${why}. ${await this.#checkouts.leave(note, why)}` : why
    const stuck = isLast ? undefined : await book.stuck?.(task, why, changes)
    const isTriedAgain = !isLast && stuck === undefined && limitReached(this.#parts) === undefined
    const place = iterations === undefined ? { of: attempts } : { of: iterations, iteration: used.attempts + 1 }
    const next: NextAttempt = { attempt: attempt + 1, ...place }
    doors.tell({
      kind: 'attempt-failed',
      task,
      attempt,
      why: whole,
      toldBy,
      ...(isTriedAgain && { next }),
      ...(isSpent && isSame && { isSame }),
    })
    if (isLast) return this.fail(note, whole, changes)
    const { turn: _, landing: _its, isBegun: _begun, ...rest } = note
    const again = { ...rest, attempt: attempt + 1, overlaps: 0, before: [...before, why], ...(isNo && behind) }
    const noted = await noteStep('note the attempt', again, this.#parts)
    return stuck === undefined ? noted : new StopRun({ kind: 'work-left', why: stuck })
  }

  /** Keeps the work of a task that has failed. */
  async fail(note: WorkNote, why: string, changes: readonly AgentChange[], option?: string): Promise<WorkNote> {
    const { step } = this.#parts
    const { book, task, agent, turn, keeping = this.#parts.doors.system.randomUuid() } = note
    if (note.keeping === undefined) await noteStep('note the last attempt', { ...note, keeping }, this.#parts)
    const about = { id: keeping, book, task: task.id, title: task.title, agent, why, reasoning: turn?.text ?? '' }
    const kept = await step('keep the work', () => this.#keep(about, changes))
    if (kept instanceof RelayError) {
      const whole = `${why}. The work could not be kept: ${kept.message}. ${await this.#checkouts.leave(note, why)}`
      return noteStep(
        'note the failure',
        { ...note, keeping, failed: { why: whole, kept: undefined, option } },
        this.#parts,
      )
    }
    // All of what was refused before is in it.
    if (note.refused !== undefined && kept !== undefined)
      await dropKept(note.root, note.refused, this.#parts.doors.system)
    return noteStep('note the failure', { ...note, failed: { why, kept, option } }, this.#parts)
  }

  async #keep(about: AboutKept, changes: readonly AgentChange[]): Promise<number | undefined | RelayError> {
    const { landing, doors } = this.#parts
    try {
      return await keepWork(landing.root, about, changes, doors.system)
    } catch (error) {
      if (error instanceof RelayError) return error
      throw error
    }
  }

  /** Names the work that was refused last, which the next run goes on with: nobody need run that to have it. */
  async keepRefused(note: WorkNote, stopped: Extract<Stopped, { kind: 'work-left' }>): Promise<Stopped> {
    const { book, task, agent, attempt, before, turn, checkout: ready } = note
    const checkout = this.#checkouts.withId(ready)
    const why = turn === undefined ? before.at(-1) : stopped.why
    if (why === undefined || checkout === undefined || this.#parts.book.isPlanning === true) return stopped
    const made = await takenFrom(checkout)
    // What relay itself wrote there is no work.
    const owns = (path: string) => this.#parts.book.owns?.(path) === true
    if (!('changes' in made) || made.changes.every(({ path }) => owns(path))) return stopped
    const about = { id: `${ready} ${attempt}`, book, task: task.id, title: task.title, agent, why, reasoning: '' }
    const kept = await this.#keep(about, made.changes)
    if (typeof kept !== 'number') return stopped
    if (note.refused !== undefined && note.refused !== kept)
      await dropKept(note.root, note.refused, this.#parts.doors.system)
    await noteStep('note the attempt', { ...note, refused: kept }, this.#parts)
    return { ...stopped, kept, folder: checkout.cwd }
  }

  async commit(note: WorkNote): Promise<WorkNote> {
    const { landing, step } = this.#parts
    const committed = await step('commit', () => this.#commitOf(note, landing))
    return noteStep('note the commit', { ...note, committed }, this.#parts)
  }

  async #commitOf({ landing: note, landed }: WorkNote, landing: LandingPlace) {
    if (note?.dirty === undefined) return { kind: 'none' } as const
    if (note.dirty.length > 0) {
      const why = `${note.dirty.join(', ')} had edits that were not committed`
      return { kind: 'not-committed', why } as const
    }
    return landing.commit(note.paths, note.message, landed?.number)
  }

  async finish(note: WorkNote): Promise<TaskEnd> {
    const { book, folder, doors, step } = this.#parts
    const { task, attempt: attempts, ms, usage } = note
    const end = { task, attempts, ms, usage, result: resultOf(note) }
    await step('write down', () => book.write(end))
    // No turn carried these to its end.
    await putBack(note.said ?? [], folder, doors.system)
    await step('forget the task', () => forgetWork(folder, doors.system))
    return end
  }
}

const behind = { isBehind: true } as const

/** The last reason may have more above it, which the landing has added. */
function isSameNo(before: readonly string[], why: string): boolean {
  return before.at(-1)?.endsWith(why) === true
}

export function resultOf({ failed, landed, committed, turn }: WorkNote): TaskResult {
  if (failed !== undefined) return { kind: 'failed', ...failed, last: turn }
  if (landed === undefined || committed === undefined || landed.files === 0) return { kind: 'done' }
  return { kind: 'landed', landed: { ...landed, committed } }
}

/** The agent's work, or why it cannot be taken. */
export async function takenFrom(
  checkout: Checkout,
): Promise<Awaited<ReturnType<Checkout['changes']>> | { why: string }> {
  try {
    return await checkout.changes()
  } catch (error) {
    // The agent, or the user meanwhile, may have damaged the checkout. The folder stays, and the user is told what went wrong.
    if (error instanceof RelayError) return { why: error.message }
    throw error
  }
}

function outsideWhy(paths: readonly string[]): string {
  return `Files outside of the project's folder were changed, and may not be: ${paths.join(', ')}. Put them back.`
}
