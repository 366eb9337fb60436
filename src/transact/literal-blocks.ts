/**
 * The long texts of an entry, as YAML's literal blocks, apart from the rest: their lines are put in and taken out
 * here, so that the YAML library has only the skeleton around them to work on. A text of megabytes then costs what its
 * lines cost.
 */

/** Whether a text can stand as a literal block. One whose last line is blank is quoted: there readers differ. */
export function isLiteral(text: string): boolean {
  const end = endWithoutNewlines(text)
  return text.includes('\n') && /[^\t ]/.test(text.slice(text.lastIndexOf('\n', end - 1) + 1, end))
}

function endWithoutNewlines(text: string): number {
  let end = text.length
  while (text[end - 1] === '\n') end -= 1
  return end
}

/** A text as a block: its header, and its lines below with their indent. */
export function literalBlock(text: string, indent: string): string {
  const ends = text.endsWith('\n')
  // Where the first line is indented itself, the reader has to be told how much of that is ours.
  const depth = /^\n*[\t ]/.test(text) ? '2' : ''
  const chomp = !ends ? '-' : /(^|\n)\n$/.test(text) ? '+' : ''
  const lines = (ends ? text.slice(0, -1) : text).split('\n')
  return [`|${depth}${chomp}`, ...lines.map(line => (line === '' ? '' : indent + line))].join('\n')
}

/** A text's skeleton, and the blocks that were taken out of it. */
export interface Taken {
  readonly skeleton: string
  readonly texts: ReadonlyMap<string, string>
}

const blockHeader = /^( *)((?:- )*)([A-Za-z0-9]+: )?\|([1-9]?)([-+]?)$/
const otherBlock = /(^|[ :?-])[|>][-+0-9]{0,4}$|[|>][-+0-9]{0,4} +#/

/**
 * Takes the literal blocks out of a text, and leaves placeholders. `undefined` when it holds something that relay does
 * not print, so that only a YAML reader can say where its blocks end.
 */
export function takeBlocks(source: string): Taken | undefined {
  if (source.includes('\r') || !source.endsWith('\n')) return undefined
  let mark = 'text-'
  while (source.includes(mark)) mark = `x${mark}`
  const lines = source.split('\n')
  lines.pop()
  const skeleton: string[] = []
  const texts = new Map<string, string>()
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const header = blockHeader.exec(line)
    if (header === null) {
      if (otherBlock.test(line)) return undefined
      skeleton.push(line)
      continue
    }
    const [, blanks = '', dashes = '', key = '', depth = '', chomp = ''] = header
    if (dashes === '' && key === '') return undefined
    const parent = blanks.length + dashes.length - (key === '' ? 2 : 0)
    const end = blockEnd(lines, at + 1, parent, depth)
    if (end === undefined) return undefined
    const name = `${mark}${texts.size}`
    skeleton.push(`${blanks}${dashes}${key}${name}`)
    const text = textOf(lines.slice(at + 1, end.at), end.indent, chomp)
    if (!isLiteral(text)) return undefined
    texts.set(name, text)
    at = end.at - 1
  }
  return { skeleton: `${skeleton.join('\n')}\n`, texts }
}

/** The line that is no longer the block's, and the indent of the block's own. */
function blockEnd(
  lines: readonly string[],
  from: number,
  parent: number,
  depth: string,
): { readonly at: number; readonly indent: number } | undefined {
  let indent = depth === '' ? undefined : parent + Number(depth)
  let at = from
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const found = line.search(/[^ ]/)
    if (found < 0) {
      // A blank line with blanks of its own before the indent is known: nothing that relay prints.
      if (indent === undefined && line !== '') return undefined
      continue
    }
    if (found <= parent) break
    indent ??= found
    if (found < indent) return undefined
  }
  return { at, indent: indent ?? parent + 2 }
}

function textOf(block: readonly string[], indent: number, chomp: string): string {
  const text = block.map(line => line.slice(indent)).join('\n')
  if (chomp === '+') return block.length === 0 ? '' : `${text}\n`
  const end = endWithoutNewlines(text)
  return text.slice(0, end) + (chomp === '-' || end === 0 ? '' : '\n')
}

/**
 * Reads a YAML text with `read`, its long texts around it. A text in which a placeholder does not come back as a value
 * of its own holds something else than relay prints, and is read as a whole. `undefined` when `read` says so.
 */
export function readWithBlocks(source: string, read: (yaml: string) => unknown): unknown {
  const taken = takeBlocks(source)
  const value = taken === undefined ? undefined : read(taken.skeleton)
  if (taken === undefined || value === undefined) return read(source)
  const used = new Set<string>()
  const whole = putBack(value, taken.texts, used)
  return used.size === taken.texts.size ? whole : read(source)
}

function putBack(value: unknown, texts: ReadonlyMap<string, string>, used: Set<string>): unknown {
  if (typeof value === 'string') {
    const text = texts.get(value)
    if (text !== undefined) used.add(value)
    return text ?? value
  }
  if (Array.isArray(value)) return value.map(item => putBack(item, texts, used))
  if (!(value instanceof Map)) return value
  return new Map([...value].map(([key, item]) => [key, putBack(item, texts, used)]))
}
