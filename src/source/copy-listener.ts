import { RelayError } from '../errors.ts'
import type { ClipboardBackEnd, Clock, ReadableText } from '../ports.ts'

/** Waits for copies that a back end reports, for a limited time. */
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
    // Nobody reads the copies any more, and an open connection would keep the program from ending.
    signal.addEventListener('abort', () => this.#copies?.return?.().catch(() => {}), { once: true })
  }

  /** The desktop does not report copies: relay can only look again and again. */
  get mustPoll(): boolean {
    return this.#mustPoll
  }

  /** Begins to listen, unless relay listens already. Answers the error that prevents it. */
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

  /**
   * Ends with the next copy, and answers how to read it; with the error that cut listening off; or when the time is
   * over.
   */
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

/** An unforeseen error must not end the watching either. */
export function asRelayError(error: unknown): RelayError {
  return error instanceof RelayError
    ? error
    : new RelayError('environment', 'Cannot read the clipboard', { cause: error })
}
