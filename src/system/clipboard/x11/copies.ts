import type { ReadableText } from '../../../ports.ts'
import { sizeLimit } from '../trouble.ts'
import { readCopy } from './read-text.ts'
import type { Session } from './session.ts'

/** One copy, from the start of its reading until its text is handed out. */
interface Reading {
  /** A newer copy was made before its owner had answered. */
  overtaken: boolean
  /** How many bytes of it have come. */
  held: number
  end: { readonly text: string | null } | { readonly error: unknown } | undefined
}

/** How many owners may keep us waiting at a time. Of further copies only the newest is read. */
const mostReadings = 16

/**
 * Reads each copy as soon as the server tells about it, and hands the texts out in the order of copying.
 *
 * Copies are read at the same time: a slow owner, or a busy machine, would lose those in between. Only very large
 * ones make later owners wait, so that the memory is bounded.
 */
export class Copies {
  readonly #session: Session
  readonly #signal: AbortSignal
  readonly #mostHeld: number
  /** In the order of copying. A copy whose owner is gone falls out. */
  #readings: Reading[] = []
  /** The owner of a copy whose reading has not begun. */
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
      // Our own text is no news.
      this.#due = owner === session.window ? undefined : owner
      // Of copies that arrive together only the last is still there.
      queueMicrotask(() => this.#begin())
    })
    session.connection.onClose(wake)
    signal.addEventListener('abort', wake, { once: true })
  }

  /** Waits for the next copy; `undefined` when there will be none. */
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
          // The newest copy counts, and reports its own error if it cannot be read either.
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

  /** The first always may: the others wait for it. */
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

  /** The program whose copy overtook this one has answered for this one, and now for its own. */
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
