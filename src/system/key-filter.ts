import { Buffer } from 'node:buffer'

/** What came from the keyboard, with everything taken out that a person did not type as an answer. */
export type Key =
  | { readonly kind: 'typed'; readonly bytes: Uint8Array }
  /** Ctrl+C. */
  | { readonly kind: 'interrupt' }
  /** Ctrl+Z. */
  | { readonly kind: 'suspend' }
  /** Ctrl+D. */
  | { readonly kind: 'end' }

/**
 * Stands between the keyboard and a question: drops what was typed before the question had been seen, and whatever is
 * pasted. Ctrl+C, Ctrl+Z and Ctrl+D go through at any time; Ctrl+C even inside a paste whose end never comes.
 */
export class KeyFilter {
  /** Until then nothing typed counts; on the same clock as the times given to `feed`. */
  guardEnd = Number.POSITIVE_INFINITY
  #pasting = false
  /** What may be the beginning of a marker whose rest has not come yet. */
  #held = ''

  feed(chunk: Uint8Array, now: number): readonly Key[] {
    const keys: Key[] = []
    // One character a byte: markers are found wherever the chunks were cut, and other bytes stay as they are.
    let rest = this.#held + Buffer.from(chunk).toString('latin1')
    this.#held = ''
    const counts = now >= this.guardEnd && chunk.length <= longestTyped

    while (rest !== '') {
      const marker = this.#pasting ? pasteEnd : pasteStart
      const at = rest.indexOf(marker)
      const whole = at === -1 ? rest.slice(0, rest.length - heldLength(rest, marker)) : rest.slice(0, at)
      if (this.#pasting) {
        if (whole.includes('\x03')) keys.push({ kind: 'interrupt' })
      } else keys.push(...keysIn(whole, counts))
      if (at === -1) {
        this.#held = rest.slice(whole.length)
        break
      }
      this.#pasting = !this.#pasting
      rest = rest.slice(at + marker.length)
    }
    return keys
  }
}

const pasteStart = '\x1b[200~'
const pasteEnd = '\x1b[201~'

/** More than this in one piece was never typed: a paste into a terminal that does not mark it. */
const longestTyped = 64

const controls: Readonly<Record<string, Key>> = {
  '\x03': { kind: 'interrupt' },
  '\x1a': { kind: 'suspend' },
  '\x04': { kind: 'end' },
}

function keysIn(text: string, counts: boolean): readonly Key[] {
  return text.split(/([\x03\x04\x1a])/).flatMap(part => {
    const control = controls[part]
    if (control !== undefined) return [control]
    return part !== '' && counts ? [{ kind: 'typed', bytes: Buffer.from(part, 'latin1') }] : []
  })
}

/** How much of the end could be the beginning of the marker. */
function heldLength(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length
  }
  return 0
}
