/** A file's bytes as text, with what a line-by-line comparison does not see kept beside the lines. */
export interface FileText {
  /** Without their ends. An empty file has none. */
  readonly lines: readonly string[]
  /** How many of them end with CRLF. */
  readonly crlf: number
  readonly byteOrderMark: boolean
  /** Whether the last line has an end. */
  readonly finalNewline: boolean
}

/** Reads bytes as text, or answers `undefined` when they are none: not UTF-8, or with a NUL in them. */
export function readText(bytes: Uint8Array): FileText | undefined {
  if (bytes.includes(0)) return undefined
  const text = decode(bytes)
  if (text === undefined) return undefined
  const byteOrderMark = text.startsWith('\ufeff')
  const start = byteOrderMark ? 1 : 0
  const finalNewline = text.endsWith('\n')
  const lines = text.length === start ? [] : text.slice(start, finalNewline ? -1 : undefined).split('\n')
  // Most texts have none, and that is told much faster.
  if (!text.includes('\r')) return { lines, crlf: 0, byteOrderMark, finalNewline }
  let crlf = 0
  const plain = lines.map((line, index) => {
    if (!line.endsWith('\r') || (index === lines.length - 1 && !finalNewline)) return line
    crlf++
    return line.slice(0, -1)
  })
  return { lines: plain, crlf, byteOrderMark, finalNewline }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
