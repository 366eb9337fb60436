import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { takeAlone } from '../../flows/alone.ts'
import { secretsIn } from '../../ground/secret-names.ts'
import type { AgentEvent, AgentUsage, ConfirmedFiles, Sandbox, TurnEnd } from '../../model/agent.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { Book } from '../../model/book.ts'
import type { AboutKept } from '../../model/kept.ts'
import type { AttemptFacts, Stopped, TaskEnd, TaskResult, WorkEnd, WorkEvent, WorkLimits } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { makeFolders } from '../../state-files.ts'
import type { Backend } from '../backends/backend.ts'
import type { Checkout, Forward } from '../checkout/checkout.ts'
import { insteadOf } from '../checkout/env-in-checkout.ts'
import { withConfirmed } from '../checkout/turn-files.ts'
import { runAgent } from '../run/run-agent.ts'
import { endLeftRuns, stateFolderFor } from '../run/run-folder.ts'
import { changesOfBooks } from './book-files.ts'
import { dropKept, keepCheckout, keepWork } from './kept-work.ts'
import type { LandingEnd, LandingPlace } from './land.ts'
import { setupFailure } from './setup-failure.ts'
import { forgetWork, noteWork, ownersOf, placeOfWork, readWorkNote, type WorkNote, workFolder } from './work-note.ts'

/**
 * The steps of the flow, in the order in which a task meets them. Each result is on the disk before the next step begins. So
 * wherever relay is killed, the same command continues with the step that was under way.
 */
export const workSteps = [
  'take the book',
  'end left agents',
  'look for work left',
  'choose the task',
  'note the task',
  'open the checkout',
  'bring the checkout up to date',
  'note the attempt',
  'set up the checkout',
  'make the envelope',
  'run the turn',
  'note the turn',
  'take the changes',
  'settle the attempt',
  'note the landing',
  'land',
  'note the landed',
  'commit',
  'note the commit',
  'note the last attempt',
  'keep the work',
  'note the failure',
  'write down',
  'forget the task',
  'remove the checkout',
  'ship',
  'leave the book',
] as const

type WorkStep = (typeof workSteps)[number]

/** The agent for a run, and its limits. */
export interface WorkOptions {
  readonly backend: Backend
  readonly sandbox: Sandbox
  readonly model: string | undefined
  /** Commands that the agent may run. */
  readonly allow: readonly string[]
  readonly limits: WorkLimits
  /** The nesting depth of the agent. */
  readonly depth: number
  /** The project's files for agents as they were confirmed: each turn begins with them. */
  readonly confirmed?: ConfirmedFiles
  /** The environment of the agent and the project's commands in the checkout. By default, relay's own environment. */
  readonly env?: System['env']
}

interface WorkDoors {
  readonly system: System
  tell(event: WorkEvent): void
  /** Takes the user's sentence for the next envelope, once; `undefined` where there is none. */
  takeUserNote(): string | undefined
}

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
  const began = system.clock.monotonic()
  const step = <T>(name: WorkStep, work: () => Promise<T>) => system.trace.span(name, work)
  const folder = await workFolder(landing.root, book.key, system)
  const rivals = book.rival === undefined ? [] : [ownersOf(placeOfWork(landing.root, book.rival, system))]
  const leave = await step('take the book', () => takeAlone(ownersOf(folder), book.name, system, rivals))
  try {
    await step('end left agents', () => endLeftRuns(system))
    const { backend, sandbox, limits } = options
    const enforcement = backend.sandboxes[sandbox]
    tell({ kind: 'run-begun', book: book.name, agent: backend.name, sandbox, enforcement, limits, tasks: book.tasks })
    const run = new Run({ book, landing, options, doors, folder, began, step })
    const ran = await run.go().catch(async error => {
      await landing.close?.({ kind: 'interrupted' }).catch(() => undefined)
      throw error
    })
    const stopped = await run.close(ran)
    const { ship } = landing
    const shipped = ship === undefined || stopped.kind !== 'all-done' ? undefined : await step('ship', ship)
    await landing.close?.(stopped)
    const end = { tasks: run.ended, of: book.tasks, ms: system.clock.monotonic() - began, stopped, shipped }
    tell({ kind: 'run-ended', end })
    return end
  } finally {
    await step('leave the book', async () => {
      await leave()
      // Removes only empty folders.
      for (const name of ['owners', 'checkout', '.']) await system.files.removeFolder(join(folder, name))
    })
  }
}

interface RunParts {
  readonly book: Book
  readonly landing: LandingPlace
  readonly options: WorkOptions
  readonly doors: WorkDoors
  /** The work folder of the book. */
  readonly folder: string
  /** On the monotonic clock. */
  readonly began: number
  step<T>(name: WorkStep, work: () => Promise<T>): Promise<T>
}

/** Ends the run before the task has ended. */
class StopRun {
  readonly why: Stopped
  constructor(why: Stopped) {
    this.why = why
  }
}

/** Facts about an attempt that does not count. */
interface NotCounted {
  /** Another attempt would not get further. */
  readonly isFinal?: boolean
  /** Its work cannot be read. */
  readonly isUntakable?: boolean
  /** The reason is on the screen already. */
  readonly isTold?: boolean
  /** The user, the checks or the path policy refuse it. The same refusal twice in a row ends the task. */
  readonly isNo?: boolean
  /** The command line option that would have turned the refusal into a yes. */
  readonly option?: string | undefined
}

/** The state of one run. */
class Run {
  readonly ended: TaskEnd[] = []
  readonly #parts: RunParts
  #checkout: Checkout | undefined
  /** The checkout was made for the current task. */
  #isNew = false
  /** Usage of the whole run. */
  #usage: AgentUsage = {}
  /** The attempts of the run so far, over all tasks. */
  #iterations = 0
  /** Waits for usage limits: the total in milliseconds, and how many. */
  #waited = { ms: 0, times: 0 }

  constructor(parts: RunParts) {
    this.#parts = parts
  }

  async go(): Promise<Stopped> {
    const { doors, step } = this.#parts
    const left = await step('look for work left', () => this.#workLeft())
    if (left !== undefined) doors.tell({ kind: 'resumed', task: left.task, attempt: left.attempt })
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
    await forgetWork(folder, doors.system)
    return undefined
  }

  /** Keeps the work of a task that is no longer wanted, and tells the user. This frees the checkout for the next task. */
  async #dropUnwanted(left: WorkNote): Promise<void> {
    const { tell } = this.#parts.doors
    const checkout = await this.#checkoutFor(left)
    if (checkout.id !== left.checkout) return
    const made = await takenFrom(checkout)
    if (!('changes' in made)) return
    const note = await this.#fail(left, 'It is not to be done any more.', made.changes)
    const { task, attempt: attempts, ms, usage } = note
    if (made.changes.length > 0)
      tell({ kind: 'task-ended', end: { task, attempts, ms, usage, result: resultOf(note) } })
    await this.#checkout?.renew()
  }

  /** Ends the run. A task under way stays for the next run. */
  async close(stopped: Stopped): Promise<Stopped> {
    const { folder, doors, landing, step } = this.#parts
    const note = await readWorkNote(folder, doors.system)
    if (note !== undefined) return stopped.kind === 'work-left' ? this.#keepRefused(note, stopped) : stopped
    const below = join(folder, 'checkout')
    // A checkout that an earlier relay run was about to remove is opened only for that.
    const isLeft = this.#checkout === undefined && ((await doors.system.files.list(below)) ?? []).length > 0
    const checkout = isLeft ? await landing.openCheckout(below) : this.#checkout
    await step('remove the checkout', async () => checkout?.remove())
    return stopped
  }

  /** Names the work that was refused last, which the next run goes on with: nobody need run that to have it. */
  async #keepRefused(note: WorkNote, stopped: Extract<Stopped, { kind: 'work-left' }>): Promise<Stopped> {
    const { book, task, agent, attempt, before, checkout: ready } = note
    const checkout = this.#checkout
    const why = before.at(-1)
    if (why === undefined || checkout === undefined || checkout.id !== ready) return stopped
    const made = await takenFrom(checkout)
    if (!('changes' in made)) return stopped
    const about = { id: `${ready} ${attempt}`, book, task: task.id, title: task.title, agent, why, reasoning: '' }
    const kept = await this.#keep(about, made.changes)
    if (typeof kept !== 'number') return stopped
    if (note.refused !== undefined && note.refused !== kept)
      await dropKept(note.root, note.refused, this.#parts.doors.system)
    await this.#note('note the attempt', { ...note, refused: kept })
    return { ...stopped, kept }
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
    const limit = this.#limitReached()
    if (limit !== undefined) return new StopRun({ kind: 'work-left', why: limit })
    const about = { root: landing.root, book: book.name, agent: options.backend.name }
    const note: WorkNote = { ...about, task, attempt: 1, before: [], overlaps: 0, ms: 0, usage: {} }
    return this.#note('note the task', note)
  }

  /** Takes a task from its noted state to its end, one step after another. Each step is noted before the next begins. */
  async #workOn(begun: WorkNote, isLeft: boolean): Promise<TaskEnd | StopRun> {
    let note: WorkNote = begun
    for (let isResumed = isLeft; ; isResumed = false) {
      if (note.failed !== undefined || note.committed !== undefined) return this.#finish(note)
      if (note.landed !== undefined) {
        note = await this.#commit(note)
        continue
      }
      note = await this.#makeReady(note)
      const checkout = await this.#checkoutFor(note)
      const facts = factsOf(note, checkout, isResumed)
      const next =
        note.turn === undefined ? await this.#turn(note, facts, checkout) : await this.#judge(note, checkout, facts)
      if (next instanceof StopRun) return next
      note = next
    }
  }

  async #checkoutFor(note: WorkNote): Promise<Checkout> {
    const { checkout: ready } = note
    const { landing, folder, doors, step } = this.#parts
    if (this.#checkout !== undefined) return this.#checkout
    const below = join(folder, 'checkout')
    await doors.system.files.makeFolder(below, 0o700)
    this.#checkout = await step('open the checkout', () => this.#open(below, note))
    const { leftOut, isLeft, dependencies } = this.#checkout
    this.#isNew = !isLeft
    if (ready === undefined && leftOut.length > 0)
      doors.tell({ kind: 'left-out', paths: leftOut.map(({ path }) => path) })
    const { missing } = dependencies
    if (ready === undefined && missing.length > 0) doors.tell({ kind: 'lacks', missing })
    return this.#checkout
  }

  /** Opens the checkout. What is left of one that nobody can read goes aside, and a new one is made. */
  async #open(below: string, note: WorkNote): Promise<Checkout> {
    const { landing, doors } = this.#parts
    try {
      return await landing.openCheckout(below)
    } catch (error) {
      if (!(error instanceof RelayError) || error.kind !== 'agent') throw error
      await this.#keepAside(below, note, error.message)
      await doors.system.files.makeFolder(below, 0o700)
      return landing.openCheckout(below)
    }
  }

  /** Has the checkout ready for the next step of the task: the one in which its work was made, or a new one. */
  async #makeReady(note: WorkNote): Promise<WorkNote> {
    const { step, doors } = this.#parts
    const checkout = await this.#checkoutFor(note)
    if (note.isBehind === true) return step('bring the checkout up to date', () => this.#bringForward(note, checkout))
    const { boot } = await doors.system.shell.self()
    if (note.checkout === checkout.id && (note.turn !== undefined || isSameBoot(note.boot, boot))) return note
    // What lies there was made for this task, but nobody knows whether it is whole.
    if (note.checkout !== undefined && !this.#isNew) await this.#leave(note, 'relay was stopped in the middle of it')
    if (note.turn !== undefined) {
      const why = 'the checkout with its work is gone, so the attempt is made again'
      doors.tell({ kind: 'attempt-failed', task: note.task, attempt: note.attempt, why, isTold: false })
    }
    const { turn: _turn, landing: _landing, ...rest } = note
    const fresh = await this.#checkoutFor(note)
    if (!this.#isNew) await step('bring the checkout up to date', () => this.#renew(note, fresh))
    this.#isNew = false
    const { id } = await this.#checkoutFor(note)
    return this.#note('note the attempt', { ...rest, checkout: id, boot })
  }

  /** Brings the checkout up to date. One that cannot be, for whatever reason, goes aside, and a new one is made. */
  async #renew(note: WorkNote, checkout: Checkout): Promise<void> {
    try {
      await checkout.renew()
    } catch (error) {
      if (!(error instanceof RelayError)) throw error
      await this.#leave(note, error.message)
      await this.#checkoutFor(note)
    }
  }

  /** After a no, the agent gets its work in what is there now: it must see what its errors come from. */
  async #bringForward(note: WorkNote, checkout: Checkout): Promise<WorkNote> {
    const { isBehind: _, ...rest } = note
    const forward = await forwardOf(checkout)
    // What cannot be read now is found again when the next turn is taken.
    if (forward === undefined) return this.#note('note the attempt', { ...rest, checkout: checkout.id })
    if (forward.kind === 'overlap') {
      const made = await takenFrom(checkout)
      const changes = 'changes' in made ? made.changes : []
      const why = `Somebody else has changed the same places of ${someOf(forward.paths)} meanwhile.`
      const noted = await this.#afterOverlap(rest, note.landing?.uuid, why, changes, checkout)
      return noted.failed === undefined ? this.#makeReady(noted) : noted
    }
    const { beneath } = forward
    const told = `Meanwhile others have changed, and your work is merged with it: ${someOf(beneath)}`
    const before = beneath.length === 0 ? note.before : [...note.before, told]
    return this.#note('note the attempt', { ...rest, before, checkout: checkout.id })
  }

  async #turn(note: WorkNote, facts: AttemptFacts, checkout: Checkout): Promise<WorkNote | StopRun> {
    const { book, options, doors, began, step } = this.#parts
    const { task, attempt } = note
    const { system, tell } = doors
    const { backend, sandbox, model, allow, limits, depth } = options
    const limit = this.#limitReached()
    if (limit !== undefined) return new StopRun({ kind: 'work-left', why: limit })
    const isSetUp = await step('set up the checkout', () => this.#setUp(checkout))
    if (isSetUp instanceof StopRun) return isSetUp
    const { attempts, iterations } = limits
    const place = iterations === undefined ? { of: attempts } : { of: iterations, iteration: this.#iterations + 1 }
    tell({ kind: 'attempt-begun', task, attempt, ...place })
    const wish = doors.takeUserNote()
    const before = wish === undefined ? facts.before : [...facts.before, `The user says: ${wish}`]
    const prompt = await step('make the envelope', () => book.envelope(task, { ...facts, before }))
    const ended = new AbortController()
    const onEvent = (event: AgentEvent) => {
      tell({ kind: 'agent', event })
      // Some agents report usage at the very end. A turn that is over is paid for, and counts.
      if (event.kind === 'usage') this.#usage = sumOf(this.#usage, event.usage)
      else if (event.kind !== 'end' && this.#limitReached() !== undefined) ended.abort()
    }
    const interruption = AbortSignal.any([system.interruption, ended.signal])
    const start = system.clock.monotonic()
    const left = limits.time === undefined ? limits.timeout : limits.time - (start - began) / 1000
    const { confirmed } = options
    const run = () =>
      runAgent(
        backend,
        { prompt, sandbox, model, cwd: facts.cwd, allow, confirmed: confirmed?.files ?? [] },
        {
          ...limits,
          timeout: Math.min(limits.timeout, left),
          system: { ...system, interruption, env: checkout.env(options.env ?? system.env) },
          depth,
          checkout,
          path: system.env['PATH'],
          onEvent,
        },
      )
    const end = await step('run the turn', () => withConfirmed(confirmed, checkout, system, run))
    const ms = system.clock.monotonic() - start
    tell({ kind: 'turn-ended', task, end, ms })
    const stopped = await this.#stopAfter(end, ended.signal.aborted)
    if (stopped === 'again') return note
    if (stopped !== undefined) return new StopRun(stopped)
    this.#iterations++
    const { resetsAt: _, ...turn } = end
    // A turn that is noted counts: what it made is on the disk first.
    await checkout.sync()
    return this.#note('note the turn', { ...note, turn, ms: note.ms + ms, usage: sumOf(note.usage, end.usage) })
  }

  /** Runs `checkout.setup` in the checkout, where that is needed. */
  async #setUp(checkout: Checkout): Promise<StopRun | undefined> {
    const { landing, options, doors } = this.#parts
    const { shell, interruption, env } = doors.system
    const given = options.env ?? env
    let without: readonly string[] = []
    const result = await checkout.setUp((command, cwd, isUsed) => {
      // After a turn the command may run what the agent made: it gets what the checks get.
      without = isUsed ? secretsIn(given, landing.keptVariables) : []
      const left = Object.fromEntries(without.map(name => [name, undefined]))
      return shell.run(command, {
        cwd,
        env: { ...insteadOf(given, checkout.env(given)), ...left },
        timeLimit: landing.commandTimeout,
        signal: interruption,
        onStart: async () => {},
      })
    })
    if (interruption.aborted) return new StopRun({ kind: 'interrupted' })
    if (result === undefined || (result.end.kind === 'exit' && result.end.code === 0)) return undefined
    return new StopRun({ kind: 'no-agent', why: setupFailure(result, without) })
  }

  /** Whether the run ends with this turn, or the attempt is repeated (`again`). Neither costs an attempt. */
  async #stopAfter({ status, why, resetsAt }: TurnEnd, isOverLimit: boolean): Promise<Stopped | 'again' | undefined> {
    const { doors, options } = this.#parts
    if (doors.system.interruption.aborted) return { kind: 'interrupted' }
    if (isOverLimit && status !== 'ok') return { kind: 'work-left', why: this.#limitReached() ?? 'a limit was reached' }
    if (status === 'missing' || status === 'auth') return { kind: 'no-agent', why: `${options.backend.name}: ${why}` }
    return status === 'rate-limited' ? this.#waitForLimit(why, resetsAt) : undefined
  }

  async #waitForLimit(why: string, resetsAt: Date | undefined): Promise<Stopped | 'again'> {
    const { doors, options } = this.#parts
    const { clock, interruption } = doors.system
    const usual = usualWaits[this.#waited.times] ?? 0
    const now = clock.now().getTime()
    const until = resetsAt === undefined ? now + usual : Math.max(now, resetsAt.getTime()) + minute
    const ms = until - now
    if (this.#waited.times === usualWaits.length || this.#waited.ms + ms > 1000 * options.limits.wait) {
      return { kind: 'work-left', why: `${options.backend.name} ${why}` }
    }
    this.#waited = { ms: this.#waited.ms + ms, times: this.#waited.times + 1 }
    doors.tell({ kind: 'waiting', until: new Date(until) })
    await clock.sleep(ms, interruption)
    return interruption.aborted ? { kind: 'interrupted' } : 'again'
  }

  /** Judges the work of a finished turn, and lands it where it counts. */
  async #judge(note: WorkNote, checkout: Checkout, facts: AttemptFacts): Promise<WorkNote | StopRun> {
    const { book, landing, options, doors, step } = this.#parts
    const { task, turn } = note
    if (turn === undefined) return note
    const isOver = turn.status === 'ok' || (turn.status === 'timeout' && turn.marker === 'COMPLETE')
    const made = await step('take the changes', () => takenFrom(checkout))
    if ('why' in made) return this.#again(note, made.why, [], { isUntakable: true })
    // A new agent may get further with the files that exist now.
    const isFinal = turn.status === 'overflow' && book.stuck === undefined
    if (!isOver) return this.#again(note, turn.why, made.changes, { isFinal, isTold: true })
    if (made.outside.length > 0) return this.#again(note, outsideWhy(made.outside), made.changes)
    const ofBooks = await changesOfBooks(made.changes, book, facts.cwd, doors.system)
    const toSettle = made.changes.filter(({ path }) => !ofBooks.has(path))
    const settled = await step('settle the attempt', () => book.settle(task, turn, toSettle, facts))
    if (settled.kind === 'not-done') return this.#again(note, settled.why, made.changes, settled)
    const { changes, title, message, own = [] } = settled
    const dropped = [...ofBooks, ...(settled.dropped ?? [])]
    if (dropped.length > 0) doors.tell({ kind: 'dropped', paths: dropped })
    if (changes.length === 0) {
      const { overlapped } = note
      if (overlapped !== undefined) {
        const why = `It overlapped with edits of the user's, and the next turn changed nothing`
        return this.#note('note the failure', { ...note, failed: { why, kept: overlapped } })
      }
      const landed = { number: undefined, files: 0 }
      return this.#note('note the commit', { ...note, landed, committed: { kind: 'none' } })
    }
    const paths = changes.map(({ path }) => path)
    const landingNote = note.landing ?? {
      uuid: doors.system.randomUuid(),
      title,
      message,
      paths,
      dirty: (await this.#editedAmong(paths))?.filter(path => !own.includes(path)),
    }
    const noted = await this.#note('note the landing', { ...note, landing: landingNote })
    const { uuid } = landingNote
    const what = { changes, title, message, uuid, reasoning: turn.text, agent: options.backend.name }
    const end = await step('land', () => landing.land(what, checkout))
    return this.#landed(noted, end, made.changes, checkout)
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
  ): Promise<WorkNote | StopRun> {
    if (end.kind === 'interrupted') return new StopRun({ kind: 'interrupted' })
    if (end.kind === 'held') return new StopRun({ kind: 'held' })
    const { landing: was, ...rest } = note
    if (end.kind === 'moved') return this.#note('note the attempt', { ...rest, ...behind })
    if (end.kind === 'no') {
      if (end.isOverlap === true) return this.#afterOverlap(rest, was?.uuid, end.why, changes, checkout)
      const { why, missing = [] } = end
      const also = missing.map(name => `${name} is not installed in your folder: \`checkout.setup\``).join('\n')
      // The screen has shown the checks, but not why they had to fail.
      if (also !== '') return this.#again(rest, `${also}\n${why}`, changes, { ...end, isNo: true })
      return this.#again(rest, why, changes, { ...end, isTold: true, isNo: true })
    }
    const { number, files, mixed = [] } = end
    for (const kept of [note.overlapped, note.refused]) {
      if (kept !== undefined) await dropKept(note.root, kept, this.#parts.doors.system)
    }
    const landing = was?.dirty && { ...was, dirty: [...new Set([...was.dirty, ...mixed])] }
    return this.#note('note the landed', { ...note, ...(landing && { landing }), landed: { number, files } })
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
  ): Promise<WorkNote> {
    if (note.overlaps > 0) return this.#fail(note, why, changes)
    this.#iterations--
    const diff = await checkout.diff()
    const { turn, landing: _landing, checkout: _was, ...rest } = note
    const { id, title } = note.task
    const about = { book: note.book, task: id, title, agent: note.agent, why, reasoning: turn?.text ?? '' }
    const kept = await this.#keep({ id: landingId, ...about }, changes)
    const overlapped = typeof kept === 'number' ? { overlapped: kept } : {}
    const told = `${why}\nYou work in the folder as it is now. This is what you had changed before:\n\n${diff}`
    return this.#note('note the attempt', { ...rest, ...overlapped, overlaps: 1, before: [...note.before, told] })
  }

  /**
   * Handles an attempt that does not count. The agent gets the reason, unless it was the last attempt or the same refusal
   * twice.
   */
  async #again(
    note: WorkNote,
    why: string,
    changes: readonly AgentChange[],
    { isFinal = false, isUntakable = false, isTold = false, isNo = false, option }: NotCounted = {},
  ): Promise<WorkNote | StopRun> {
    const { book, doors, options } = this.#parts
    const { task, attempt, before } = note
    const isSameNo = isNo && before.at(-1) === why
    const isLast = isFinal || (book.stuck === undefined && (isSameNo || attempt >= options.limits.attempts))
    const whole = isLast && isUntakable ? `${why}. ${await this.#leave(note, why)}` : why
    doors.tell({ kind: 'attempt-failed', task, attempt, why: whole, isTold })
    if (isLast) return this.#fail(note, whole, changes, option)
    const { turn: _, landing: _its, ...rest } = note
    const next = { ...rest, attempt: attempt + 1, overlaps: 0, before: [...before, why], ...(isNo && behind) }
    const noted = await this.#note('note the attempt', next)
    // Nobody is present to say yes, and another agent would do no better.
    if (isSameNo && option !== undefined) return new StopRun({ kind: 'work-left', why: `${task.id}: ${why}`, option })
    const stuck = await book.stuck?.(task, why, changes)
    return stuck === undefined ? noted : new StopRun({ kind: 'work-left', why: stuck })
  }

  async #fail(note: WorkNote, why: string, changes: readonly AgentChange[], option?: string): Promise<WorkNote> {
    const { step } = this.#parts
    const { book, task, agent, turn, keeping = this.#parts.doors.system.randomUuid() } = note
    if (note.keeping === undefined) await this.#note('note the last attempt', { ...note, keeping })
    const about = { id: keeping, book, task: task.id, title: task.title, agent, why, reasoning: turn?.text ?? '' }
    const kept = await step('keep the work', () => this.#keep(about, changes))
    if (kept instanceof RelayError) {
      const whole = `${why}. The work could not be kept: ${kept.message}. ${await this.#leave(note, why)}`
      return this.#note('note the failure', { ...note, keeping, failed: { why: whole, kept: undefined, option } })
    }
    // All of what was refused before is in it.
    if (note.refused !== undefined && kept !== undefined)
      await dropKept(note.root, note.refused, this.#parts.doors.system)
    return this.#note('note the failure', { ...note, failed: { why, kept, option } })
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

  /** Work that cannot be taken stays as it is, under another name, and is kept there. Gives where, in words. */
  async #leave(note: WorkNote, why: string): Promise<string> {
    const { folder } = this.#parts
    this.#checkout = undefined
    return this.#keepAside(join(folder, 'checkout'), note, why)
  }

  async #keepAside(checkout: string, { book, task, agent, turn }: WorkNote, why: string): Promise<string> {
    const { landing, doors } = this.#parts
    const id = doors.system.randomUuid()
    const left = join(await makeFolders(join(stateFolderFor(doors.system), 'left'), doors.system.files), id)
    const about = { id, book, task: task.id, title: task.title, agent, why, reasoning: turn?.text ?? '' }
    // Noted first: a folder that nothing names would be lost.
    const number = await keepCheckout(landing.root, about, left, doors.system).catch(() => undefined)
    await doors.system.files.rename(checkout, left)
    return number === undefined
      ? `What it made lies in ${join(left, 'work')}.`
      : `What it made is kept: \`relay apply --kept ${number}\`.`
  }

  async #commit(note: WorkNote): Promise<WorkNote> {
    const { landing, step } = this.#parts
    const committed = await step('commit', () => this.#commitOf(note, landing))
    return this.#note('note the commit', { ...note, committed })
  }

  async #commitOf({ landing: note, landed }: WorkNote, landing: LandingPlace) {
    if (note?.dirty === undefined) return { kind: 'none' } as const
    if (note.dirty.length > 0) {
      const why = `${note.dirty.join(', ')} had edits that were not committed`
      return { kind: 'not-committed', why } as const
    }
    return landing.commit(note.paths, note.message, landed?.number)
  }

  async #finish(note: WorkNote): Promise<TaskEnd> {
    const { book, folder, doors, step } = this.#parts
    const { task, attempt: attempts, ms, usage } = note
    const end = { task, attempts, ms, usage, result: resultOf(note) }
    await step('write down', () => book.write(end))
    await step('forget the task', () => forgetWork(folder, doors.system))
    return end
  }

  async #note(name: WorkStep, note: WorkNote): Promise<WorkNote> {
    const { folder, doors, step } = this.#parts
    await step(name, () => noteWork(folder, note, doors.system))
    return note
  }

  /** The limit that the run has reached, in words. */
  #limitReached(): string | undefined {
    const { began, doors, options } = this.#parts
    const { time, cost, tokens, iterations } = options.limits
    const seconds = (doors.system.clock.monotonic() - began) / 1000
    const used = (this.#usage.inputTokens ?? 0) + (this.#usage.outputTokens ?? 0)
    if (time !== undefined && seconds >= time) return 'the time of --max-time is over'
    if (cost !== undefined && (this.#usage.cost ?? 0) >= cost) return 'the cost of --max-cost is reached'
    if (iterations !== undefined && this.#iterations >= iterations)
      return `${iterations} of ${iterations} iterations are used`
    if (tokens !== undefined && used >= tokens) return 'the tokens of --max-tokens are used'
    return undefined
  }
}

const minute = 60_000
/** Waits in milliseconds, for an agent that does not say when its limit ends. */
const usualWaits = [minute, 5 * minute, 15 * minute]

function factsOf({ attempt, before, ms }: WorkNote, { cwd }: Checkout, isResumed: boolean): AttemptFacts {
  return { cwd, attempt, before, isResumed, ms }
}

function resultOf({ failed, landed, committed, turn }: WorkNote): TaskResult {
  if (failed !== undefined) return { kind: 'failed', ...failed, last: turn }
  if (landed === undefined || committed === undefined || landed.files === 0) return { kind: 'done' }
  return { kind: 'landed', landed: { ...landed, committed } }
}

const behind = { isBehind: true } as const

/** Where either boot is unknown, nothing speaks against it. */
function isSameBoot(one: string | undefined, other: string): boolean {
  return one === undefined || one === '' || other === '' || one === other
}

/** Gives `undefined` where the work cannot be read. */
async function forwardOf(checkout: Checkout): Promise<Forward | undefined> {
  try {
    return await checkout.bringForward()
  } catch (error) {
    if (error instanceof RelayError) return undefined
    throw error
  }
}

const mostNamed = 20

function someOf(paths: readonly string[]): string {
  const more = paths.length > mostNamed ? ` and ${paths.length - mostNamed} more` : ''
  return `${paths.slice(0, mostNamed).join(', ')}${more}`
}

/** The agent's work, or why it cannot be taken. */
async function takenFrom(checkout: Checkout): Promise<Awaited<ReturnType<Checkout['changes']>> | { why: string }> {
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

function sumOf(one: AgentUsage, other: AgentUsage): AgentUsage {
  const sum = (key: keyof AgentUsage) => {
    const [a, b] = [one[key], other[key]]
    return a === undefined && b === undefined ? {} : { [key]: (a ?? 0) + (b ?? 0) }
  }
  return { ...sum('inputTokens'), ...sum('outputTokens'), ...sum('cost') }
}
