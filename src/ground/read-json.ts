/** A key that stands more than once in one object, with the lines of a later one and of the first; both count from 1. */
export interface RepeatedKey {
  readonly key: string
  readonly line: number
  readonly firstLine: number
}

export type ReadJson =
  /** `JSON.parse` takes the last one of repeated keys without a word: of two rules the laxer one could win unseen. */
  | { readonly kind: 'json'; readonly value: unknown; readonly repeated: readonly RepeatedKey[] }
  | { readonly kind: 'broken'; readonly why: string }

/**
 * What a JSON text holds, or where it is broken and why, in words. Editors on Windows like to put a byte order mark in
 * front.
 *
 * `JSON.parse` names the place in some versions of Node and not in others, in words that change.
 */
export function readJson(text: string): ReadJson {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  const fault = firstFault(json)
  if (fault === undefined) return { kind: 'json', value: JSON.parse(json), repeated: repeatedKeys(json) }
  const lines = json.slice(0, fault.at).split('\n')
  const column = (lines.at(-1) ?? '').length + 1
  return { kind: 'broken', why: `line ${lines.length}, column ${column}: ${fault.problem}` }
}

/** Of a text that is JSON: what stands in quotes before a colon is a key of the object that was opened last. */
function repeatedKeys(json: string): readonly RepeatedKey[] {
  const repeated: RepeatedKey[] = []
  /** The lines of the keys of each object that is open. */
  const open: Map<string, number>[] = []
  let line = 1
  const unescaped = json.replace(/\\./g, '__')
  for (const { 0: token, 1: colon, index } of unescaped.matchAll(/"[^"]*"(?=(\s*:)?)|[{}\n]/g)) {
    if (token === '\n') line++
    if (token === '{') open.push(new Map())
    if (token === '}') open.pop()
    if (colon === undefined) continue
    const key: string = JSON.parse(json.slice(index, index + token.length))
    const firstLine = open.at(-1)?.get(key)
    if (firstLine === undefined) open.at(-1)?.set(key, line)
    else repeated.push({ key, line, firstLine })
  }
  return repeated
}

interface Fault {
  readonly at: number
  readonly problem: string
}

/** What may come next; `first-…`: right after the bracket, so that the closing one may come as well. */
type Expected = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'comma' | 'end'

/** The place behind what was read, and what may come there. */
interface Reached {
  readonly end: number
  readonly next: Expected
}

/** The brackets that are open, the innermost last. */
type Open = ('{' | '[')[]

/** Finds the first place where a text is no JSON. With a list in place of recursion, no depth is too deep. */
function firstFault(text: string): Fault | undefined {
  const open: Open = []
  let expected: Expected = 'value'
  let at = afterBlanks(text, 0)
  while (at < text.length) {
    const step = stepAt(text, at, expected, open)
    if ('problem' in step) return step
    expected = step.next
    at = afterBlanks(text, step.end)
  }
  return expected === 'end' ? undefined : { at, problem: atTheEnd(text, open) }
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++
  return at
}

/** What a sign, or the text or number that begins with it, leads to where something is expected; it may open or close a bracket. */
function stepAt(text: string, at: number, expected: Expected, open: Open): Reached | Fault {
  const sign = text.charAt(at)
  const inside = open.at(-1)
  const end = at + 1
  if (sign === CLOSING[inside ?? 'none'] && /^(?:comma|first-)/.test(expected)) {
    open.pop()
    return { end, next: afterValue(open) }
  }
  switch (expected) {
    case 'end':
      return { at, problem: 'nothing may follow here: the value is complete' }
    case 'comma':
      return sign === ',' ? { end, next: inside === '{' ? 'key' : 'value' } : { at, problem: noComma(sign, open) }
    case 'colon':
      return sign === ':' ? { end, next: 'value' } : { at, problem: 'a ":" is missing after the key' }
    case 'key':
    case 'first-key':
      return sign === '"' ? stringAt(text, at, 'colon') : { at, problem: noKey(text, at) }
    case 'value':
    case 'first-value':
      return valueAt(text, at, open)
  }
}

function valueAt(text: string, at: number, open: Open): Reached | Fault {
  const sign = text.charAt(at)
  if (sign === '{' || sign === '[') {
    open.push(sign)
    return { end: at + 1, next: sign === '{' ? 'first-key' : 'first-value' }
  }
  if (sign === '"') return stringAt(text, at, afterValue(open))
  const end = endOfWord(text, at)
  return end === undefined ? { at, problem: noValue(text, at) } : { end, next: afterValue(open) }
}

const CLOSING = { '{': '}', '[': ']', none: undefined } as const

function afterValue(open: Open): Expected {
  return open.length === 0 ? 'end' : 'comma'
}

/** @param next what is expected behind the string that begins at `from` */
function stringAt(text: string, from: number, next: Expected): Reached | Fault {
  // Piece by piece: one expression for all of a very long text has no room.
  const piece = /[^"\\\0-\x1f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
  let at = from + 1
  piece.lastIndex = at
  while (piece.test(text)) at = piece.lastIndex
  const sign = text.charAt(at)
  if (sign === '"') return { end: at + 1, next }
  if (sign === '\\') return { at, problem: 'a backslash in a text must be doubled: "\\\\"' }
  if (sign === '') return { at: from, problem: 'the closing " of this text is missing' }
  if (sign === '\n' || sign === '\r') return { at: from, problem: 'the closing " of this text is missing on its line' }
  return { at, problem: 'a control character in a text must be written with a backslash, as in "\\t"' }
}

/** The place after the number or word at `from`; `undefined` when there is none. */
function endOfWord(text: string, from: number): number | undefined {
  const word = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
  word.lastIndex = from
  return word.test(text) ? word.lastIndex : undefined
}

function atTheEnd(text: string, open: Open): string {
  return text.trim() === '' ? 'the file is empty' : `the text ends here, but its closing ${closeOf(open)} is missing`
}

function closeOf(open: Open): string {
  return CLOSING[open.at(-1) ?? '[']
}

function noComma(sign: string, open: Open): string {
  if (sign === '/' || sign === '#') return 'comments are not allowed in JSON'
  const close = closeOf(open)
  if (sign === '}' || sign === ']') return `found ${sign} where ${close} closes`
  return `a "," or ${close} is missing before this`
}

function noKey(text: string, at: number): string {
  const sign = text.charAt(at)
  if (sign === '}') return 'the last "," before } must go'
  if (sign === ',') return 'a "," too many'
  return common(sign) ?? 'a key in double quotes is missing here'
}

function noValue(text: string, at: number): string {
  const sign = text.charAt(at)
  if (sign === ']') return 'the last "," before ] must go'
  if (sign === '}' || sign === ',') return 'a value is missing before this'
  return common(sign) ?? 'this is no JSON value; a text needs double quotes'
}

function common(sign: string): string | undefined {
  if (sign === '/' || sign === '#') return 'comments are not allowed in JSON'
  if (sign === "'" || sign === '`' || sign === '“' || sign === '”')
    return `texts need straight double quotes ("), not ${sign}`
  return undefined
}
