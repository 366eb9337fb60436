import { RelayError } from '../errors.ts'
import type { ClipboardBackEnd, Clock, ReadableText } from '../ports.ts'

/** Waits for what a back end tells, and no longer than it is told to. */
export class CopyListener {
  readonly #backEnd: ClipboardBackEnd
  readonly #signal: AbortSignal
  #copies: AsyncIterator<ReadableText> | undefined
  #next: Promise<Heard> | undefined
  #mustPoll: boolean

  constructor(backEnd: ClipboardBackEnd, signal: AbortSignal) {
    this.#backEnd = backEnd
    this.#signal = signal
    this.#mustPoll = backEnd.listen === undefined
    // Nobody asks any more what there is to be heard, and a line that stays open keeps the program from its end.
    signal.addEventListener('abort', () => this.#copies?.return?.().catch(() => {}), { once: true })
  }

  /** There is nothing to be heard here: looking again and again is the only way. */
  get mustPoll(): boolean {
    return this.#mustPoll
  }

  /** Begins to listen where that has not begun or was cut off; answers what is in the way. */
  async open(): Promise<RelayError | undefined> {
    if (this.#mustPoll || this.#copies !== undefined) return undefined
    this.#copies = this.#backEnd.listen?.(this.#signal)[Symbol.asyncIterator]()
    const begun = await this.#hear()
    if (begun.kind === 'copy') return undefined
    this.#copies = undefined
    if (begun.kind === 'failed') return begun.error
    this.#mustPoll = true
    return undefined
  }

  /** Ends with the next copy and answers how to read it; when listening is cut off, and why; or when the time is over. */
  async wait(ms: number, clock: Clock): Promise<ReadableText | RelayError | undefined> {
    if (this.#copies === undefined) {
      await clock.sleep(ms, this.#signal)
      return undefined
    }
    this.#next ??= this.#hear()
    const woken = new AbortController()
    const wake = () => woken.abort()
    this.#signal.addEventListener('abort', wake)
    let heard: Heard | undefined
    this.#next.then(next => {
      heard = next
      wake()
    })
    await clock.sleep(ms, woken.signal)
    this.#signal.removeEventListener('abort', wake)
    if (heard === undefined) return undefined
    this.#next = undefined
    if (heard.kind === 'copy') return heard.copy
    this.#copies = undefined
    if (heard.kind === 'failed') return heard.error
    this.#mustPoll = true
    return undefined
  }

  async #hear(): Promise<Heard> {
    try {
      const next = await this.#copies?.next()
      return next?.done === false ? { kind: 'copy', copy: next.value } : { kind: 'nothing' }
    } catch (error) {
      return { kind: 'failed', error: asRelayError(error) }
    }
  }
}

type Heard =
  | { readonly kind: 'copy'; readonly copy: ReadableText }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'failed'; readonly error: RelayError }

/** What nobody foresaw must not end the watching either. */
export function asRelayError(error: unknown): RelayError {
  return error instanceof RelayError
    ? error
    : new RelayError('environment', 'Cannot read the clipboard', { cause: error })
}
