import { printParseErrorCode, visit } from 'jsonc-parser'

/**
 * A key that stands more than once in one object, with the lines of a later one and of the first; both count from 1.
 */
export interface RepeatedKey {
  readonly key: string
  readonly line: number
  readonly firstLine: number
}

export type ReadJson =
  /** `JSON.parse` silently takes the last of repeated keys: of two rules the laxer one could win unseen. */
  | { readonly kind: 'json'; readonly value: unknown; readonly repeated: readonly RepeatedKey[] }
  | { readonly kind: 'broken'; readonly why: string }

/**
 * The value of a JSON text, or where it is broken and why. Editors on Windows often put a byte order mark in front.
 *
 * Only some versions of Node name the place in the error of `JSON.parse`, and the words change.
 */
export function readJson(text: string): ReadJson {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  try {
    const { fault, repeated } = lookThrough(json)
    return fault === undefined ? { kind: 'json', value: JSON.parse(json), repeated } : { kind: 'broken', why: fault }
  } catch (error) {
    // The library calls itself for each level, and sets no limit.
    if (error instanceof RangeError) return { kind: 'broken', why: 'it is nested too deeply' }
    throw error
  }
}

function lookThrough(json: string): { readonly fault: string | undefined; readonly repeated: readonly RepeatedKey[] } {
  let fault: string | undefined
  const repeated: RepeatedKey[] = []
  /** For each open object, the lines of its keys. */
  const open: Map<string, number>[] = []
  const visitor = {
    onObjectBegin() {
      open.push(new Map())
    },
    onObjectEnd() {
      open.pop()
    },
    onObjectProperty(key: string, _at: number, _length: number, lineAbove: number) {
      const line = lineAbove + 1
      const firstLine = open.at(-1)?.get(key)
      if (firstLine === undefined) open.at(-1)?.set(key, line)
      else repeated.push({ key, line, firstLine })
    },
    onError(code: number, _at: number, _length: number, lineAbove: number, columnBefore: number) {
      fault ??= `line ${lineAbove + 1}, column ${columnBefore + 1}: ${inWords(printParseErrorCode(code))}`
    },
  }
  visit(json, visitor, { disallowComments: true })
  return { fault, repeated }
}

/** `PropertyNameExpected` becomes "property name expected". */
function inWords(name: string): string {
  return name.replaceAll(/\B[A-Z]/g, ' $&').toLowerCase()
}
