import type { Session } from './session.ts'

/** The clipboard's changes, one after the other; those that come while nobody waits count as one. */
export class Changes {
  readonly #session: Session
  readonly #signal: AbortSignal
  #changed = false
  #wake: (() => void) | undefined

  constructor(session: Session, signal: AbortSignal) {
    this.#session = session
    this.#signal = signal
    const wake = () => this.#wake?.()
    session.onNewOwner(({ owner }) => {
      // What we put there ourselves is no news.
      if (owner === session.window) return
      this.#changed = true
      wake()
    })
    session.connection.onClose(wake)
    signal.addEventListener('abort', wake, { once: true })
  }

  /** Ends with the next change; `false` when there will be none. */
  async next(): Promise<boolean> {
    for (;;) {
      if (this.#signal.aborted || this.#session.connection.closed !== undefined) return false
      if (this.#changed) {
        this.#changed = false
        return true
      }
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }
}
