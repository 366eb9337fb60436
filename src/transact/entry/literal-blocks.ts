/** The long texts of an entry, as YAML's literal blocks: how they are printed, and read again. */

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

/**
 * A text as a block: its header, its first line and the others, with their indent. They are apart, for a text that is put
 * together is copied once more as soon as it is used, and this one may be of many megabytes.
 */
export function literalBlock(text: string, indent: string): readonly [header: string, ...lines: string[]] {
  const ends = text.endsWith('\n')
  // Where the first line is indented itself, the reader has to be told how much of that is ours.
  const depth = /^\n*[\t ]/.test(text) ? '2' : ''
  const chomp = !ends ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
  const body = ends ? text.slice(0, -1) : text
  const first = body.indexOf('\n')
  const header = `|${depth}${chomp}`
  if (first === -1) return [header, indented(body, indent)]
  // A line that is empty stays so.
  const others = body.slice(first).replaceAll(/\n(?!\n|$)/g, `\n${indent}`)
  return [header, indented(body.slice(0, first), indent), others.slice(1)]
}

function indented(line: string, indent: string): string {
  return line === '' ? '' : `${indent}${line}`
}

/** A block's text, and where the line behind it begins. */
interface Block {
  readonly text: string
  readonly end: number
}

/**
 * Reads the block whose lines begin at `start`, below the line of its header; `parent` is the indent of what it belongs to.
 * `undefined` for one that relay does not print.
 */
export function readBlock(header: string, source: string, start: number, parent: number): Block | undefined {
  const [found, depth = '', chomp = ''] = /^\|([1-9]?)([-+]?)$/.exec(header) ?? []
  if (found === undefined) return undefined
  const end = blockEnd(source, start, parent)
  const text = textOf(source.slice(start - 1, end), parent, depth, chomp)
  return text === undefined || !isLiteral(text) ? undefined : { text, end }
}

/** Where the next line begins that is not further in than the block's parent. */
function blockEnd(source: string, start: number, parent: number): number {
  const outside = new RegExp(`\\n {0,${parent}}[^ \\n]`, 'g')
  outside.lastIndex = start - 1
  const found = outside.exec(source)
  return found === null ? source.length : found.index + 1
}

/** The text of a block's lines, each behind its line end; nothing where one of them is not indented as relay does it. */
function textOf(lines: string, parent: number, depth: string, chomp: string): string | undefined {
  const indent = depth === '' ? indentOf(lines, parent) : parent + Number(depth)
  if (indent === undefined) return undefined
  if (new RegExp(`\\n(?! {${indent}}|\\n|$)`).test(lines)) return undefined
  const text = lines.replaceAll(`\n${' '.repeat(indent)}`, '\n').slice(1)
  if (chomp === '+') return text
  const end = endWithoutNewlines(text)
  return text.slice(0, end) + (chomp === '-' || end === 0 ? '' : '\n')
}

/** The first line that is not empty tells; nothing where that is one of blanks alone. */
function indentOf(lines: string, parent: number): number | undefined {
  const [, blanks, sign] = /^\n*( *)([^ ]?)/.exec(lines) ?? []
  if (blanks === '' && sign === '') return parent + 2
  return sign === '' || sign === '\n' ? undefined : blanks?.length
}
