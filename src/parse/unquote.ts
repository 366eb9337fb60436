import { lineEnd, lineStart, trimmed } from './lines.ts'

/**
 * The text with the `>` of a quotation taken off every line, where the whole answer was quoted, as mail and forums do.
 *
 * Prose may stand around the quotation, blocks may not: then it is an example within another text. A line without the
 * sign ends it, so that no file is put together from two places. Lines stay where they are. A blank behind the sign is the
 * sign's own, unless a text begins right behind one.
 */
export function unquote(text: string, from: number): { readonly text: string; readonly lines: number } | undefined {
  if (!holdsQuotedKey(text, from)) return undefined
  const lines: { readonly words: string; readonly isQuoted: boolean }[] = []
  let inside: 'before' | 'in' | 'behind' = 'before'
  for (let start = from; start <= text.length; ) {
    const end = lineEnd(text, start)
    const quoted = quotedLine(text, start, end)
    const isFilled = quoted === undefined && trimmed(text, start, Math.min(end, start + 200)) !== ''
    if (quoted !== undefined && inside === 'behind') return undefined
    if (quoted !== undefined) inside = 'in'
    else if (isFilled && inside === 'in') inside = 'behind'
    if (isFilled && /^[ \t]*(?:```|~~~)/.test(text.slice(start, start + 60))) return undefined
    const words = quoted ?? (inside === 'in' ? '' : text.slice(start, end))
    lines.push({ words, isQuoted: quoted !== undefined })
    start = end + 1
  }
  if (inside === 'before') return undefined
  // Neither a tab nor the sign of a quotation in the text needs a blank in front.
  const isOwn = lines.every(({ words, isQuoted }) => !isQuoted || words === '' || /^[ \t>]/.test(words))
  const said = lines.map(({ words, isQuoted }) => (isQuoted && isOwn ? words.replace(/^ /, '') : words))
  return { text: text.slice(0, from) + said.join('\n'), lines: 0 }
}

/** What stands behind the sign. */
function quotedLine(text: string, start: number, end: number): string | undefined {
  let at = start
  while (at < start + 4 && (text[at] === ' ' || text[at] === '\t')) at++
  if (at >= end || text[at] !== '>') return undefined
  return text.slice(at + 1, end)
}

/** Nearly no text does, so that nearly none is cut into lines. */
function holdsQuotedKey(text: string, from: number): boolean {
  for (let at = text.indexOf('projectId', from); at >= 0; at = text.indexOf('projectId', at + 9)) {
    const start = lineStart(text, at, 40)
    if (start !== undefined && /^[ \t]*>[> \t"'{]*$/.test(text.slice(start, at))) return true
  }
  return false
}
