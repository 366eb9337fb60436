import { Buffer } from 'node:buffer'
import type { Key } from './key-filter.ts'

/** Half a second: nobody reads what has just been printed and presses a key for it faster. */
const quietMs = 500

/**
 * Tells a key that is meant for relay from all else that comes from a keyboard: it comes alone, after half a second in
 * which nothing was typed and nothing printed.
 *
 * So what was typed for the question before is no key, and neither is a text from a terminal that does not mark pastes.
 */
export class LoneKey {
  #stirredAt = Number.NEGATIVE_INFINITY

  /** Something was printed: what is typed right now was not typed for it. */
  stir(now: number): void {
    this.#stirredAt = now
  }

  /** The key in all that came at once, if it is one; the Enter behind it is a habit from the questions. */
  take(keys: readonly Key[], now: number): string | undefined {
    const isQuiet = now - this.#stirredAt >= quietMs
    this.#stirredAt = now
    const [key] = keys
    if (!isQuiet || keys.length !== 1 || key?.kind !== 'typed') return undefined
    const text = Buffer.from(key.bytes)
      .toString('utf8')
      .replace(/[\r\n]$/, '')
    return /^[^\p{C}\s\ufffd]$/u.test(text) ? text : undefined
  }
}
