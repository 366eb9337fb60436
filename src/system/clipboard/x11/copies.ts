import type { ReadableText } from '../../../ports.ts'
import { sizeLimit } from '../trouble.ts'
import { readCopy } from './read-text.ts'
import type { Session } from './session.ts'

/** One copy, while it is read and until it is handed out. */
interface Reading {
  /** Another one was made before its owner had answered. */
  overtaken: boolean
  /** How much of it has come. */
  held: number
  end: { readonly text: string | null } | { readonly error: unknown } | undefined
}

/** How many owners may keep us waiting at a time; of the copies beyond that the newest is read. */
const mostReadings = 16

/**
 * Reads each copy as soon as the server tells of it, and hands the texts out in the order of copying.
 *
 * Copies are not read one after the other: a slow owner, or a machine that is busy, would cost those in between. Only
 * when they are very large those behind the first wait, each with its owner, so that the memory is bounded.
 */
export class Copies {
  readonly #session: Session
  readonly #signal: AbortSignal
  readonly #mostHeld: number
  /** In the order of copying; those whose owner is gone fall out. */
  #readings: Reading[] = []
  /** The owner of a copy that is not being read yet. */
  #due: number | undefined
  #last: { readonly text: string | null; readonly overtaken: boolean } | undefined
  #wake: (() => void) | undefined
  readonly #paused = new Map<Reading, () => void>()

  /** @param mostHeld how many bytes all of them together may hold before only the first goes on */
  constructor(session: Session, signal: AbortSignal, mostHeld = sizeLimit) {
    this.#session = session
    this.#signal = signal
    this.#mostHeld = mostHeld
    const wake = () => this.#wake?.()
    session.onNewOwner(({ owner }) => {
      for (const reading of this.#readings) reading.overtaken ||= reading.end === undefined
      // What we put there ourselves is no news.
      this.#due = owner === session.window ? undefined : owner
      // Only the last of what arrived together can still be had.
      queueMicrotask(() => this.#begin())
    })
    session.connection.onClose(wake)
    signal.addEventListener('abort', wake, { once: true })
  }

  /** Ends with the next copy; `undefined` when there will be none. */
  async next(): Promise<ReadableText | undefined> {
    for (;;) {
      if (this.#signal.aborted) return undefined
      const isCutOff = this.#session.connection.closed !== undefined
      if (isCutOff) this.#readings = this.#readings.filter(({ end }) => end !== undefined && 'text' in end)
      const [first] = this.#readings
      if (first?.end !== undefined) {
        this.#drop(first)
        if (!this.#isKnown(first)) return { read: async () => textOf(first) }
        continue
      }
      if (isCutOff) return undefined
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  #begin(): void {
    const owner = this.#due
    const waiting = this.#readings.filter(({ end }) => end === undefined).length
    if (owner === undefined || waiting >= mostReadings) return
    this.#due = undefined
    const reading: Reading = { overtaken: false, held: 0, end: undefined }
    this.#readings.push(reading)
    const isOvertaken = () => reading.overtaken
    readCopy(this.#session, owner, isOvertaken, received => this.#pace(reading, received))
      .then(
        text => {
          reading.end = { text }
          reading.held = text?.length ?? 0
        },
        error => {
          reading.end = { error }
          // The newest is what counts, and will say so itself if it cannot be read either.
          if (reading.overtaken) this.#drop(reading)
        },
      )
      .then(() => {
        this.#begin()
        this.#wake?.()
      })
  }

  #pace(reading: Reading, received: number): Promise<void> | undefined {
    reading.held = received
    if (this.#mayGoOn(reading)) return undefined
    return new Promise(resolve => this.#paused.set(reading, resolve))
  }

  /** The first always may: it is what the others wait for. */
  #mayGoOn(reading: Reading): boolean {
    return this.#readings[0] === reading || this.#readings.reduce((sum, { held }) => sum + held, 0) < this.#mostHeld
  }

  /** Makes room for those behind it. */
  #drop(reading: Reading): void {
    this.#readings = this.#readings.filter(other => other !== reading)
    for (const [paused, goOn] of this.#paused) {
      if (!this.#mayGoOn(paused)) continue
      this.#paused.delete(paused)
      goOn()
    }
  }

  /** The owner that overtook a copy has answered for it, and now for its own. */
  #isKnown({ end, overtaken }: Reading): boolean {
    if (end === undefined || 'error' in end) return false
    const isKnown = this.#last?.overtaken === true && this.#last.text === end.text
    this.#last = { text: end.text, overtaken }
    return isKnown
  }
}

function textOf({ end }: Reading): string | null {
  if (end !== undefined && 'text' in end) return end.text
  throw end?.error
}
