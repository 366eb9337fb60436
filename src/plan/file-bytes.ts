/**
 * The exact bytes that a text becomes in a file: the line end and the byte order mark of the file that it replaces stay,
 * a new file gets LF and no mark.
 *
 * The more frequent line end counts where a file has both; LF when it has neither or as many. A mark that the text brings
 * itself is kept, but never twice. A text without any content is a file without any bytes.
 */
export function fileBytes(content: string, before: Uint8Array | undefined): Uint8Array {
  const own = content.replace(/^\ufeff+/, '')
  const mark = own.length < content.length || (own !== '' && before !== undefined && hasMark(before))
  const text = before !== undefined && endsLinesWithCrlf(before) ? own.replace(/\r?\n/g, '\r\n') : own
  return new TextEncoder().encode(mark ? `\ufeff${text}` : text)
}

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function endsLinesWithCrlf(bytes: Uint8Array): boolean {
  let crlf = 0
  let lf = 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at - 1] === CR) crlf++
    else lf++
  }
  return crlf > lf
}

const CR = 0x0d
const LF = 0x0a
