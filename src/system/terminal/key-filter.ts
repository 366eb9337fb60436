import { Buffer } from 'node:buffer'

/** What came from the keyboard, with everything taken out that a person did not type as an answer. */
export type Key =
  | { readonly kind: 'typed'; readonly bytes: Uint8Array }
  /** Typed before the question had been seen: it does not count. */
  | { readonly kind: 'early'; readonly bytes: Uint8Array }
  /** Ctrl+C. */
  | { readonly kind: 'interrupt' }
  /** Ctrl+Z. */
  | { readonly kind: 'suspend' }
  /** Ctrl+D. */
  | { readonly kind: 'end' }
  /** A text that was pasted, once all of it is there: never keys. */
  | { readonly kind: 'pasted'; readonly bytes: Uint8Array }
  /** A paste that the terminal did not mark, or a part of it: it is dropped. */
  | { readonly kind: 'unmarked' }

/**
 * Stands between the keyboard and whoever waits for keys: keeps apart what was typed before a question had been seen, and
 * what is pasted. Ctrl+C, Ctrl+Z and Ctrl+D go through at any time but out of a paste and right after one;
 * Ctrl+C by itself even inside one whose end never comes.
 *
 * A pasted text may hold the marker of its own end, and what follows that in it looks as if it were typed. So nothing
 * that comes together with a part of a paste is typed, nor what comes before the keyboard has been still for a moment.
 */
export class KeyFilter {
  /** Until then nothing typed counts; on the same clock as the times given to `feed`. */
  guardEnd = Number.POSITIVE_INFINITY
  #pasting = false
  /** Until then what comes may be the rest of a paste that was said to have ended. */
  #tailEnd = Number.NEGATIVE_INFINITY
  #pasted: string[] = []
  #pastedLength = 0
  /** What may be the beginning of a marker whose rest has not come yet. */
  #held = ''

  feed(chunk: Uint8Array, now: number): readonly Key[] {
    // One character a byte: markers are found wherever the chunks were cut, and other bytes stay as they are.
    const text = Buffer.from(chunk).toString('latin1')
    // In the middle of a pasted text it is a character of it; pressed, it comes alone.
    if (/^\x03+$/.test(text)) return [...text].map(() => ({ kind: 'interrupt' }))
    const keys: Key[] = []
    let rest = this.#held + text
    this.#held = ''
    const isPaste = this.#pasting || rest.includes(pasteStart) || rest.includes(pasteEnd)
    const isTail = now < this.#tailEnd
    if (isPaste || isTail) this.#tailEnd = now + tailMs
    const isUnmarked = !isPaste && !isTail && chunk.length > longestTyped
    const typed = isUnmarked ? undefined : now >= this.guardEnd ? 'typed' : 'early'
    if (isUnmarked) keys.push({ kind: 'unmarked' })

    while (rest !== '') {
      const marker = this.#pasting ? pasteEnd : pasteStart
      const at = rest.indexOf(marker)
      const whole = at === -1 ? rest.slice(0, rest.length - heldLength(rest, marker)) : rest.slice(0, at)
      if (this.#pasting) this.#keep(whole)
      else if (!isPaste && !isTail) keys.push(...keysIn(whole, typed))
      if (at === -1) {
        this.#held = rest.slice(whole.length)
        break
      }
      if (this.#pasting) keys.push({ kind: 'pasted', bytes: this.#takePasted() })
      this.#pasting = !this.#pasting
      rest = rest.slice(at + marker.length)
    }
    return keys
  }

  /** What is longer than any response is cut, and so refused by whoever gets it. */
  #keep(text: string): void {
    if (this.#pastedLength > longestPaste) return
    this.#pasted.push(text)
    this.#pastedLength += text.length
  }

  #takePasted(): Uint8Array {
    const bytes = Buffer.from(this.#pasted.join(''), 'latin1')
    this.#pasted = []
    this.#pastedLength = 0
    return bytes
  }
}

const longestPaste = 256 * 1024 * 1024

const pasteStart = '\x1b[200~'
const pasteEnd = '\x1b[201~'

/** A paste arrives without a pause as long as this, and a person needs longer to answer after it. */
const tailMs = 200

/** More than this in one piece was never typed: a paste into a terminal that does not mark it. */
const longestTyped = 64

const controls: Readonly<Record<string, Key>> = {
  '\x03': { kind: 'interrupt' },
  '\x1a': { kind: 'suspend' },
  '\x04': { kind: 'end' },
}

function keysIn(text: string, kind: 'typed' | 'early' | undefined): readonly Key[] {
  return text.split(/([\x03\x04\x1a])/).flatMap(part => {
    const control = controls[part]
    if (control !== undefined) return [control]
    return part !== '' && kind !== undefined ? [{ kind, bytes: Buffer.from(part, 'latin1') }] : []
  })
}

/** How much of the end could be the beginning of the marker. */
function heldLength(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length
  }
  return 0
}
