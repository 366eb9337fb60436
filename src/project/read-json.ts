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
  const walked = walk(json)
  return 'why' in walked ? { kind: 'broken', ...walked } : { kind: 'json', value: JSON.parse(json), ...walked }
}

interface Found {
  readonly at: number
  readonly problem: string
}

/** What may come next; `first-…`: right after the bracket, so that the closing one may come as well. */
type Expected = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'comma' | 'end'

/** An object or a list that is open, with the lines of its keys. */
interface Open {
  readonly sign: '{' | '['
  readonly keys: Map<string, number>
}

/** Finds the first place where a text is no JSON. With a list in place of recursion, no depth is too deep. */
function walk(text: string): { readonly why: string } | { readonly repeated: readonly RepeatedKey[] } {
  const open: Open[] = []
  const repeated: RepeatedKey[] = []
  let expected: Expected = 'value'
  let [at, line, lineStart] = [0, 1, 0]
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma')
  const broken = ({ at, problem }: Found) => ({ why: `line ${line}, column ${at - lineStart + 1}: ${problem}` })

  for (;;) {
    for (; at < text.length && ' \t\r\n'.includes(text.charAt(at)); at++) {
      if (text[at] === '\n') [line, lineStart] = [line + 1, at + 1]
    }
    const sign = text[at]
    const inside = open.at(-1)
    if (sign === undefined) return expected === 'end' ? { repeated } : broken({ at, problem: atTheEnd(text, inside) })

    if (expected === 'end') return broken({ at, problem: 'nothing may follow here: the value is complete' })

    const closes = sign === '}' ? '{' : sign === ']' ? '[' : undefined
    if (closes !== undefined && inside?.sign === closes && mayClose(expected)) {
      open.pop()
      expected = afterValue()
      at++
    } else if (expected === 'comma') {
      if (sign !== ',') return broken({ at, problem: noComma(sign, inside) })
      expected = inside?.sign === '{' ? 'key' : 'value'
      at++
    } else if (expected === 'colon') {
      if (sign !== ':') return broken({ at, problem: 'a ":" is missing after the key' })
      expected = 'value'
      at++
    } else if (expected === 'key' || expected === 'first-key') {
      if (sign !== '"') return broken({ at, problem: noKey(text, at) })
      const end = endOfString(text, at)
      if (typeof end !== 'number') return broken(end)
      const key: string = JSON.parse(text.slice(at, end))
      const firstLine = inside?.keys.get(key)
      if (firstLine === undefined) inside?.keys.set(key, line)
      else repeated.push({ key, line, firstLine })
      expected = 'colon'
      at = end
    } else if (sign === '{' || sign === '[') {
      open.push({ sign, keys: new Map() })
      expected = sign === '{' ? 'first-key' : 'first-value'
      at++
    } else {
      const end = sign === '"' ? endOfString(text, at) : endOfWord(text, at)
      if (end === undefined) return broken({ at, problem: noValue(text, at) })
      if (typeof end !== 'number') return broken(end)
      expected = afterValue()
      at = end
    }
  }
}

function mayClose(expected: Expected): boolean {
  return expected === 'comma' || expected === 'first-key' || expected === 'first-value'
}

/** The place after a string that begins at `from`. */
function endOfString(text: string, from: number): number | Found {
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '"') return at + 1
    if (sign === '\n' || sign === '\r')
      return { at: from, problem: 'the closing " of this text is missing on its line' }
    if (sign < ' ')
      return { at, problem: 'a control character in a text must be written with a backslash, as in "\\t"' }
    if (sign !== '\\') continue
    const escaped = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y
    escaped.lastIndex = at + 1
    if (!escaped.test(text)) return { at, problem: 'a backslash in a text must be doubled: "\\\\"' }
    at = escaped.lastIndex - 1
  }
  return { at: from, problem: 'the closing " of this text is missing' }
}

/** The place after the number or word at `from`; `undefined` when there is none. */
function endOfWord(text: string, from: number): number | undefined {
  const word = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
  word.lastIndex = from
  return word.test(text) ? word.lastIndex : undefined
}

function atTheEnd(text: string, open: Open | undefined): string {
  return text.trim() === '' ? 'the file is empty' : `the text ends here, but its closing ${closeOf(open)} is missing`
}

function closeOf(open: Open | undefined): string {
  return open?.sign === '{' ? '}' : ']'
}

function noComma(sign: string, open: Open | undefined): string {
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
