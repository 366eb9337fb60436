import type { Clock } from '../../ports.ts'

/** The time that relay takes for something: while a person thinks or types it stands still. */
export class Stopwatch {
  readonly #clock: Clock
  readonly #began: number
  #without = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#began = clock.monotonic()
  }

  /** Milliseconds. */
  get ms(): number {
    return this.#clock.monotonic() - this.#began - this.#without
  }

  /** Waits for a person. */
  async without<T>(person: () => Promise<T>): Promise<T> {
    const began = this.#clock.monotonic()
    try {
      return await person()
    } finally {
      this.#without += this.#clock.monotonic() - began
    }
  }
}
