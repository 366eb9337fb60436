import { join } from 'node:path'
import { takeAlone } from '../../flows/alone.ts'
import type { Book } from '../../model/book.ts'
import type { AttemptFacts, ShownStep, Stopped, TaskEnd, WorkEnd } from '../../model/task.ts'
import type { Checkout } from '../checkout/checkout.ts'
import { endLeftRuns } from '../run/run-folder.ts'
import { Attempt, Overlapped } from './attempt.ts'
import type { LandingPlace } from './land.ts'
import { resultOf, Settling, takenFrom } from './settling.ts'
import { claimSentences, forgetClaimed, forgetStop, putBack } from './steering.ts'
import { WorkCheckout } from './work-checkout.ts'
import { forgetWork, ownersOf, placeOfWork, readWorkNote, type WorkNote, workFolder } from './work-note.ts'
import {
  noteStep,
  type RunParts,
  StopRun,
  shownAs,
  type Used,
  type WorkDoors,
  type WorkOptions,
  whyToStop,
} from './work-parts.ts'

/**
 * The flow of every run in which agents work by themselves: take the next task of the book, make an envelope, run a turn in the
 * checkout, check the work, land it, and write down what happened. Repeats until the book has no task left, or something ends
 * the run.
 *
 * Nothing counts because the agent says so. Work that does not count goes back to the agent with the reason, a limited number
 * of times.
 */
export async function workThrough(
  book: Book,
  landing: LandingPlace,
  options: WorkOptions,
  doors: WorkDoors,
): Promise<WorkEnd> {
  const { system, tell } = doors
  const used: Used = { began: system.clock.monotonic(), usage: {}, turns: 0, attempts: 0, waited: { ms: 0, times: 0 } }
  const span: RunParts['step'] = (name, work) => system.trace.span(name, work)
  const folder = await workFolder(landing.root, book.key, system)
  const rivals = (book.rivals ?? []).map(key => ownersOf(placeOfWork(landing.root, key, system)))
  const { name, word = name } = book
  const about = { root: landing.root, name, word }
  const leave = await span('take the book', () => takeAlone(ownersOf(folder), name, system, rivals, about))
  try {
    await forgetStop(folder, system)
    await span('end left agents', () => endLeftRuns(system))
    const { backend, sandbox, limits } = options
    const enforcement = backend.sandboxes[sandbox]
    tell({ kind: 'run-begun', book: book.name, agent: backend.name, sandbox, enforcement, limits, tasks: book.tasks })
    const step = showingSteps(span, tell)
    const run = new Run({ book, landing, options, doors, folder, used, step })
    const ran = await run.go().catch(async error => {
      await landing.close?.({ kind: 'interrupted' }).catch(() => undefined)
      throw error
    })
    const stopped = await run.close(ran)
    const { ship } = landing
    const shipped = ship === undefined || stopped.kind !== 'all-done' ? undefined : await step('ship', ship)
    await landing.close?.(stopped)
    await forgetStop(folder, system)
    // What comes later is withdrawn by those who say it: they see that nobody works here.
    await leave()
    await run.sayUnheard()
    const { turns, usage } = used
    const ms = system.clock.monotonic() - used.began
    const end = { tasks: run.ended, of: book.tasks, ms, turns, usage, stopped, shipped }
    tell({ kind: 'run-ended', end })
    return end
  } finally {
    await span('leave the book', async () => {
      await leave()
      // Removes only empty folders.
      for (const name of ['owners', 'said', 'checkout', '.']) await system.files.removeFolder(join(folder, name))
    })
  }
}

/** Tells of a step before it begins, where it looks different from the one before. */
function showingSteps(span: RunParts['step'], tell: WorkDoors['tell']): RunParts['step'] {
  let shown: ShownStep | undefined
  return (name, work) => {
    if (shownAs[name] !== shown) tell({ kind: 'step', step: shownAs[name] })
    shown = shownAs[name]
    return span(name, work)
  }
}

/** The story of one run: which task is next, and which step of it. */
class Run {
  readonly ended: TaskEnd[] = []
  readonly #parts: RunParts
  readonly #checkouts: WorkCheckout
  readonly #attempt: Attempt
  readonly #settling: Settling

  constructor(parts: RunParts) {
    this.#parts = parts
    this.#checkouts = new WorkCheckout(parts)
    this.#attempt = new Attempt(parts, this.#checkouts)
    this.#settling = new Settling(parts, this.#checkouts)
  }

  async go(): Promise<Stopped> {
    const { doors, step } = this.#parts
    const left = await step('look for work left', () => this.#workLeft())
    if (left?.isBegun === true) doors.tell({ kind: 'resumed', task: left.task, attempt: left.attempt })
    for (let note = left; ; note = undefined) {
      if (doors.system.interruption.aborted) return { kind: 'interrupted' }
      const task = note ?? (await this.#nextTask())
      if (task === undefined) return this.#nothingLeft()
      if (task instanceof StopRun) return task.why
      const end = await this.#workOn(task, note !== undefined)
      if (end instanceof StopRun) return end.why
      this.ended.push(end)
      doors.tell({ kind: 'task-ended', end })
    }
  }

  /**
   * The task that an earlier relay run began. Gives `undefined` where there is none, or the book no longer wants it; in the
   * second case its work is kept.
   */
  async #workLeft(): Promise<WorkNote | undefined> {
    const { book, folder, doors } = this.#parts
    const left = await readWorkNote(folder, doors.system)
    // A task that is landing may be in place already, and then the book's files say that it is done.
    if (left === undefined || left.landing !== undefined || left.failed !== undefined) return left
    if (await book.isWanted(left.task)) return left
    if (left.checkout !== undefined) await this.#dropUnwanted(left)
    await putBack(left.said ?? [], folder, doors.system)
    await forgetWork(folder, doors.system)
    return undefined
  }

  /** Keeps the work of a task that is no longer wanted, and tells the user. This frees the checkout for the next task. */
  async #dropUnwanted(left: WorkNote): Promise<void> {
    const { tell } = this.#parts.doors
    const checkout = await this.#checkouts.of(left)
    if (checkout.id !== left.checkout) return
    const made = await takenFrom(checkout)
    if (!('changes' in made)) return
    const note = await this.#settling.fail(left, 'It is not to be done any more.', made.changes)
    const { task, attempt: attempts, ms, usage } = note
    if (made.changes.length > 0)
      tell({ kind: 'task-ended', end: { task, attempts, ms, usage, result: resultOf(note) } })
    await checkout.renew()
  }

  /** Ends the run. A task under way stays for the next run. */
  async close(stopped: Stopped): Promise<Stopped> {
    const { folder, doors } = this.#parts
    const note = await readWorkNote(folder, doors.system)
    if (note !== undefined) {
      return stopped.kind === 'work-left' ? this.#settling.keepRefused(note, stopped) : stopped
    }
    await this.#checkouts.remove()
    return stopped
  }

  /** Names the sentences after which no turn came. Where a task is under way, they wait for its next turn. */
  async sayUnheard(): Promise<void> {
    const { folder, doors } = this.#parts
    if ((await readWorkNote(folder, doors.system)) !== undefined) return
    const unheard = await claimSentences(folder, doors.system)
    if (unheard.length === 0) return
    doors.tell({ kind: 'user-note', sentences: unheard.map(({ text }) => text), isTold: false })
    await forgetClaimed(folder, doors.system)
  }

  #nothingLeft(): Stopped {
    const failed = this.ended.filter(({ result }) => result.kind === 'failed')
    if (failed.length === 0) return { kind: 'all-done' }
    const why = failed.length === 1 ? 'a task failed' : `${failed.length} tasks failed`
    return { kind: 'work-left', why }
  }

  async #nextTask(): Promise<WorkNote | StopRun | undefined> {
    const { book, landing, options, step } = this.#parts
    const task = await step('choose the task', () => book.next(this.ended))
    if (task === undefined) return undefined
    const limit = await whyToStop(this.#parts)
    if (limit !== undefined) return new StopRun({ kind: 'work-left', why: limit })
    const about = { root: landing.root, book: book.name, agent: options.backend.name }
    const note: WorkNote = { ...about, task, attempt: 1, before: [], overlaps: 0, ms: 0, usage: {} }
    return noteStep('note the task', note, this.#parts)
  }

  /** Takes a task from its noted state to its end, one step after another. Each step is noted before the next begins. */
  async #workOn(begun: WorkNote, isLeft: boolean): Promise<TaskEnd | StopRun> {
    let note: WorkNote = begun
    for (let isResumed = isLeft; ; isResumed = false) {
      const next = await this.#nextStep(note, isResumed)
      if (next instanceof StopRun || 'result' in next) return next
      note = next
    }
  }

  async #nextStep(noted: WorkNote, isResumed: boolean): Promise<WorkNote | TaskEnd | StopRun> {
    if (noted.failed !== undefined || noted.committed !== undefined) return this.#settling.finish(noted)
    if (noted.landed !== undefined) return this.#settling.commit(noted)
    const note = await this.#attempt.makeReady(noted)
    if (note instanceof Overlapped) return this.#settling.overlapped(noted, note.paths)
    const checkout = await this.#checkouts.of(note)
    const facts = factsOf(note, checkout, isResumed && note.isBegun === true)
    return note.turn === undefined
      ? this.#attempt.turn(note, facts, checkout)
      : this.#settling.judge(note, checkout, facts)
  }
}

function factsOf({ attempt, before, ms, usage }: WorkNote, { cwd }: Checkout, isResumed: boolean): AttemptFacts {
  return { cwd, attempt, before, isResumed, ms, usage }
}
