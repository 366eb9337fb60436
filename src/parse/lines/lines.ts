/**
 * Lines of a response, as offsets into its text.
 *
 * Nothing here cuts the text up: an answer may be tens of megabytes, and most of its lines are never looked at.
 */

/** Tells the blanks that chats leave beside control words: also no-break spaces, zero-width marks and stray CRs. */
export function isBlank(code: number): boolean {
  if (code > 32) return code === 0xa0 || code === 0x200b || code === 0x2060 || code === 0xfeff || code === 0x202f
  return code === 32 || code === 9 || code === 13 || code === 11 || code === 12
}

/** Where the line around `at` begins, if that is not farther away than `within`: lines may be megabytes long. */
export function lineStart(text: string, at: number, within: number): number | undefined {
  const lowest = Math.max(0, at - within)
  for (let start = at; start >= lowest; start--) {
    if (start === 0 || text.charCodeAt(start - 1) === 10) return start
  }
  return undefined
}

/** The offset of the LF that ends the line at `at`, or the text's end. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** The same, if that is not farther away than `within`; else so far. */
export function lineEndWithin(text: string, at: number, within: number): number {
  const end = text.slice(at, at + within).indexOf('\n')
  return end < 0 ? Math.min(at + within, text.length) : at + end
}

/** Where the line after the one that ends at `end` begins. */
export function afterLine(text: string, end: number): number {
  return Math.min(end + 1, text.length)
}

/** A piece of a text; `to` is behind its end. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A piece of the text without the blanks around it. */
export function trimmed(text: string, from: number, to: number): string {
  let start = from
  let end = to
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** A line without the LF at its end. */
export interface Line {
  readonly start: number
  readonly end: number
}

/** The first line from `from` on that holds more than blanks, if there is one before `to`. */
export function nextFilledLine(text: string, from: number, to = text.length): Line | undefined {
  let start = from
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at)
    if (code === 10) start = at + 1
    else if (!isBlank(code)) return { start, end: Math.min(lineEnd(text, at), to) }
  }
  return undefined
}

/** The last line before the line start `before` that holds more than blanks, if there is one from `from` on. */
export function previousFilledLine(text: string, before: number, from: number): Line | undefined {
  let end = before - 1
  for (let at = before - 1; at >= from; at--) {
    const code = text.charCodeAt(at)
    if (code === 10) end = at
    else if (!isBlank(code)) return { start: Math.max(text.lastIndexOf('\n', at) + 1, from), end }
  }
  return undefined
}

/** How many lines end before an offset. */
export function linesBefore(text: string, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** Answers the 1-based line of an offset. */
export type LineOf = (offset: number) => number

/** Numbers the lines of a text from its first one's number; the count is made once, when it is first asked for. */
export function lineNumbers(text: string, firstLine: number): LineOf {
  let ends: number[] | undefined
  return offset => {
    if (ends === undefined) {
      ends = []
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) ends.push(at)
    }
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle] ?? 0) < offset) low = middle + 1
      else high = middle
    }
    return firstLine + low
  }
}

/** Finds the next place of something from an offset on; infinity when there is none. */
export type Seek = (from: number) => number

/** Finds a word from an offset on. */
export function seeker(text: string, word: string): Seek {
  return remembering((from, before) => {
    const isNear = Number.isFinite(before)
    const at = isNear ? text.slice(from, before + word.length - 1).indexOf(word) : text.indexOf(word, from)
    if (at < 0) return Number.POSITIVE_INFINITY
    return isNear ? from + at : at
  })
}

/** What a search has told: from one place on, the other is the first. */
interface Searched {
  readonly from: number
  readonly found: number
}

/**
 * A search that remembers how far it has looked, and its last answer to an earlier place, for which it looks no further.
 *
 * Without the memory, asking block by block for what stands far away would read the text once per block.
 */
export function remembering(find: (from: number, before: number) => number): Seek {
  let last: Searched = { from: 0, found: -1 }
  let earlier = last
  return from => {
    if (last.from <= from && from <= last.found) return last.found
    if (earlier.from <= from && from <= earlier.found) return earlier.found
    if (from < last.from) {
      earlier = { from, found: Math.min(find(from, last.from), last.found) }
      return earlier.found
    }
    last = { from, found: find(from, Number.POSITIVE_INFINITY) }
    return last.found
  }
}
