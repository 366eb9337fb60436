import { RelayError } from '../../errors.ts'
import { secretsIn } from '../../ground/secret-names.ts'
import { someOf } from '../../ground/words.ts'
import type { AgentEvent, AgentUsage, TurnEnd } from '../../model/agent.ts'
import type { AttemptFacts, Stopped } from '../../model/task.ts'
import type { Checkout, Forward } from '../checkout/checkout.ts'
import { insteadOf } from '../checkout/env-in-checkout.ts'
import { withConfirmed } from '../checkout/turn-files.ts'
import { runAgent } from '../run/run-agent.ts'
import { setupFailure } from './setup-failure.ts'
import type { WorkCheckout } from './work-checkout.ts'
import type { WorkNote } from './work-note.ts'
import { limitReached, noteStep, type RunParts, StopRun } from './work-parts.ts'

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
      doors.tell({ kind: 'attempt-failed', task: note.task, attempt: note.attempt, why, isTold: false })
    }
    const { turn: _turn, landing: _landing, ...rest } = note
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
  async turn(note: WorkNote, facts: AttemptFacts, checkout: Checkout): Promise<WorkNote | StopRun> {
    const { book, options, doors, used, step } = this.#parts
    const { task, attempt } = note
    const { system, tell } = doors
    const { backend, sandbox, model, allow, limits, depth } = options
    const limit = limitReached(this.#parts)
    if (limit !== undefined) return new StopRun({ kind: 'work-left', why: limit })
    const isSetUp = await step('set up the checkout', () => this.#setUp(checkout))
    if (isSetUp instanceof StopRun) return isSetUp
    const { attempts, iterations } = limits
    const place =
      iterations === undefined ? { of: attempts } : { of: iterations, iteration: this.#parts.used.attempts + 1 }
    tell({ kind: 'attempt-begun', task, attempt, ...place })
    const wish = doors.takeUserNote()
    const before = wish === undefined ? facts.before : [...facts.before, `The user says: ${wish}`]
    const prompt = await step('make the envelope', () => book.envelope(task, { ...facts, before }))
    const ended = new AbortController()
    const onEvent = (event: AgentEvent) => {
      tell({ kind: 'agent', event })
      // Some agents report usage at the very end. A turn that is over is paid for, and counts.
      if (event.kind === 'usage') this.#parts.used.usage = sumOf(this.#parts.used.usage, event.usage)
      else if (event.kind !== 'end' && limitReached(this.#parts) !== undefined) ended.abort()
    }
    const interruption = AbortSignal.any([system.interruption, ended.signal])
    const start = system.clock.monotonic()
    const left = limits.time === undefined ? limits.timeout : limits.time - (start - used.began) / 1000
    const { confirmed } = options
    const run = () =>
      (options.run ?? runAgent)(
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
    this.#parts.used.attempts++
    const { resetsAt: _, ...turn } = end
    // A turn that is noted counts: what it made is on the disk first.
    await checkout.sync()
    return noteStep(
      'note the turn',
      { ...note, turn, ms: note.ms + ms, usage: sumOf(note.usage, end.usage) },
      this.#parts,
    )
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
    if (isOverLimit && status !== 'ok')
      return { kind: 'work-left', why: limitReached(this.#parts) ?? 'a limit was reached' }
    if (status === 'missing' || status === 'auth') return { kind: 'no-agent', why: `${options.backend.name}: ${why}` }
    return status === 'rate-limited' ? this.#waitForLimit(why, resetsAt) : undefined
  }

  async #waitForLimit(why: string, resetsAt: Date | undefined): Promise<Stopped | 'again'> {
    const { doors, options } = this.#parts
    const { clock, interruption } = doors.system
    const usual = usualWaits[this.#parts.used.waited.times] ?? 0
    const now = clock.now().getTime()
    const until = resetsAt === undefined ? now + usual : Math.max(now, resetsAt.getTime()) + minute
    const ms = until - now
    if (
      this.#parts.used.waited.times === usualWaits.length ||
      this.#parts.used.waited.ms + ms > 1000 * options.limits.wait
    ) {
      return { kind: 'work-left', why: `${options.backend.name} ${why}` }
    }
    this.#parts.used.waited = { ms: this.#parts.used.waited.ms + ms, times: this.#parts.used.waited.times + 1 }
    doors.tell({ kind: 'waiting', until: new Date(until) })
    await clock.sleep(ms, interruption)
    return interruption.aborted ? { kind: 'interrupted' } : 'again'
  }
}

const minute = 60_000
/** Waits in milliseconds, for an agent that does not say when its limit ends. */
const usualWaits = [minute, 5 * minute, 15 * minute]

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

function sumOf(one: AgentUsage, other: AgentUsage): AgentUsage {
  const sum = (key: keyof AgentUsage) => {
    const [a, b] = [one[key], other[key]]
    return a === undefined && b === undefined ? {} : { [key]: (a ?? 0) + (b ?? 0) }
  }
  return { ...sum('inputTokens'), ...sum('outputTokens'), ...sum('cost') }
}
