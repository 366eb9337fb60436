import { RelayError } from '../errors.ts'
import type { Response } from '../model/response.ts'
import type { ClipboardBackEnd, Clock, ReadableText, System } from '../ports.ts'
import { asRelayError, CopyListener } from './copy-listener.ts'

export interface Copied {
  readonly response: Response
  /** The text was there before watching began: nobody copied it for relay. */
  readonly initial: boolean
}

/** The state of the watching itself; each change is reported once. */
export type ClipboardState =
  /** relay has looked for the first time, and notices every copy from now on. */
  | { readonly kind: 'watching' }
  | HealthState
  /** The desktop was expected to report copies and does not: relay looks again and again instead. */
  | { readonly kind: 'deaf'; readonly everyMs: number }

/** If the desktop reports copies, these looks only find lost reports: rare enough not to drain a battery. */
const safetyPauseMs = 5 * 60_000

/** The pause after a first failure; each later one is longer. */
const firstRetryMs = 500

/**
 * Each text that is copied, until the interruption. If the desktop reports copies relay looks right then, otherwise
 * every `intervalMs`. A failure is reported once and tried again after longer and longer pauses; it never ends the
 * watching.
 *
 * @param intervalMs answers the pause between two looks; called before each pause
 */
export async function* watchClipboard(
  backEnd: ClipboardBackEnd,
  system: Pick<System, 'clock' | 'interruption'>,
  intervalMs: () => number,
  tell: (state: ClipboardState) => void,
): AsyncGenerator<Copied> {
  const memory = new CopyMemory()
  const health = new Health(tell)
  /** A copy was reported, and no look since then has found it. */
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

/** One look after the other: at each reported copy, and in between. */
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

/** The result of the work, or `undefined` as soon as the signal aborts: the owner of the clipboard may hang. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const over = new AbortController()
  const aborted = new Promise<undefined>(resolve => {
    signal.addEventListener('abort', () => resolve(undefined), { signal: over.signal })
  })
  const brought = await Promise.race([work, aborted]).finally(() => over.abort())
  return signal.aborted ? undefined : brought
}

/** The time for a second try before a failure is reported. */
const secondChanceMs = 1000

/**
 * The text that the first look missed, or its failure. Some programs give a large text to one reader at a time: the
 * other gets no answer, and gets one right after.
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

/** Clipboard managers copy the same text again, and some programs copy twice: within this time that is no new copy. */
const sameCopyMs = 2000

/** Tells a new copy from what has been seen. */
class CopyMemory {
  #text: string | null = null
  #heardAt: number | undefined

  /** @param heard the desktop reports a copy just now: then the same text can be a new copy */
  isNew(text: string | null, heard: boolean, now: number): boolean {
    // The first look counts as well: the report of its text may come late.
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

/** After so many, about half a minute, a passing failure would be over. */
const lastingFailures = 6

/** A success that lasts this long ends a series of failures. */
const lastingMs = 10_000

/** Keeps account of failures to reach the clipboard, and of the pauses after them. */
class Health {
  readonly #tell: (state: HealthState) => void
  /** The message that was reported for the present failure. */
  #told: string | undefined
  #last: string | undefined
  /** Failures in a row; a short success does not end the series. */
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
    // The first message may be out of date: for instance the display is back, but refuses relay.
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

  /** The pause before the next look: `usual` when all is well, otherwise longer and longer. */
  pause(usual: number, first: number): number {
    if (!this.lost) return usual
    return Math.min(first * 2 ** Math.min(this.#failures, 10), Math.max(first, longestPauseMs))
  }
}
