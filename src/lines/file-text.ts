import { isUtf8 } from 'node:buffer'

/** A file's bytes as text. Beside the lines stand the facts that a comparison by lines does not see. */
export interface FileText {
  /** Without their ends. An empty file has none. */
  readonly lines: readonly string[]
  /** Counted without making the lines. */
  readonly lineCount: number
  /** How many of them end with CRLF. */
  readonly crlf: number
  readonly byteOrderMark: boolean
  /** The last line has an end. */
  readonly finalNewline: boolean
}

/**
 * Reads bytes as text. `undefined`: they are not UTF-8, or contain a NUL. The lines are made at their first use,
 * because a list of two hundred new files only counts them.
 */
export function readText(bytes: Uint8Array): FileText | undefined {
  if (bytes.includes(0) || !isUtf8(bytes)) return undefined
  const byteOrderMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  const finalNewline = bytes.at(-1) === 0x0a
  const isEmpty = bytes.length === (byteOrderMark ? 3 : 0)
  let known: Lines | undefined
  const read = () => {
    known ??= linesOf(bytes)
    return known
  }
  return {
    get lines() {
      return read().lines
    },
    lineCount: isEmpty ? 0 : linesIn(bytes),
    get crlf() {
      return bytes.includes(0x0d) ? read().crlf : 0
    },
    byteOrderMark,
    finalNewline,
  }
}

type Lines = Pick<FileText, 'lines' | 'crlf'>

function linesOf(bytes: Uint8Array): Lines {
  // The decoder removes a byte order mark by itself.
  const text = new TextDecoder().decode(bytes)
  if (text === '') return { lines: [], crlf: 0 }
  const finalNewline = text.endsWith('\n')
  const lines = (finalNewline ? text.slice(0, -1) : text).split('\n')
  // Most texts have none, and this check is much faster.
  if (!text.includes('\r')) return { lines, crlf: 0 }
  let crlf = 0
  const plain = lines.map((line, index) => {
    if (!line.endsWith('\r') || (index === lines.length - 1 && !finalNewline)) return line
    crlf++
    return line.slice(0, -1)
  })
  return { lines: plain, crlf }
}

/** A larger file is named and not shown: nobody reads it, and a pager chokes on it. */
const MOST_BYTES = 4_194_304
const MOST_LINES = 250_000

export function isTooLarge(file: { readonly bytes: Uint8Array } | null): boolean {
  if (file === null) return false
  const { bytes } = file
  return bytes.length > MOST_BYTES || (bytes.length > MOST_LINES && lineEndsIn(bytes) > MOST_LINES)
}

/** The last line may have no end. */
export function linesIn(bytes: Uint8Array): number {
  return lineEndsIn(bytes) + (bytes.length === 0 || bytes.at(-1) === 10 ? 0 : 1)
}

function lineEndsIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++
  return lines
}
