import { Buffer } from 'node:buffer'

/** What came from the keyboard, without what a person did not type as an answer. */
export type Key =
  | { readonly kind: 'typed'; readonly bytes: Uint8Array }
  /** It was typed before the user saw the question, so it does not count. */
  | { readonly kind: 'early'; readonly bytes: Uint8Array }
  /** Ctrl+C. */
  | { readonly kind: 'interrupt' }
  /** Ctrl+Z. */
  | { readonly kind: 'suspend' }
  /** Ctrl+D. */
  | { readonly kind: 'end' }
  /** The whole of a pasted text. It never counts as keys. */
  | { readonly kind: 'pasted'; readonly bytes: Uint8Array }
  /** A paste, or a part of one, that the terminal did not mark. It is dropped. */
  | { readonly kind: 'unmarked' }

/**
 * Separates the keyboard's bytes into answers, early typing and pastes. Ctrl+C, Ctrl+Z and Ctrl+D pass at any time,
 * except inside a paste and right after one. Ctrl+C alone passes even inside a paste whose end never comes.
 *
 * A pasted text may hold the marker of its own end, and what follows that marker looks typed. So nothing counts as
 * typed that comes together with a part of a paste, or before the keyboard has been still for a moment.
 */
export class KeyFilter {
  /** Nothing typed before this time counts. It is on the same clock as the times given to `feed`. */
  guardEnd = Number.POSITIVE_INFINITY
  /** Until this time, input may be the rest of a paste whose end marker has come. */
  #tailEnd = Number.NEGATIVE_INFINITY
  /** The part that has come of a paste that has not ended. */
  #paste: Paste | undefined
  /** Possibly the beginning of a marker whose rest has not come yet. */
  #held = ''

  feed(chunk: Uint8Array, now: number): readonly Key[] {
    // One character for each byte: markers are found wherever the chunks were cut, and other bytes stay as they are.
    const text = Buffer.from(chunk).toString('latin1')
    // Inside a pasted text this byte is one of its characters. When a person presses Ctrl+C, it comes alone.
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

  /** Classifies what comes in one piece, unless it is inside a marked paste. */
  #originOf(text: string, length: number, now: number): Origin {
    const hasPaste = this.#paste !== undefined || text.includes(pasteStart) || text.includes(pasteEnd)
    if (hasPaste || now < this.#tailEnd) {
      this.#tailEnd = now + tailMs
      return 'paste'
    }
    if (length > longestTyped) return 'unmarked'
    return now >= this.guardEnd ? 'typed' : 'early'
  }

  /** Takes the text before a paste, and answers the rest. */
  #outside(text: string, origin: Origin, keys: Key[]): string {
    const { before, behind } = this.#cutAt(pasteStart, text)
    keys.push(...keysIn(before, origin))
    if (behind === undefined) return ''
    this.#paste = new Paste()
    return behind
  }

  /** Takes the text of a paste, and answers what follows it. */
  #inside(text: string, paste: Paste, keys: Key[]): string {
    const { before, behind } = this.#cutAt(pasteEnd, text)
    paste.add(before)
    if (behind === undefined) return ''
    keys.push({ kind: 'pasted', bytes: paste.bytes() })
    this.#paste = undefined
    return behind
  }

  /** Splits a text at a marker. Without one, the possible beginning of a marker is held back. */
  #cutAt(marker: string, text: string): { readonly before: string; readonly behind: string | undefined } {
    const at = text.indexOf(marker)
    if (at >= 0) return { before: text.slice(0, at), behind: text.slice(at + marker.length) }
    const end = text.length - heldLength(text, marker)
    this.#held = text.slice(end)
    return { before: text.slice(0, end), behind: undefined }
  }
}

/** `paste`: it came with a part of a paste, or so soon after one that it may belong to it. */
type Origin = 'typed' | 'early' | 'unmarked' | 'paste'

class Paste {
  readonly #pieces: string[] = []
  #length = 0

  /** A paste that is longer than any response is cut, and its receiver then refuses it. */
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

/** The parts of a paste arrive with shorter pauses than this, and a person needs longer to answer after it. */
const tailMs = 200

/** A longer piece was never typed: it was pasted into a terminal that does not mark pastes. */
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

/** How many characters at the end of `text` could begin the marker. */
function heldLength(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--) {
    if (text.endsWith(marker.slice(0, length))) return length
  }
  return 0
}
