/**
 * The text of a `.gitignore` with a line for `.relaycode/`, or `null` when it needs none: a line about that folder is
 * there already, in whatever form. A line that takes it back (`!.relaycode/`) is the user's will, and stays alone too.
 *
 * The text may be in any encoding in which ASCII is ASCII, read as Latin-1: only its end is added to.
 */
export function addIgnoreLine(text: string): string | null {
  const lines = text
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .split('\n')
    .map(line => line.trimEnd())
  if (lines.some(line => /^!?(?:\*\*\/|\/)?\.relaycode(?:\/|\/\*\*?)?$/.test(line))) return null
  const newline = text.includes('\r\n') ? '\r\n' : '\n'
  const between = text === '' || text.endsWith('\n') ? '' : newline
  return `${text}${between}.relaycode/${newline}`
}
