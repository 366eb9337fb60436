import { isPlainText } from './plain-text.ts'

/**
 * Reads the plain part of YAML that relay prints, many times faster than a whole YAML reader: mappings and lists below
 * each other by two blanks, and on each line one text, number, word or empty collection.
 *
 * `undefined` for everything else, which the whole reader then decides on. Mappings are maps, as the whole reader has
 * them.
 */
export function readPlainYaml(source: string): unknown {
  const lines = source.split('\n')
  if (lines.pop() !== '' || lines.length === 0) return undefined
  const reader = new Reader(lines)
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
  readonly #lines: string[]
  #at = 0

  constructor(lines: string[]) {
    this.#lines = lines
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lines.length
  }

  map(indent: number): Map<string, unknown> {
    const map = new Map<string, unknown>()
    for (let line = this.#lineAt(indent); line !== undefined; line = this.#lineAt(indent)) {
      const found = keyOf(line)
      if (found === undefined || map.has(found.key)) throw new NotPlain()
      this.#at += 1
      map.set(found.key, found.value === '' ? this.#below(indent + 2) : scalarOf(found.value))
    }
    if (map.size === 0) throw new NotPlain()
    return map
  }

  #list(indent: number): unknown[] {
    const list: unknown[] = []
    for (let line = this.#lineAt(indent); line?.startsWith('- '); line = this.#lineAt(indent)) {
      const item = line.slice(2)
      if (keyOf(item) === undefined) {
        this.#at += 1
        list.push(scalarOf(item))
        continue
      }
      // A mapping begins on the line of its dash.
      this.#lines[this.#at] = ' '.repeat(indent + 2) + item
      list.push(this.map(indent + 2))
    }
    return list
  }

  #below(indent: number): unknown {
    const line = this.#lineAt(indent)
    if (line === undefined) throw new NotPlain()
    return line.startsWith('- ') ? this.#list(indent) : this.map(indent)
  }

  /** The present line without its indent; nothing where it belongs to something further out. */
  #lineAt(indent: number): string | undefined {
    const line = this.#lines[this.#at]
    if (line === undefined) return undefined
    const found = line.search(/[^ ]/)
    if (found < 0 || found > indent) throw new NotPlain()
    return found === indent ? line.slice(indent) : undefined
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
