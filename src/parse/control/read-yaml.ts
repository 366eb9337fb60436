import { isMap, isScalar, isSeq, type Pair, parseDocument } from 'yaml'

/** More than this is not given to the YAML library: it is no control block that a model wrote for us. */
export const yamlLimit = 65_536

/** An error at each of these takes the YAML library far longer than to read it, and no summary holds as many. */
const signs = /[{}[\]"'*&!,:?\n]/g
const mostSigns = 8_192

/** Deeper than this no summary is. */
const deepest = 16

/** Pretty errors tell their place: for each of them the library would go through the text, and its time grow with the square. */
const options = {
  schema: 'failsafe',
  uniqueKeys: false,
  merge: false,
  logLevel: 'silent',
  prettyErrors: false,
} as const

export type Yaml =
  | { readonly kind: 'data'; readonly value: unknown }
  | { readonly kind: 'invalid'; readonly why: string }

/**
 * Reads YAML as plain data in which every scalar is text.
 *
 * Anchors, aliases, tags, merge keys and doubled keys are refused: a summary has no use for them, and they are how a
 * small text becomes a large one.
 */
export function readYaml(text: string): Yaml {
  if (text.length > yamlLimit) return { kind: 'invalid', why: `it is longer than ${yamlLimit / 1024} KB` }
  if (nesting(text) > 64) return { kind: 'invalid', why: 'it is nested too deeply' }
  if (countOf(signs, text) > mostSigns) return { kind: 'invalid', why: 'it holds too many signs' }
  try {
    const document = parseDocument(text, options)
    const [error] = document.errors
    if (error !== undefined) return { kind: 'invalid', why: firstLine(error.message) }
    return { kind: 'data', value: plain(document.contents, 0) }
  } catch (error) {
    return { kind: 'invalid', why: error instanceof Refusal ? error.message : 'it could not be read' }
  }
}

class Refusal extends Error {}

function plain(node: unknown, depth: number): unknown {
  if (node === null || node === undefined) return null
  if (depth > deepest) throw new Refusal('it is nested too deeply')
  if (!isScalar(node) && !isSeq(node) && !isMap(node)) throw new Refusal('it holds an alias')
  if (node.anchor !== undefined || node.tag !== undefined) throw new Refusal('it holds an anchor or a tag')
  if (isScalar(node)) return typeof node.value === 'string' ? node.value : null
  if (isSeq(node)) return node.items.map(item => plain(item, depth + 1))
  return plainMap(node.items, depth)
}

function plainMap(pairs: readonly Pair[], depth: number): unknown {
  const map = new Map<string, unknown>()
  for (const pair of pairs) {
    const key = plain(pair.key, depth + 1)
    if (typeof key !== 'string') throw new Refusal('a key is not a text')
    if (key === '<<' || key === '__proto__') throw new Refusal(`it holds the key ${key}`)
    if (map.has(key)) throw new Refusal(`it has the key ${key} twice`)
    map.set(key, plain(pair.value, depth + 1))
  }
  return Object.fromEntries(map)
}

/** A bound for how deep a text can be nested, from its brackets, dashes and indentation alone. */
function nesting(text: string): number {
  const lines = text.split('\n').reduce((most, line) => Math.max(most, leadOf(line)), 0)
  return lines + nestingOfBrackets(text)
}

/** How deep the dashes and the indentation that a line begins with can lead: a level has a dash, or takes some blanks. */
function leadOf(line: string): number {
  const lead = /^[ \t]{0,200}(?:[-?:][ \t]+){0,200}/.exec(line)?.[0] ?? ''
  const dashes = lead.replace(/[ \t]/g, '').length
  return dashes + Math.floor((lead.length - dashes) / 8)
}

function nestingOfBrackets(text: string): number {
  let open = 0
  let most = 0
  for (const [sign] of text.matchAll(/[[\]{}]/g)) {
    open = Math.max(0, open + (sign === '[' || sign === '{' ? 1 : -1))
    most = Math.max(most, open)
  }
  return most
}

function countOf(pattern: RegExp, text: string): number {
  let count = 0
  for (const _ of text.matchAll(pattern)) count++
  return count
}

function firstLine(message: string): string {
  return message.split('\n')[0] ?? message
}
