import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import { isLiteral, placeholder, putBlocks } from './literal-blocks.ts'

/**
 * Plain data (objects, maps, arrays, texts, numbers, booleans, null) as YAML that a person can read and any reader
 * takes: long texts as literal blocks, texts with fragile characters double-quoted with those characters escaped.
 * Keys without a value (`undefined`) are left out.
 */
export function printYaml(value: Record<string, unknown>): string {
  // `compat`: texts that YAML 1.1 readers take for something else (`yes`, `1:30`) are quoted as well.
  const blocks: string[] = []
  const document = new Document(nodeOf(value, blocks), { compat: 'yaml-1.1', aliasDuplicateObjects: false })
  // A quoted text stays on its line: folded over several, the library loses blanks at their ends.
  // Fragile characters stand in double-quoted texts alone, where the library leaves some of them as they are.
  const skeleton = document
    .toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })
    .replaceAll(fragileOnes, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return putBlocks(skeleton, blocks)
}

/** Control characters, and what some readers take for a line end or a mark. */
const fragile = /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u
const fragileOnes = new RegExp(fragile, 'gu')

/** Most texts are plain ASCII, and that is told much faster. */
function isFragile(value: string): boolean {
  return /[^\t\n\x20-\x7e]/.test(value) && fragile.test(value)
}

/** Long texts are put into `blocks`, and stand in the node as placeholders. */
function nodeOf(value: unknown, blocks: string[]): Node {
  if (typeof value === 'string') return textNode(value, blocks)
  if (Array.isArray(value)) {
    const sequence = new YAMLSeq()
    sequence.items = value.map(item => nodeOf(item, blocks))
    return sequence
  }
  if (typeof value !== 'object' || value === null) return new Scalar(value)
  const map = new YAMLMap()
  for (const [key, item] of value instanceof Map ? value : Object.entries(value)) {
    if (item !== undefined) map.items.push(new Pair(quotedWhereNeeded(String(key)), nodeOf(item, blocks)))
  }
  return map
}

function textNode(value: string, blocks: string[]): Scalar {
  if (!isLiteral(value) || isFragile(value)) return quotedWhereNeeded(value)
  blocks.push(value)
  return new Scalar(`text-${blocks.length - 1}`)
}

function quotedWhereNeeded(value: string): Scalar {
  const scalar = new Scalar(value)
  const isOdd = value === '=' || value === '<<' || value.includes('\n') || placeholder.test(value)
  if (isOdd || isFragile(value)) scalar.type = 'QUOTE_DOUBLE'
  return scalar
}
