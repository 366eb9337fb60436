import { RelayError } from '../errors.ts'
import type { Response } from '../model/response.ts'
import type { ClipboardBackEnd, Clock, ReadableText, System } from '../ports.ts'
import { asRelayError, CopyListener } from './copy-listener.ts'

/** A text that has come to the clipboard. */
export interface Copied {
  readonly response: Response
  /** It was there before watching began: nobody copied it for relay. */
  readonly initial: boolean
}

/** What there is to know about the watching itself; each change is told once. */
export type ClipboardState =
  /** The first look is over: what is copied from now on will be noticed. */
  | { readonly kind: 'watching' }
  | HealthState
  /** The desktop was expected to tell of copies and does not: it is looked at again and again instead. */
  | { readonly kind: 'deaf'; readonly everyMs: number }

/** Where copies are told, a look in between only finds what got lost: so seldom that it does not count on a battery. */
const safetyPauseMs = 5 * 60_000

/** After a failure the next try comes this much later, and then ever more seldom. */
const firstRetryMs = 500

/**
 * Each text that is copied, until the interruption. Where the desktop tells of copies relay looks right then, else
 * every `intervalMs`. Whatever fails is told once and tried again ever more seldom; it never ends the watching.
 *
 * @param intervalMs answers the pause between two looks, asked anew each time
 */
export async function* watchClipboard(
  backEnd: ClipboardBackEnd,
  system: Pick<System, 'clock' | 'interruption'>,
  intervalMs: () => number,
  tell: (state: ClipboardState) => void,
): AsyncGenerator<Copied> {
  const memory = new CopyMemory()
  const health = new Health(tell)
  /** Word of a copy has come, and no look since then has seen anything. */
  let isTold = false
  let initial = true
  let isWatching = false
  for await (const { looked, isHeard } of looks(backEnd, system, intervalMs, health, tell)) {
    isTold ||= isHeard
    const now = system.clock.monotonic()
    if (looked instanceof RelayError) health.failed(looked, now)
    else {
      health.worked(now)
      if (memory.isNew(looked.text, isTold, now)) {
        yield { response: { text: looked.text ?? '', source: 'clipboard' }, initial: initial && !isTold }
      }
      initial = false
      isTold = false
    }
    if (!isWatching) tell({ kind: 'watching' })
    isWatching = true
  }
}

type Looked = { readonly text: string | null } | RelayError

/** One look after the other: at each copy that is heard of, and in between. */
async function* looks(
  backEnd: ClipboardBackEnd,
  { clock, interruption }: Pick<System, 'clock' | 'interruption'>,
  intervalMs: () => number,
  health: Health,
  tell: (state: ClipboardState) => void,
): AsyncGenerator<{ readonly looked: Looked; readonly isHeard: boolean }> {
  const listener = new CopyListener(backEnd, interruption)
  const see = async (copy: ReadableText) => {
    const seen = await look(copy, interruption)
    const isNews = seen instanceof RelayError && !health.lost && !interruption.aborted
    return isNews ? lookAgain(backEnd, seen, clock, interruption) : seen
  }
  const listenAndSee = async (copy: ReadableText) => (await listener.open()) ?? (await see(copy))
  let mustPoll = listener.mustPoll
  let heard: ReadableText | RelayError | undefined
  while (!interruption.aborted) {
    const looking = heard instanceof RelayError ? Promise.resolve(heard) : listenAndSee(heard ?? backEnd)
    const looked: Looked | undefined = await unlessAborted(looking, interruption)
    if (looked === undefined) return
    if (listener.mustPoll && !mustPoll) tell({ kind: 'deaf', everyMs: intervalMs() })
    mustPoll = listener.mustPoll
    yield { looked, isHeard: heard !== undefined && !(heard instanceof RelayError) }
    const pause = mustPoll ? intervalMs() : safetyPauseMs
    heard = await listener.wait(health.pause(pause, mustPoll ? pause : firstRetryMs), clock)
  }
}

/** What the work brings, or `undefined` at once when it is not wanted any more: who owns the clipboard may hang. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const over = new AbortController()
  const aborted = new Promise<undefined>(resolve => {
    signal.addEventListener('abort', () => resolve(undefined), { signal: over.signal })
  })
  const brought = await Promise.race([work, aborted]).finally(() => over.abort())
  return signal.aborted ? undefined : brought
}

/** How much later a failure may be told for another try. */
const secondChanceMs = 1000

/**
 * What the first look has missed, or its failure. A program that hands out a large text to one reader at a time leaves
 * the other without an answer, and has one for it right after.
 */
async function lookAgain(backEnd: ClipboardBackEnd, failure: RelayError, clock: Clock, signal: AbortSignal) {
  const over = new AbortController()
  const looked = await Promise.race([look(backEnd, signal), clock.sleep(secondChanceMs, over.signal)])
  over.abort()
  return looked === undefined || looked instanceof RelayError ? failure : looked
}

async function look(copy: ReadableText, signal: AbortSignal): Promise<Looked> {
  try {
    return { text: await copy.read(signal) }
  } catch (error) {
    return asRelayError(error)
  }
}

/** Clipboard managers take over what was just copied, and some programs copy twice: no new copy. */
const sameCopyMs = 2000

/** Tells a new copy from what has been seen. */
class CopyMemory {
  #text: string | null = null
  #heardAt: number | undefined

  /** @param heard the desktop says that somebody copied just now: then the same text can be a copy of its own */
  isNew(text: string | null, heard: boolean, now: number): boolean {
    // The first look counts as well: word of what was found there may come late.
    const isRepeat = this.#heardAt !== undefined && now - this.#heardAt < sameCopyMs
    if (heard || this.#heardAt === undefined) this.#heardAt = now
    if (text === null || text === '') return false
    if (text === this.#text) return heard && !isRepeat
    this.#text = text
    return true
  }
}

type HealthState =
  | { readonly kind: 'lost'; readonly message: string; readonly hint: string | undefined }
  | { readonly kind: 'back' }

const longestPauseMs = 30_000

/** By then, after half a minute, a failure of passage is over. */
const lastingFailures = 6

/** What works for so long does not count as flickering. */
const lastingMs = 10_000

/** Whether the clipboard can be reached, and how long to leave it alone when it cannot. */
class Health {
  readonly #tell: (state: HealthState) => void
  /** What was told of the failure that lasts. */
  #told: string | undefined
  #last: string | undefined
  /** Failures on end; a success that does not last does not end them. */
  #failures = 0
  #wellSince: number | undefined

  constructor(tell: (state: HealthState) => void) {
    this.#tell = tell
  }

  get lost(): boolean {
    return this.#told !== undefined
  }

  failed({ message, hint }: RelayError, now: number): void {
    if (this.#wellSince !== undefined && now - this.#wellSince >= lastingMs) this.#failures = 0
    this.#failures += 1
    this.#wellSince = undefined
    // What was said at first may no longer be so: the display is back, and does not let relay in any more.
    const isLasting = this.#failures >= lastingFailures && message === this.#last
    this.#last = message
    if (this.lost && (!isLasting || message === this.#told)) return
    this.#told = message
    this.#tell({ kind: 'lost', message, hint })
  }

  worked(now: number): void {
    this.#wellSince ??= now
    if (!this.lost) return
    this.#told = undefined
    this.#tell({ kind: 'back' })
  }

  /** How long to wait before the next look: `usual` when all is well, else ever longer. */
  pause(usual: number, first: number): number {
    if (!this.lost) return usual
    return Math.min(first * 2 ** Math.min(this.#failures, 10), Math.max(first, longestPauseMs))
  }
}
