/**
 * The text of a `.gitignore` with a line for `.relaycode/`, or `null` if a line about that folder is there already, in
 * any form. Also a line that includes the folder (`!.relaycode/`): that is the user's will.
 *
 * The text may be in any encoding that contains ASCII, read as Latin-1: only its end changes.
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
