import type { RelayError } from '../errors.ts'

export type HealthState =
  | { readonly kind: 'lost'; readonly message: string; readonly hint: string | undefined }
  | { readonly kind: 'back' }

const longestPauseMs = 30_000

/** By then, after half a minute, a failure of passage is over. */
const lastingFailures = 6

/** What works for so long does not count as flickering. */
const lastingMs = 10_000

/** Whether the clipboard can be reached, and how long to leave it alone when it cannot. */
export class Health {
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
