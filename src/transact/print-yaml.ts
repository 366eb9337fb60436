import { Document, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'

/**
 * Plain data (objects, maps, arrays, texts, numbers, booleans, null) as YAML that a person can read and any reader
 * takes: long texts as literal blocks, texts with fragile characters double-quoted with those characters escaped.
 * Keys without a value (`undefined`) are left out.
 */
export function printYaml(value: Record<string, unknown>): string {
  // `compat`: texts that YAML 1.1 readers take for something else (`yes`, `1:30`) are quoted as well.
  const document = new Document(nodeOf(value), { compat: 'yaml-1.1', aliasDuplicateObjects: false })
  const printed = document.toString({ lineWidth: 0 })
  // Fragile characters stand in double-quoted texts alone, where the library leaves some of them as they are.
  return printed.replaceAll(fragileOnes, character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Control characters, and what some readers take for a line end or a mark. */
const fragile = /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u
const fragileOnes = new RegExp(fragile, 'gu')

function nodeOf(value: unknown): Node {
  if (typeof value === 'string') return textNode(value)
  if (Array.isArray(value)) {
    const sequence = new YAMLSeq()
    sequence.items = value.map(nodeOf)
    return sequence
  }
  if (typeof value !== 'object' || value === null) return new Scalar(value)
  const map = new YAMLMap()
  for (const [key, item] of value instanceof Map ? value : Object.entries(value)) {
    if (item !== undefined) map.items.push(new Pair(textNode(String(key)), nodeOf(item)))
  }
  return map
}

function textNode(value: string): Scalar {
  const scalar = new Scalar(value)
  if (fragile.test(value) || value === '=' || value === '<<') scalar.type = 'QUOTE_DOUBLE'
  else if (value.includes('\n')) scalar.type = 'BLOCK_LITERAL'
  return scalar
}
