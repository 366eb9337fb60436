import { isUtf8 } from 'node:buffer'

/** A file's text as edits meet it: lines without their ends, and all that is needed to leave the rest as it is. */
export interface EditedText {
  /** Without a byte order mark; the last line has an end here, also where it has none in the file. */
  readonly text: string
  readonly lines: readonly string[]
  /** Where each line begins in the text, and behind the last one where that ends. */
  readonly starts: readonly number[]
  readonly hasMark: boolean
  readonly finalNewline: boolean
  /** The bytes were no UTF-8: each of them is one letter here, and only ASCII may be added. */
  readonly isBytes: boolean
}

/** Reads a file's bytes. An empty file has no lines. */
export function editedText(bytes: Uint8Array): EditedText {
  const isBytes = !isUtf8(bytes)
  return splitText(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(isBytes ? 'latin1' : 'utf8'),
    isBytes,
  )
}

/** Splits a text into lines; CRLF and LF both end one. */
export function splitText(whole: string, isBytes = false): EditedText {
  const hasMark = whole.startsWith('\ufeff')
  const plain = hasMark ? whole.slice(1) : whole
  const finalNewline = plain === '' || plain.endsWith('\n')
  const text = finalNewline ? plain : `${plain}${plain.includes('\r\n') ? '\r\n' : '\n'}`
  const lines: string[] = []
  const starts: number[] = []
  let at = 0
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
    starts.push(at)
    lines.push(text.slice(at, text[end - 1] === '\r' && end > at ? end - 1 : end))
    at = end + 1
  }
  starts.push(at)
  return { text, lines, starts, hasMark, finalNewline, isBytes }
}

/** What ends a line of a text. */
export function endOfLine({ text, starts }: EditedText, line: number): string {
  return text[(starts[line + 1] ?? 0) - 2] === '\r' ? '\r\n' : '\n'
}

/** The bytes of a text that was read from a file, and changed. */
export function bytesOf(whole: string, isBytes: boolean): Uint8Array {
  return Buffer.from(whole, isBytes ? 'latin1' : 'utf8')
}
