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
  const chomp = !ends ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
  const lines = `\n${ends ? text.slice(0, -1) : text}`
  // A line that is empty stays so.
  return `|${depth}${chomp}${lines.replaceAll(/\n(?!\n|$)/g, `\n${indent}`)}`
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
  const mark = markFor(source)
  const skeleton: string[] = []
  const texts = new Map<string, string>()
  for (let at = 0; at < source.length; ) {
    const line = source.slice(at, source.indexOf('\n', at))
    at += line.length + 1
    const header = blockHeader.exec(line)
    if (header === null) {
      if (otherBlock.test(line)) return undefined
      skeleton.push(line)
      continue
    }
    const block = takeBlock(header, source, at)
    if (block === undefined) return undefined
    const name = `${mark}${texts.size}`
    skeleton.push(`${block.lead}${name}`)
    texts.set(name, block.text)
    at = block.end
  }
  return { skeleton: `${skeleton.join('\n')}\n`, texts }
}

interface Block {
  /** What stands before it on its line. */
  readonly lead: string
  readonly text: string
  /** Where the line behind it begins. */
  readonly end: number
}

/** The block whose lines begin at `start`; `undefined` for one that relay does not print. */
function takeBlock(header: RegExpExecArray, source: string, start: number): Block | undefined {
  const [, blanks = '', dashes = '', key = '', depth = '', chomp = ''] = header
  if (dashes === '' && key === '') return undefined
  const parent = blanks.length + dashes.length - (key === '' ? 2 : 0)
  const end = blockEnd(source, start, parent)
  const text = textOf(source.slice(start, end), parent, depth, chomp)
  return text === undefined || !isLiteral(text) ? undefined : { lead: `${blanks}${dashes}${key}`, text, end }
}

/** What a text does not hold, in one pass: who writes an entry could else make it look for ever. */
function markFor(source: string): string {
  const held = new Set(source.match(/text\d{1,7}-/g))
  let number = 0
  while (held.has(`text${number}-`)) number += 1
  return `text${number}-`
}

/** Where the next line begins that is not further in than the block's parent. */
function blockEnd(source: string, start: number, parent: number): number {
  const outside = new RegExp(`\\n {0,${parent}}[^ \\n]`, 'g')
  outside.lastIndex = start - 1
  const found = outside.exec(source)
  return found === null ? source.length : found.index + 1
}

/** The text of a block's lines; nothing where one of them is not indented as relay does it. */
function textOf(block: string, parent: number, depth: string, chomp: string): string | undefined {
  const indent = depth === '' ? indentOf(block, parent) : parent + Number(depth)
  if (indent === undefined) return undefined
  const lines = `\n${block}`
  if (new RegExp(`\\n(?! {${indent}}|\\n|$)`).test(lines)) return undefined
  const text = lines.replaceAll(`\n${' '.repeat(indent)}`, '\n').slice(1)
  if (chomp === '+') return text
  const end = endWithoutNewlines(text)
  return text.slice(0, end) + (chomp === '-' || end === 0 ? '' : '\n')
}

/** The first line that is not empty tells; nothing where that is one of blanks alone. */
function indentOf(block: string, parent: number): number | undefined {
  const [, blanks, sign] = /^\n*( *)([^ ]?)/.exec(block) ?? []
  if (blanks === '' && sign === '') return parent + 2
  return sign === '' || sign === '\n' ? undefined : blanks?.length
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
