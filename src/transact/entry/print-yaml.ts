import { isRecord } from '../../ground/json.ts'
import { isLiteral, literalBlock } from './literal-blocks.ts'

/**
 * Plain data (objects, maps, arrays, texts, numbers, booleans, null) as YAML that a person can read and any reader
 * takes: long texts as literal blocks, other texts as they are or double-quoted. Keys without a value (`undefined`)
 * are left out.
 *
 * This takes a tenth of the time of a library, because it needs so little of YAML.
 */
export function printYaml(value: Record<string, unknown>): string {
  return linesOf(value).join('\n')
}

/** The same as bytes. The whole text is never made: for large files that would be another copy. */
export function yamlBytes(value: Record<string, unknown>): Buffer {
  const lines = linesOf(value)
  const bytes = Buffer.allocUnsafe(lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, -1))
  let at = 0
  for (const line of lines) {
    at += bytes.write(line, at)
    if (at < bytes.length) at += bytes.write('\n', at)
  }
  return bytes
}

function linesOf(value: Record<string, unknown>): readonly string[] {
  const lines: string[] = []
  printMap(pairsOf(value), '', '', lines)
  lines.push('')
  return lines
}

type Pair = readonly [key: unknown, value: unknown]

function pairsOf(value: object): readonly Pair[] {
  const pairs: readonly Pair[] = value instanceof Map ? [...value] : Object.entries(value)
  return pairs.filter(([, item]) => item !== undefined)
}

/** The first line begins with `lead` (dashes), the others with as many blanks. */
function printMap(pairs: readonly Pair[], indent: string, lead: string, lines: string[]): void {
  for (const [index, [key, item]] of pairs.entries()) {
    const start = index === 0 && lead !== '' ? lead : indent
    const name = oneLine(String(key))
    if (name.length <= longestKey) print(item, `${start}${name}:`, indent, lines)
    else {
      lines.push(`${start}? ${name}`)
      print(item, `${indent}:`, indent, lines)
    }
  }
}

/** Readers need not look further for the colon after a key without a question mark. */
const longestKey = 1024

/** Prints a value after `start`, for a key at `indent`. */
function print(value: unknown, start: string, indent: string, lines: string[]): void {
  const below = `${indent}  `
  if (Array.isArray(value) && value.length > 0) {
    lines.push(start)
    printList(value, below, below, lines)
    return
  }
  const pairs = isRecord(value) ? pairsOf(value) : []
  if (pairs.length > 0) {
    lines.push(start)
    printMap(pairs, below, '', lines)
    return
  }
  pushBehind(`${start} `, value, below, lines)
}

/** The first line begins with `lead`. */
function printList(items: readonly unknown[], indent: string, lead: string, lines: string[]): void {
  const below = `${indent}  `
  for (const [index, item] of items.entries()) {
    const start = `${index === 0 ? lead : indent}- `
    const pairs = isRecord(item) ? pairsOf(item) : []
    if (Array.isArray(item) && item.length > 0) printList(item, below, start, lines)
    else if (pairs.length > 0) printMap(pairs, below, start, lines)
    else pushBehind(start, item, below, lines)
  }
}

/** Prints a value that needs no further items below it; the lines of a text get `indent`. */
function pushBehind(start: string, value: unknown, indent: string, lines: string[]): void {
  if (typeof value === 'string' && isLiteral(value) && !isFragile(value)) {
    const [header, ...block] = literalBlock(value, indent)
    lines.push(`${start}${header}`, ...block)
  } else lines.push(`${start}${single(value)}`)
}

function single(value: unknown): string {
  if (typeof value === 'string') return oneLine(value)
  if (Array.isArray(value)) return '[]'
  return isRecord(value) ? '{}' : String(value)
}

/** A text in JSON's quotes means the same in YAML, if its fragile characters are escaped. */
function oneLine(text: string): string {
  if (isPlainText(text)) return text
  const quoted = JSON.stringify(text)
  return isFragile(quoted) ? quoted.replaceAll(fragileOnes, escaped) : quoted
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/**
 * A text needs no quotes if every reader takes it for the same text: it begins with a letter, a slash or a dot, and no
 * reader takes it for a special word or a number; or it is a uuid or a hash.
 */
function isPlainText(text: string): boolean {
  if (/^(?:[A-Za-z_/]|\.[A-Za-z])[\x20-\x7e\u00a1-\u02ff]*$/.test(text)) {
    return !/: |:$| #| $/.test(text) && !words.test(text)
  }
  return uuid.test(text) || hash.test(text)
}

/** Older readers take more words than `true` and `false` for truth values, and `e1` for a number. */
const words = /^(?:null|true|false|yes|no|on|off|y|n|\.inf|\.nan|\.?e[-+\d]+)$/i

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** A hash without any other letter than `e` could be a number. */
const hash = /^(?=[0-9e]*[a-df])[0-9a-f]{64}$/

/** Control characters, and characters that some readers take for a line end or a mark. */
const fragile = /[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u
const fragileOnes = new RegExp(fragile, 'gu')

/** Most texts are plain ASCII, which is much faster to test. */
function isFragile(value: string): boolean {
  return /[^\t\n\x20-\x7e]/.test(value) && fragile.test(value)
}
