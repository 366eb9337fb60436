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
  /** Until then what comes may be the rest of a paste that was said to have ended. */
  #tailEnd = Number.NEGATIVE_INFINITY
  /** What has come of a paste that has not ended. */
  #paste: Paste | undefined
  /** What may be the beginning of a marker whose rest has not come yet. */
  #held = ''

  feed(chunk: Uint8Array, now: number): readonly Key[] {
    // One character a byte: markers are found wherever the chunks were cut, and other bytes stay as they are.
    const text = Buffer.from(chunk).toString('latin1')
    // In the middle of a pasted text it is a character of it; pressed, it comes alone.
    if (/^\x03+$/.test(text)) return [...text].map(() => ({ kind: 'interrupt' }))
    let rest = this.#held + text
    this.#held = ''
    const origin = this.#originOf(rest, chunk.length, now)
    const keys: Key[] = origin === 'unmarked' ? [{ kind: 'unmarked' }] : []
    while (rest !== '') {
      rest = this.#paste === undefined ? this.#outside(rest, origin, keys) : this.#inside(rest, this.#paste, keys)
    }
    return keys
  }

  /** Where all that comes in one piece is from, as far as it is not within a marked paste. */
  #originOf(text: string, length: number, now: number): Origin {
    const hasPaste = this.#paste !== undefined || text.includes(pasteStart) || text.includes(pasteEnd)
    if (hasPaste || now < this.#tailEnd) {
      this.#tailEnd = now + tailMs
      return 'paste'
    }
    if (length > longestTyped) return 'unmarked'
    return now >= this.guardEnd ? 'typed' : 'early'
  }

  /** Takes what stands before a paste, and answers what comes in it. */
  #outside(text: string, origin: Origin, keys: Key[]): string {
    const { before, behind } = this.#cutAt(pasteStart, text)
    keys.push(...keysIn(before, origin))
    if (behind === undefined) return ''
    this.#paste = new Paste()
    return behind
  }

  /** Takes what stands in a paste, and answers what comes after it. */
  #inside(text: string, paste: Paste, keys: Key[]): string {
    const { before, behind } = this.#cutAt(pasteEnd, text)
    paste.add(before)
    if (behind === undefined) return ''
    keys.push({ kind: 'pasted', bytes: paste.bytes() })
    this.#paste = undefined
    return behind
  }

  /** A text on either side of a marker. Where there is none, what may be the beginning of one is held back. */
  #cutAt(marker: string, text: string): { readonly before: string; readonly behind: string | undefined } {
    const at = text.indexOf(marker)
    if (at >= 0) return { before: text.slice(0, at), behind: text.slice(at + marker.length) }
    const end = text.length - heldLength(text, marker)
    this.#held = text.slice(end)
    return { before: text.slice(0, end), behind: undefined }
  }
}

/** `paste`: with a part of one, or so soon after it that it may be one. */
type Origin = 'typed' | 'early' | 'unmarked' | 'paste'

class Paste {
  readonly #pieces: string[] = []
  #length = 0

  /** What is longer than any response is cut, and so refused by whoever gets it. */
  add(text: string): void {
    if (this.#length > longestPaste) return
    this.#pieces.push(text)
    this.#length += text.length
  }

  bytes(): Uint8Array {
    return Buffer.from(this.#pieces.join(''), 'latin1')
  }
}

const longestPaste = 256 * 1024 * 1024

const pasteStart = '\x1b[200~'
const pasteEnd = '\x1b[201~'

/** A paste arrives without a pause as long as this, and a person needs longer to answer after it. */
const tailMs = 200

/** More than this in one piece was never typed: a paste into a terminal that does not mark it. */
const longestTyped = 64

const controls: ReadonlyMap<string, Key> = new Map([
  ['\x03', { kind: 'interrupt' }],
  ['\x1a', { kind: 'suspend' }],
  ['\x04', { kind: 'end' }],
])

function keysIn(text: string, origin: Origin): readonly Key[] {
  if (origin === 'paste') return []
  return text.split(/([\x03\x04\x1a])/).flatMap((part): readonly Key[] => {
    const control = controls.get(part)
    if (control !== undefined) return [control]
    return part === '' || origin === 'unmarked' ? [] : [{ kind: origin, bytes: Buffer.from(part, 'latin1') }]
  })
}

/** How much of the end could be the beginning of the marker. */
function heldLength(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length
  }
  return 0
}
