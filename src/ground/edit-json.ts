import { isMap, isSeq, type Pair, parseDocument, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml'
import { isRecord } from './json.ts'

/**
 * A JSON object's text with the value at a path set. All other bytes stay: the order of keys, blanks, line ends.
 *
 * The text has to be JSON without repeated keys. All JSON is YAML, and the YAML library tells where each value stands.
 *
 * @param path a number stands for an item of a list, which has to be there and to be an object
 */
export function editJson(text: string, path: readonly (string | number)[], value: unknown): string {
  let node: unknown = parseDocument(text).contents
  for (const [depth, name] of path.entries()) {
    const rest = path.slice(depth + 1)
    if (typeof name === 'number') {
      node = (node as YAMLSeq).items[name]
      continue
    }
    const map = node as YAMLMap
    const pair = map.items.find(({ key }) => (key as Scalar).value === name)
    if (pair === undefined) return withMember(text, map, name, nested(rest, value))
    if (rest.length === 0 || !leadsOn(pair.value, rest[0])) {
      const { start, end } = placeOf(pair.value)
      return text.slice(0, start) + printed(nested(rest, value), text, indentOf(pair, text)) + text.slice(end)
    }
    node = pair.value
  }
  return text
}

function leadsOn(node: unknown, next: string | number | undefined): boolean {
  return typeof next === 'number' ? isSeq(node) : isMap(node)
}

/** Behind the last member, and laid out like that one. */
function withMember(text: string, map: YAMLMap, name: string, value: unknown): string {
  const last = map.items.at(-1)
  const indent = last && indentOf(last, text)
  const member = `${JSON.stringify(name)}: ${printed(value, text, indent)}`
  if (last === undefined) {
    const { start, end } = placeOf(map)
    return `${text.slice(0, start)}{ ${member} }${text.slice(end)}`
  }
  const { end } = placeOf(last.value)
  const gap = indent === undefined ? ' ' : endOfLine(text) + indent
  return `${text.slice(0, end)},${gap}${member}${text.slice(end)}`
}

function nested(path: readonly (string | number)[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value)
}

/** A list on one line; an object over several, unless it stands in the middle of a line. */
function printed(value: unknown, text: string, indent: string | undefined): string {
  if (Array.isArray(value)) return `[${value.map(item => JSON.stringify(item)).join(', ')}]`
  if (!isRecord(value) || indent === undefined) return JSON.stringify(value)
  return JSON.stringify(value, null, indent).replaceAll('\n', endOfLine(text) + indent)
}

/** What stands before a key on its line; `undefined` when that is more than blanks. */
function indentOf({ key }: Pair, text: string): string | undefined {
  const { start } = placeOf(key)
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return /^[ \t]+$/.test(before) ? before : undefined
}

function endOfLine(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function placeOf(node: unknown): { readonly start: number; readonly end: number } {
  // Whatever was parsed has its range.
  const [start, end] = (node as { readonly range: readonly [number, number, number] }).range
  return { start, end }
}
