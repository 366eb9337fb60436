/**
 * What a JSON text holds, or where it is broken and why, in words. Editors on Windows like to put a byte order mark in
 * front.
 *
 * `JSON.parse` names the place in some versions of Node and not in others, in words that change.
 */
export function readJson(
  text: string,
): { readonly kind: 'json'; readonly value: unknown } | { readonly kind: 'broken'; readonly why: string } {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  const found = findBreak(json)
  if (found === undefined) return { kind: 'json', value: JSON.parse(json) }
  const before = json.slice(0, found.at).split('\n')
  return { kind: 'broken', why: `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}: ${found.problem}` }
}

interface Found {
  readonly at: number
  readonly problem: string
}

/** What may come next; `first-…`: right after the bracket, so that the closing one may come as well. */
type Expected = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'comma' | 'end'

/** The first place where a text is no JSON. It walks with a list in place of recursion: no depth is too deep. */
function findBreak(text: string): Found | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = 0
  const afterValue = (): Expected => (open.length === 0 ? 'end' : 'comma')

  for (;;) {
    at = skip(text, at)
    const sign = text[at]
    if (sign === undefined) return expected === 'end' ? undefined : { at, problem: atTheEnd(text, open) }

    if (expected === 'end') return { at, problem: 'nothing may follow here: the value is complete' }

    const closes = sign === '}' ? '{' : sign === ']' ? '[' : undefined
    if (closes !== undefined && open.at(-1) === closes && mayClose(expected)) {
      open.pop()
      expected = afterValue()
      at++
    } else if (expected === 'comma') {
      if (sign !== ',') return { at, problem: noComma(sign, open.at(-1)) }
      expected = open.at(-1) === '{' ? 'key' : 'value'
      at++
    } else if (expected === 'colon') {
      if (sign !== ':') return { at, problem: 'a ":" is missing after the key' }
      expected = 'value'
      at++
    } else if (expected === 'key' || expected === 'first-key') {
      if (sign !== '"') return { at, problem: noKey(text, at) }
      const end = endOfString(text, at)
      if (typeof end !== 'number') return end
      expected = 'colon'
      at = end
    } else if (sign === '{' || sign === '[') {
      open.push(sign)
      expected = sign === '{' ? 'first-key' : 'first-value'
      at++
    } else {
      const end = sign === '"' ? endOfString(text, at) : endOfWord(text, at)
      if (end === undefined) return { at, problem: noValue(text, at) }
      if (typeof end !== 'number') return end
      expected = afterValue()
      at = end
    }
  }
}

function mayClose(expected: Expected): boolean {
  return expected === 'comma' || expected === 'first-key' || expected === 'first-value'
}

function skip(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++
  return at
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

function atTheEnd(text: string, open: readonly ('{' | '[')[]): string {
  if (text.trim() === '') return 'the file is empty'
  const last = open.at(-1)
  return last === undefined
    ? 'the text ends too early'
    : `the text ends here, but its closing ${last === '{' ? '}' : ']'} is missing`
}

function noComma(sign: string, open: '{' | '[' | undefined): string {
  if (sign === '/' || sign === '#') return 'comments are not allowed in JSON'
  const close = open === '{' ? '}' : ']'
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
