import { Composer, type CST, isMap, isScalar, isSeq, Lexer, Parser } from 'yaml'

/** Nothing that relay writes comes near it. */
const deepest = 64

/**
 * The data in a file of relay's own; `undefined` for what is no YAML document, is nested more deeply than any of them,
 * or has aliases or a key twice. With `asMaps` mappings are maps.
 *
 * The library makes its document by recursion, and some hundred thousand brackets end the whole process there. What
 * came with a cloned project may hold them, so the depth is looked at before.
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

/** Keys are compared here: the library compares each with each, which takes long for ten thousand files. */
const options = { schema: 'core', uniqueKeys: false, stringKeys: true, logLevel: 'silent' } as const

/**
 * What the parser cuts a text into; `undefined` as soon as it is nested too deeply, or an error: some megabytes of errors,
 * which may have come with a cloned project, would hold every command up for minutes.
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
