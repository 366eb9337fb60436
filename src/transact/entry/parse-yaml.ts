import { Composer, type CST, isMap, isScalar, isSeq, Lexer, Parser } from 'yaml'

/** Much deeper than anything that relay writes. */
const deepest = 64

/**
 * The data in one of relay's own files; `undefined` for a text that is no YAML document, is nested too deeply, or has
 * aliases or a key twice. With `asMaps` mappings are maps.
 *
 * The library parses by recursion, and some hundred thousand brackets crash the whole process. A cloned project may
 * bring such a file, so the depth is checked first.
 */
export function parseYaml(source: string, { asMaps }: { readonly asMaps: boolean }): unknown {
  const tokens = tokensOf(source)
  if (tokens === undefined) return undefined
  const [document, ...others] = new Composer(options).compose(tokens, true, source.length)
  if (document === undefined || others.length > 0 || document.errors.length > 0) return undefined
  if (hasKeyTwice(document.contents)) return undefined
  try {
    return document.toJS({ mapAsMap: asMaps, maxAliasCount: 0 }) ?? undefined
  } catch (error) {
    if (error instanceof ReferenceError) return undefined
    throw error
  }
}

/** `uniqueKeys` is off because the library compares each key with each other, which is slow for ten thousand files. */
const options = { schema: 'core', uniqueKeys: false, stringKeys: true, logLevel: 'silent' } as const

/**
 * `undefined` at the first error, or at the first place that is nested too deeply: a cloned project may bring megabytes
 * of errors, which would delay every command for minutes.
 */
function tokensOf(source: string): readonly CST.Token[] | undefined {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  for (const lexeme of new Lexer().lex(source)) {
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error') return undefined
      tokens.push(token)
    }
    if (parser.stack.length > deepest) return undefined
  }
  return [...tokens, ...parser.end()]
}

function hasKeyTwice(node: unknown): boolean {
  if (isSeq(node)) return node.items.some(hasKeyTwice)
  if (!isMap(node)) return false
  const keys = new Set(node.items.map(({ key }) => (isScalar(key) ? key.value : key)))
  return keys.size < node.items.length || node.items.some(({ value }) => hasKeyTwice(value))
}
