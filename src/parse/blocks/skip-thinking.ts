import { isBlank, lineEnd, lineStart, trimmed } from '../lines/lines.ts'
import { findBlocks } from './find-blocks.ts'

const tags = ['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'antThinking', 'analysis', 'scratchpad']
const openingTag = new RegExp(`^<(${tags.join('|')})(?:\\s[^>\\n]{0,200})?>`, 'i')
const lineTag = new RegExp(`^[ \\t]*<(${tags.join('|')})>[ \\t]*$`, 'm')
const details = /^<details(?:\s[^>\n]{0,200})?>\s*(?:<summary>[^<\n]{0,200}<\/summary>)?/i

/** Where the answer begins. */
export interface Begin {
  readonly at: number
  /** The tag of a section that nothing closes: what follows may be the answer or a draft of it. */
  readonly unclosed?: string
}

/**
 * Where the answer begins when a section of the model's thinking was copied along in front of it.
 *
 * What stands in there is a draft: its blocks and its control block never count. Of a section without an end nobody can
 * tell where the answer begins.
 */
export function skipThinking(text: string): Begin {
  let start = 0
  while (isBlank(text.charCodeAt(start)) || text[start] === '\n') start++
  const head = text.slice(start, start + 600)

  const tag = openingTag.exec(head)?.[1]
  if (tag !== undefined) return endOf(text, tag, start)
  const folded = details.exec(head)?.[0]
  if (folded !== undefined && /reasoning|think|thought/i.test(folded)) return endOf(text, 'details', start)
  return secondSection(text, start) ?? { at: start }
}

/** A section with a few words in front of it, `DeepSeek said:`, whose tags stand alone on their lines. */
function secondSection(text: string, start: number): Begin | undefined {
  const fence = text.slice(start, start + 2000).search(/```|~~~/)
  const front = text.slice(start, start + (fence < 0 ? 2000 : fence))
  const tag = lineTag.exec(front)?.[1]
  if (tag === undefined) return undefined
  const close = `</${tag}>`
  const at = text.indexOf(close, start)
  if (at < 0) return { at: start, unclosed: `<${tag}>` }
  return standsAlone(text, at, close) ? { at: at + close.length } : undefined
}

/** The end of a section whose beginning the chat did not give: a closing tag alone on its line. */
export function looseEnd(text: string, from: number): number | undefined {
  for (const tag of ['think', 'thinking']) {
    const close = `</${tag}>`
    const at = text.indexOf(close, from)
    if (at < 0) continue
    if (standsAlone(text, at, close) && !text.slice(from, at).includes(`<${tag}>`)) return at + close.length
  }
  return undefined
}

function standsAlone(text: string, at: number, tag: string): boolean {
  const line = lineStart(text, at, 20)
  return line !== undefined && trimmed(text, line, lineEnd(text, at)) === tag
}

function endOf(text: string, tag: string, from: number): Begin {
  const close = `</${tag}>`
  const closing = new RegExp(close, 'gi')
  closing.lastIndex = from
  const at = closing.exec(text)?.index
  if (at !== undefined && !isInFile(text, at, from)) return { at: at + close.length }
  return { at: text.indexOf('>', from) + 1, unclosed: `<${tag}>` }
}

/** The closing tag is a line of the answer's own files: the section before it has no end. */
function isInFile(text: string, at: number, from: number): boolean {
  return findBlocks(text, from).blocks.some(
    ({ hasStart, how, unsure, uneven, start, after }) =>
      hasStart && how === 'end' && !unsure && !uneven && start < at && at < after,
  )
}
