import { isBlank, lineEnd, lineStart, trimmed } from './lines.ts'

const tags = ['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'antThinking', 'analysis', 'scratchpad']
const openingTag = new RegExp(`^<(${tags.join('|')})(?:\\s[^>\\n]{0,200})?>`, 'i')
const lineTag = new RegExp(`^[ \\t]*<(${tags.join('|')})>[ \\t]*$`, 'm')
const details = /^<details(?:\s[^>\n]{0,200})?>\s*(?:<summary>[^<\n]{0,200}<\/summary>)?/i

/**
 * Where the answer begins when a section of the model's thinking was copied along in front of it.
 *
 * What stands in there is a draft: its blocks and its control block never count. A section without an end is all of it.
 */
export function skipThinking(text: string): number {
  let start = 0
  while (start < text.length && (isBlank(text.charCodeAt(start)) || text[start] === '\n')) start++
  const head = text.slice(start, start + 600)

  const tag = openingTag.exec(head)?.[1]
  if (tag !== undefined) return endOf(text, `</${tag}>`, start)
  const folded = details.exec(head)?.[0]
  if (folded !== undefined && /reasoning|think|thought/i.test(folded)) return endOf(text, '</details>', start)
  return endOfSecondSection(text, start) ?? start
}

/** The end of a section with a few words in front of it, `DeepSeek said:`, whose tags stand alone on their lines. */
function endOfSecondSection(text: string, start: number): number | undefined {
  const fence = text.slice(start, start + 2000).search(/```|~~~/)
  const front = text.slice(start, start + (fence < 0 ? 2000 : fence))
  const tag = lineTag.exec(front)?.[1]
  if (tag === undefined) return undefined
  const close = `</${tag}>`
  const at = text.indexOf(close, start)
  const line = at < 0 ? undefined : lineStart(text, at, 20)
  const isAlone = line !== undefined && trimmed(text, line, lineEnd(text, at)) === close
  return isAlone ? at + close.length : undefined
}

/** The end of a section whose beginning the chat did not give: a closing tag alone on its line. */
export function looseEnd(text: string, from: number): number | undefined {
  for (const tag of ['think', 'thinking']) {
    const close = `</${tag}>`
    const at = text.indexOf(close, from)
    if (at < 0) continue
    const start = lineStart(text, at, 20)
    const isAlone = start !== undefined && trimmed(text, start, lineEnd(text, at)) === close
    if (isAlone && !text.slice(from, at).includes(`<${tag}>`)) return at + close.length
  }
  return undefined
}

function endOf(text: string, close: string, from: number): number {
  const at = text.indexOf(close, from)
  if (at >= 0) return at + close.length
  const lower = text.slice(from).toLowerCase().indexOf(close.toLowerCase())
  return lower < 0 ? text.length : from + lower + close.length
}
