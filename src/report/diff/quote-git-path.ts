/** A path as git writes it into a patch. Where it could be misread, it stands in quotes with octal bytes. */
export function quoteGitPath(path: string): string {
  if (!/[^\x20-\x7e]|["\\]/.test(path)) return path
  let quoted = ''
  for (const byte of new TextEncoder().encode(path)) {
    const sign = String.fromCharCode(byte)
    if (ESCAPES[sign] !== undefined) quoted += ESCAPES[sign]
    else quoted += byte < 0x20 || byte > 0x7e ? `\\${byte.toString(8).padStart(3, '0')}` : sign
  }
  return `"${quoted}"`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
}
