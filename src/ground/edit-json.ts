import { findNodeAtLocation, type Node, parseTree } from 'jsonc-parser'
import { isRecord } from './json.ts'

/**
 * Sets the value at a path in the text of a JSON object. All other bytes stay: the order of keys, blanks, line ends.
 * The library's own `modify` formats the user's line anew, or puts a new key right behind a comma.
 *
 * The text has to be JSON without repeated keys.
 *
 * @param path a number stands for an item of a list, which has to exist and to be an object
 */
export function editJson(text: string, path: readonly (string | number)[], value: unknown): string {
  const { node, missing } = deepestNode(text, path)
  const [name, ...below] = missing
  const { offset, length, children = [] } = node
  if (node.type !== 'object' || name === undefined) {
    return replaced(text, offset, length, printed(nested(missing, value), gapBefore(text, node.parent ?? node)))
  }
  const last = children.at(-1)
  const gap = last === undefined ? ' ' : gapBefore(text, last)
  const member = `${JSON.stringify(name)}: ${printed(nested(below, value), gap)}`
  return last === undefined
    ? replaced(text, offset, length, `{ ${member} }`)
    : replaced(text, last.offset + last.length, 0, `,${gap}${member}`)
}

/** Takes the value at a path out of the text of a JSON object, with its comma and its line. All other bytes stay. */
export function removeFromJson(text: string, path: readonly string[]): string {
  const member = findNodeAtLocation(parseTree(text) as Node, [...path])?.parent
  const all = member?.parent?.children ?? []
  const at = member === undefined ? -1 : all.indexOf(member)
  const [before, here, next] = [all[at - 1], all[at], all[at + 1]]
  if (here === undefined) return text
  const end = here.offset + here.length
  if (before !== undefined) return text.slice(0, before.offset + before.length) + text.slice(end)
  if (next !== undefined) return text.slice(0, here.offset) + text.slice(next.offset)
  const { offset, length } = here.parent as Node
  return replaced(text, offset, length, '{}')
}

/** The last existing node on the path, and the rest of the path. */
function deepestNode(text: string, path: readonly (string | number)[]) {
  let node = parseTree(text) as Node
  for (const [depth, name] of path.entries()) {
    const next = findNodeAtLocation(node, [name])
    if (next === undefined) return { node, missing: path.slice(depth) }
    node = next
  }
  return { node, missing: [] }
}

function replaced(text: string, offset: number, length: number, by: string): string {
  return text.slice(0, offset) + by + text.slice(offset + length)
}

function nested(path: readonly (string | number)[], value: unknown): unknown {
  return path.reduceRight((inner, name) => ({ [name]: inner }), value)
}

/** A list on one line; an object over several, unless it stands in the middle of a line. */
function printed(value: unknown, gap: string): string {
  if (Array.isArray(value)) return `[${value.map(item => JSON.stringify(item)).join(', ')}]`
  const indent = /\n(.+)/.exec(gap)?.[1]
  if (!isRecord(value) || indent === undefined) return JSON.stringify(value)
  return JSON.stringify(value, null, indent).replaceAll('\n', gap)
}

/** The line break and the blanks before a member on a line of its own; for any other member, a blank. */
function gapBefore(text: string, { offset }: Node): string {
  return /\r?\n[ \t]*$/.exec(text.slice(0, offset))?.[0] ?? ' '
}
