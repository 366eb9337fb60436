import type { Clock } from '../../src/ports.ts'

interface Sleeper {
  readonly until: number
  wake(): void
}

/** A clock that a test moves by hand, or, with `auto`, one that jumps on as soon as somebody sleeps. */
export class FakeClock implements Clock {
  /** Every sleep ends at once, and the time has passed. */
  auto: boolean
  readonly #start: number
  #elapsed = 0
  readonly #sleepers = new Set<Sleeper>()
  #noticed: (() => void)[] = []

  constructor(options: { readonly auto?: boolean; readonly start?: string } = {}) {
    this.auto = options.auto ?? false
    this.#start = Date.parse(options.start ?? '2026-11-20T14:02:11.000Z')
  }

  now(): Date {
    return new Date(this.#start + this.#elapsed)
  }

  monotonic(): number {
    return this.#elapsed
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return
    if (this.auto && Number.isFinite(ms)) {
      this.#elapsed += ms
      // A full turn, so that a loop of sleeps does not starve everybody else.
      await turn()
      return
    }
    await new Promise<void>(resolve => {
      const wake = () => {
        this.#sleepers.delete(sleeper)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const sleeper: Sleeper = { until: this.#elapsed + ms, wake }
      this.#sleepers.add(sleeper)
      signal?.addEventListener('abort', wake)
      for (const notice of this.#noticed.splice(0)) notice()
    })
  }

  /** How many sleep at this moment. */
  get sleeping(): number {
    return this.#sleepers.size
  }

  /** Ends when somebody sleeps. */
  async someoneSleeps(): Promise<void> {
    if (this.#sleepers.size > 0) return
    await new Promise<void>(resolve => this.#noticed.push(resolve))
  }

  /** Lets time pass: whoever's sleep ends in it wakes in order, and may sleep again within it. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms
    await settle()
    for (;;) {
      const next = [...this.#sleepers].sort((a, b) => a.until - b.until)[0]
      if (next === undefined || next.until > end) break
      this.#elapsed = Math.max(this.#elapsed, next.until)
      next.wake()
      await settle()
    }
    this.#elapsed = end
  }
}

/** Lets everything that is ready go on. */
async function settle(): Promise<void> {
  for (let i = 0; i < 5; i++) await turn()
}

function turn(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
