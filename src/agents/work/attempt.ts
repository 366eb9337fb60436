import { RelayError } from '../../errors.ts'
import { secretsIn } from '../../ground/secret-names.ts'
import { someOf } from '../../ground/words.ts'
import type { AgentEvent, TurnEnd } from '../../model/agent.ts'
import type { AttemptFacts, Stopped } from '../../model/task.ts'
import { sumOf, tellUsage, type UsageEvent, usageIn } from '../../model/usage.ts'
import type { Checkout, Forward } from '../checkout/checkout.ts'
import { insteadOf } from '../checkout/env-in-checkout.ts'
import { withConfirmed } from '../checkout/turn-files.ts'
import { runAgent } from '../run/run-agent.ts'
import { isOver } from './is-over.ts'
import { setupFailure } from './setup-failure.ts'
import { claimSentences, forgetClaimed, isAskedToStop } from './steering.ts'
import type { WorkCheckout } from './work-checkout.ts'
import { forgetWork, type WorkNote } from './work-note.ts'
import { limitReached, limitWords, noteStep, type RunParts, StopRun, secondsOf, whyToStop } from './work-parts.ts'

/** The work and what is there now have changed the same places. */
export class Overlapped {
  readonly paths: readonly string[]
  constructor(paths: readonly string[]) {
    this.paths = paths
  }
}

/** An attempt up to the end of its turn: the checkout that the agent works in, and the turn itself. */
export class Attempt {
  readonly #parts: RunParts
  readonly #checkouts: WorkCheckout
  /** The checks are known to run in the checkout. */
  #isChecked = false

  constructor(parts: RunParts, checkouts: WorkCheckout) {
    this.#parts = parts
    this.#checkouts = checkouts
  }

  /** Has the checkout ready for the next step of the task: the one in which its work was made, or a new one. */
  async makeReady(note: WorkNote): Promise<WorkNote | Overlapped> {
    const { step, doors } = this.#parts
    const checkout = await this.#checkouts.of(note)
    if (note.isBehind === true) return step('bring the checkout up to date', () => this.#bringForward(note, checkout))
    const { boot } = await doors.system.shell.self()
    if (note.checkout === checkout.id && (note.turn !== undefined || isSameBoot(note.boot, boot))) return note
    // What lies there was made for this task, but nobody knows whether it is whole.
    if (note.checkout !== undefined && !this.#checkouts.isNew)
      await this.#checkouts.leave(note, 'relay was stopped in the middle of it')
    if (note.turn !== undefined) {
      const why = 'the checkout with its work is gone, so the attempt is made again'
      doors.tell({ kind: 'attempt-failed', task: note.task, attempt: note.attempt, why })
    }
    const { turn: _turn, landing: _landing, isBegun: _begun, ...rest } = note
    const { id } = await this.#checkouts.renew(note)
    return noteStep('note the attempt', { ...rest, checkout: id, boot }, this.#parts)
  }

  /** After a no, the agent gets its work in what is there now: it must see what its errors come from. */
  async #bringForward(note: WorkNote, checkout: Checkout): Promise<WorkNote | Overlapped> {
    const { isBehind: _, ...rest } = note
    const forward = await forwardOf(checkout)
    // What cannot be read now is found again when the next turn is taken.
    if (forward === undefined) return noteStep('note the attempt', { ...rest, checkout: checkout.id }, this.#parts)
    if (forward.kind === 'overlap') return new Overlapped(forward.paths)
    const { beneath } = forward
    const told = `Meanwhile others have changed, and your work is merged with it: ${someOf(beneath, mostNamed)}`
    const before = beneath.length === 0 ? note.before : [...note.before, told]
    return noteStep('note the attempt', { ...rest, before, checkout: checkout.id }, this.#parts)
  }

  /** Runs one turn of the agent, and notes how it ended. */
  async turn(noted: WorkNote, facts: AttemptFacts, checkout: Checkout): Promise<WorkNote | StopRun> {
    const { book, options, doors, used, step } = this.#parts
    const { task, attempt } = noted
    const { system, tell } = doors
    const { limits } = options
    const limit = await whyToStop(this.#parts)
    if (limit !== undefined) return new StopRun({ kind: 'work-left', why: limit })
    const isSetUp = await step('set up the checkout', () => this.#setUp(checkout))
    if (isSetUp instanceof StopRun) return isSetUp
    const checked = await this.#preflight(noted, facts, checkout)
    if (system.interruption.aborted) return new StopRun({ kind: 'interrupted' })
    const { attempts, iterations } = limits
    const place =
      iterations === undefined ? { of: attempts } : { of: iterations, iteration: this.#parts.used.attempts + 1 }
    tell({ kind: 'attempt-begun', task, attempt, ...place })
    const note = await this.#withSentences(checked)
    const { said = [] } = note
    if (said.length > 0) tell({ kind: 'user-note', sentences: said.map(({ text }) => text), isTold: true })
    const before = [...facts.before, ...said.map(({ text }) => `The user says: ${text}`)]
    const prompt = await step('make the envelope', () => book.envelope(task, { ...facts, before }))
    const started = await noteStep('note the start', { ...note, isBegun: true }, this.#parts)
    const start = system.clock.monotonic()
    const end = await step('run the turn', () => this.#run(prompt, facts.cwd, checkout))
    const ms = system.clock.monotonic() - start
    tell({ kind: 'turn-ended', task, end, ms })
    used.turns++
    // Whatever becomes of a turn, it is paid for. Where the agent did not work at all, none has begun.
    const isStarted = end.status !== 'missing' && end.status !== 'auth'
    const paid = { ...(isStarted ? started : note), ms: note.ms + ms, usage: sumOf(note.usage, end.usage) }
    if (system.interruption.aborted || (isNoAttempt(end) && !(await isOver(end, book, task, facts)))) {
      const tried = await noteStep('note the turn', paid, this.#parts)
      const stopped = await this.#stopAfter(end)
      return stopped === 'again' ? tried : new StopRun(stopped)
    }
    used.attempts++
    const { resetsAt: _, ...turn } = end
    const { said: _said, ...spoken } = paid
    // A turn that is noted counts: what it made is on the disk first.
    await checkout.sync()
    return noteStep('note the turn', { ...spoken, turn }, this.#parts)
  }

  /** Runs the agent, until it ends or the run has reached a limit. */
  async #run(prompt: string, cwd: string, checkout: Checkout): Promise<TurnEnd> {
    const { options, doors, used } = this.#parts
    const { system, tell } = doors
    const { backend, sandbox, model, allow, limits, depth, confirmed } = options
    const before = used.usage
    const limit = new AbortController()
    let told: readonly UsageEvent[] = []
    const onEvent = (event: AgentEvent) => {
      tell({ kind: 'agent', event })
      told = tellUsage(told, event)
      used.usage = sumOf(before, usageIn(told))
      // Some agents tell at the very end what they used. A turn that is over counts.
      const goesOn = event.kind === 'text' || event.kind === 'tool' || event.kind === 'retry'
      const reached = goesOn ? limitReached(this.#parts) : undefined
      if (reached !== undefined) limit.abort(reached)
    }
    const left = limits.time === undefined ? Number.POSITIVE_INFINITY : limits.time - secondsOf(this.#parts)
    const { cost } = limits
    const budget = cost === undefined ? {} : { budget: cost - (before.cost ?? 0) }
    const request = { prompt, sandbox, model, cwd, allow, confirmed: confirmed?.files ?? [], ...budget }
    const run = () =>
      (options.run ?? runAgent)(backend, request, {
        ...limits,
        timeout: Math.min(limits.timeout, left),
        limit: limit.signal,
        system: { ...system, env: checkout.env(options.env ?? system.env) },
        depth,
        checkout,
        path: system.env['PATH'],
        onEvent,
      })
    const end = await withConfirmed(confirmed, checkout, system, run)
    used.usage = sumOf(before, end.usage)
    if (end.status === 'timeout' && left < limits.timeout) return { ...end, status: 'over-limit', why: limitWords.time }
    // claude names what was left of the cost, not the limit.
    return end.status === 'over-limit' ? { ...end, why: limitReached(this.#parts) ?? limitWords.cost } : end
  }

  /**
   * Notes what the user says for this attempt, from here and from other terminals. What is noted goes into the envelope of this
   * attempt, however often relay is killed before its turn has ended, and into no other.
   */
  async #withSentences(note: WorkNote): Promise<WorkNote> {
    const { folder, doors } = this.#parts
    const typed = doors.takeUserNote()
    const claimed = await claimSentences(folder, doors.system)
    const { said = [] } = note
    const known = new Set(said.map(({ id }) => id))
    const own = typed === undefined ? [] : [{ id: doors.system.randomUuid(), text: typed }]
    const news = [...claimed.filter(({ id }) => !known.has(id)), ...own]
    if (news.length === 0) return note
    const noted = await noteStep('note the attempt', { ...note, said: [...said, ...news] }, this.#parts)
    await forgetClaimed(folder, doors.system)
    return noted
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
    return new StopRun({ kind: 'no-agent', why: setupFailure(result, landing.commandTimeout, without) })
  }

  /** Has the checks run once before the first turn is paid, where they run in the checkout. Throws where they cannot. */
  async #preflight(note: WorkNote, { isResumed }: AttemptFacts, checkout: Checkout): Promise<WorkNote> {
    const { landing, folder, doors } = this.#parts
    if (landing.preflight === undefined || this.#isChecked) return note
    this.#isChecked = true
    // Work that is not accepted yet says nothing about the checks.
    if ((await checkout.changes()).changes.length > 0) return note
    try {
      await landing.preflight(checkout)
    } catch (error) {
      // No turn has begun so far, so the next run begins this task anew.
      if (!isResumed && note.attempt === 1) await forgetWork(folder, doors.system)
      throw error
    }
    if (doors.system.interruption.aborted) return note
    // What the checks leave behind is no work of an agent.
    if ((await checkout.changes()).changes.length === 0) return note
    const { id } = await this.#checkouts.renew(note)
    return noteStep('note the attempt', { ...note, checkout: id }, this.#parts)
  }

  /** What follows a turn that is no attempt. */
  async #stopAfter({ status, why, resetsAt }: TurnEnd): Promise<Stopped | 'again'> {
    const { doors, options } = this.#parts
    if (doors.system.interruption.aborted) return { kind: 'interrupted' }
    if (status === 'rate-limited') return this.#waitForLimit(why, resetsAt)
    if (status === 'over-limit') return { kind: 'work-left', why }
    return { kind: 'no-agent', why: `${options.backend.name}: ${why}`, isTold: true }
  }

  async #waitForLimit(why: string, resetsAt: Date | undefined): Promise<Stopped | 'again'> {
    const { doors, options, used } = this.#parts
    const { clock, interruption } = doors.system
    const { waited } = used
    const told = `${options.backend.name}: ${why}`
    if (waited.times === usualWaits.length) return { kind: 'work-left', why: told }
    const now = clock.now().getTime()
    const until =
      resetsAt === undefined ? now + (usualWaits[waited.times] ?? 0) : Math.max(now, resetsAt.getTime()) + minute
    const ms = until - now
    const needed = waited.ms + ms
    if (needed > 1000 * options.limits.wait)
      return { kind: 'work-left', why: `${told}${leashWords(options.limits.wait, needed)}` }
    used.waited = { ms: needed, times: waited.times + 1 }
    doors.tell({ kind: 'waiting', until: new Date(until) })
    const wait = doors.waitForLimit?.(new Date(until))
    const over = wait === undefined ? interruption : AbortSignal.any([interruption, wait.ended])
    // `relay stop` ends the wait as well.
    for (let left = ms; left > 0 && !over.aborted; left -= glance) {
      if (await isAskedToStop(this.#parts.folder, doors.system)) break
      await clock.sleep(Math.min(left, glance), over)
    }
    wait?.over()
    if (interruption.aborted) return { kind: 'interrupted' }
    return wait?.ended.aborted === true ? { kind: 'work-left', why: `you ended the wait. ${told}` } : 'again'
  }
}

/** Where relay does wait, how long would have been enough. */
function leashWords(wait: number, neededMs: number): string {
  if (wait === 0) return ''
  const needed = Math.ceil(neededMs / minute)
  const enough = needed < 60 ? `${needed}m` : `${Math.ceil(needed / 60)}h`
  return ` (longer than relay waits; \`--wait ${enough}\` is enough)`
}

const minute = 60_000
/** How often relay looks for a `relay stop` while it waits, in milliseconds. */
const glance = 2000
/** Waits in milliseconds, for an agent that does not say when its limit ends. */
const usualWaits = [minute, 5 * minute, 15 * minute]

/** A turn that could not begin, or was cut by what is no fault of its work. */
function isNoAttempt({ status }: TurnEnd): boolean {
  return status === 'missing' || status === 'auth' || status === 'rate-limited' || status === 'over-limit'
}

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

/** In a text for the agent. */
export const mostNamed = 20
