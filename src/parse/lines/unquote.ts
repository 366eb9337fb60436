import { lineStart, trimmed } from './lines.ts'

/**
 * The text with the `>` of a quotation taken off every line, where the whole answer was quoted, as mail and forums do.
 *
 * Prose may stand around the quotation, blocks may not: then it is an example within another text. A line without the
 * sign ends it, so that no file is put together from two places. Lines stay where they are. A blank behind the sign is the
 * sign's own, unless a text begins right behind one.
 */
export function unquote(text: string, from: number): { readonly text: string; readonly lines: number } | undefined {
  if (!holdsQuotedKey(text, from)) return undefined
  const lines = text.slice(from).split('\n')
  const quoted = lines.map(behindSign)
  const begin = quoted.findIndex(words => words !== undefined)
  const prose = lines.findIndex((line, at) => at > begin && quoted[at] === undefined && isFilled(line))
  const end = prose < 0 ? lines.length : prose
  if (begin < 0 || quoted.slice(end).some(words => words !== undefined) || lines.some(isFence)) return undefined
  // Neither a tab nor the sign of a quotation in the text needs a blank in front.
  const isOwn = quoted.every(words => words === undefined || words === '' || /^[ \t>]/.test(words))
  const said = lines.map((line, at) => {
    const words = quoted[at] ?? (at > begin && at < end ? '' : line)
    return isOwn && quoted[at] !== undefined ? words.replace(/^ /, '') : words
  })
  return { text: text.slice(0, from) + said.join('\n'), lines: 0 }
}

function behindSign(line: string): string | undefined {
  const sign = /^[ \t]{0,4}>/.exec(line)?.[0]
  return sign === undefined ? undefined : line.slice(sign.length)
}

function isFilled(line: string): boolean {
  return trimmed(line, 0, Math.min(line.length, 200)) !== ''
}

function isFence(line: string): boolean {
  return /^[ \t]*(?:```|~~~)/.test(line.slice(0, 60))
}

/** Nearly no text does, so that nearly none is cut into lines. */
function holdsQuotedKey(text: string, from: number): boolean {
  for (let at = text.indexOf('projectId', from); at >= 0; at = text.indexOf('projectId', at + 9)) {
    const start = lineStart(text, at, 40)
    if (start !== undefined && /^[ \t]*>[> \t"'{]*$/.test(text.slice(start, at))) return true
  }
  return false
}
