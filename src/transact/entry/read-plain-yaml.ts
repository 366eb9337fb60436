import { readBlock } from './literal-blocks.ts'
import { isPlainText } from './plain-text.ts'

/**
 * Reads YAML as relay prints it, many times faster than a whole YAML reader: mappings and lists below each other by two
 * blanks, on each line one text, number, word or empty collection, and literal blocks, so that a text of megabytes costs
 * what its lines cost.
 *
 * `undefined` for everything else, which the whole reader then decides on. Mappings are maps, as the whole reader has
 * them.
 */
export function readPlainYaml(source: string): unknown {
  if (!source.endsWith('\n') || source.includes('\r')) return undefined
  const reader = new Reader(source)
  try {
    const value = reader.map(0)
    return reader.isAtEnd ? value : undefined
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}

class NotPlain extends Error {}

class Reader {
  readonly #source: string
  /** Where the next line begins. */
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  get isAtEnd(): boolean {
    return this.#at === this.#source.length
  }

  /** @param first the first line, where that stands behind the dash of a list and was taken with it */
  map(indent: number, first = this.#take(indent)): Map<string, unknown> {
    const map = new Map<string, unknown>()
    for (let line = first; line !== undefined; line = this.#take(indent)) {
      const found = keyOf(line)
      if (found === undefined || map.has(found.key)) throw new NotPlain()
      map.set(found.key, found.value === '' ? this.#below(indent + 2) : this.#value(found.value, indent))
    }
    if (map.size === 0) throw new NotPlain()
    return map
  }

  #list(indent: number): unknown[] {
    const list: unknown[] = []
    while (this.#lineAt(indent)?.startsWith('- ')) {
      const item = this.#take(indent)?.slice(2) ?? ''
      list.push(keyOf(item) === undefined ? this.#value(item, indent) : this.map(indent + 2, item))
    }
    return list
  }

  #below(indent: number): unknown {
    return this.#lineAt(indent)?.startsWith('- ') ? this.#list(indent) : this.map(indent)
  }

  /** A value on the line of its key or dash, which stands at `indent`. */
  #value(text: string, indent: number): unknown {
    if (text[0] !== '|') return scalarOf(text)
    const block = readBlock(text, this.#source, this.#at, indent)
    if (block === undefined) throw new NotPlain()
    this.#at = block.end
    return block.text
  }

  /** The next line without its indent; nothing where it belongs to something further out. */
  #lineAt(indent: number): string | undefined {
    if (this.isAtEnd) return undefined
    const line = this.#source.slice(this.#at, this.#source.indexOf('\n', this.#at))
    const found = line.search(/[^ ]/)
    if (found < 0 || found > indent) throw new NotPlain()
    return found === indent ? line.slice(indent) : undefined
  }

  /** The same, and goes on behind it. */
  #take(indent: number): string | undefined {
    const line = this.#lineAt(indent)
    if (line !== undefined) this.#at += indent + line.length + 1
    return line
  }
}

const longestPattern = 1_000_000

/** The key on a line, and what follows on the same line; nothing when it has no key. */
function keyOf(line: string): { readonly key: string; readonly value: string } | undefined {
  if (line[0] === '"' || line[0] === "'") {
    if (line.length > longestPattern) throw new NotPlain()
    const [quoted] = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')(?=:(?: |$))/.exec(line) ?? []
    if (quoted === undefined) return undefined
    return { key: quotedText(quoted), value: line.slice(quoted.length + 2) }
  }
  const end = /:(?: |$)/.exec(line)?.index
  if (end === undefined) return undefined
  const key = line.slice(0, end)
  // Before a colon and a blank can only stand a key; one that is not plain is for the whole reader.
  if (!isPlainText(key)) throw new NotPlain()
  return { key, value: line.slice(end + 2) }
}

const WORDS: ReadonlyMap<string, unknown> = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
])

function scalarOf(text: string): unknown {
  if (text === '[]') return []
  if (text === '{}') return new Map()
  if (WORDS.has(text)) return WORDS.get(text)
  if (/^(?:0|-?[1-9]\d{0,14})$/.test(text)) return Number(text)
  if (/^["']/.test(text)) return quotedText(text)
  if (isPlainText(text)) return text
  throw new NotPlain()
}

/** What JSON takes means the same in YAML. Without a pattern: on megabytes it would run out of room. */
function quotedText(quoted: string): string {
  if (quoted[0] === "'") {
    if (quoted.length > longestPattern || !/^'(?:[\x20-\x26\x28-\x7e]|'')*'$/.test(quoted)) throw new NotPlain()
    return quoted.slice(1, -1).replaceAll("''", "'")
  }
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw new NotPlain()
  }
}
