/**
 * What brings a terminal's cursor to the start of an empty line. A terminal shows Ctrl+C as `^C` wherever the cursor
 * is, behind a live line for instance; what comes next, be it the shell's prompt, should not stand behind that.
 */
export function lineStart(stream: { readonly isTTY?: boolean }, term = process.env['TERM']): string {
  if (stream.isTTY !== true) return ''
  return term === 'dumb' ? '\n' : '\r\x1b[K'
}
