import { hasWord } from './bare-text.ts'
import { isComment } from './remark.ts'

/** A line that says something, and the place among these of the one that opens the block that it stands in, if in any. */
export interface Nested {
  readonly line: string
  readonly within: number | undefined
  /** It holds a statement, or the head of a block, to its end. */
  readonly isWhole: boolean
}

/**
 * What the lines of a text stand in, as blanks or braces tell it in its language. `undefined` where that is not known. What
 * a formatter may put elsewhere (a remark, what goes on in brackets or in a long text) is left out, or is not whole.
 */
export function nestedLines(text: string, path: string): readonly Nested[] | undefined {
  if (yaml.test(path) || blanks.test(path)) return byBlanks(text, path)
  return braces.test(path) ? byBraces(text, path) : undefined
}

const yaml = /\.ya?ml$/i
const blanks =
  /\.(?:py[iwx]?|pxd|bzl|star|gd|nims?|coffee|sass|styl|pug|jade|haml|slim)$|(?:^|\/)(?:SConstruct|SConscript|wscript|Snakefile|Tiltfile)$/i
const braces =
  /\.(?:[cm]?[jt]sx?|java|kts?|c|h|cc|cpp|cxx|hpp|hh|cs|go|rs|swift|scala|php|dart|groovy|gradle|zig|proto|tf|s?css|less)$/i

function byBlanks(text: string, path: string): readonly Nested[] {
  const nested: Nested[] = []
  const around: { readonly column: number; readonly place: number }[] = []
  let open = 0
  for (const line of withoutLongTexts(text, path).split('\n')) {
    const isBegun = open > 0
    if (!yaml.test(path)) open = Math.max(0, open + opened(codeOf(line, path), /[([{]/g, /[)\]}]/g))
    if (isBegun || !saysSomething(line, path)) continue
    const column = columnOf(line, path)
    while (column <= (around.at(-1)?.column ?? -1)) around.pop()
    nested.push({ line, within: around.at(-1)?.place, isWhole: open === 0 })
    around.push({ column, place: nested.length - 1 })
  }
  return nested
}

function withoutLongTexts(text: string, path: string): string {
  if (yaml.test(path)) return text
  return text.replace(/("""|''')[\s\S]*?\1/g, long => long.replace(/[^\n]+/g, ''))
}

/** A tab goes on to the next column of eight. A `-` of YAML stands in the key above it also where it is no further in. */
function columnOf(line: string, path: string): number {
  const code = line.trimStart()
  let column = 0
  for (const sign of line.slice(0, line.length - code.length)) {
    if (sign === '\f') column = 0
    else column = sign === '\t' ? (Math.floor(column / 8) + 1) * 8 : column + 1
  }
  return yaml.test(path) && code.startsWith('-') ? column + 0.5 : column
}

/** Nothing is known where the brackets do not pair off: some of them are in a long text, or in an expression for texts. */
function byBraces(text: string, path: string): readonly Nested[] | undefined {
  const nested: Nested[] = []
  const around: Bracket[] = []
  for (const line of text.split('\n')) {
    const code = codeOf(line, path)
    const [closed = ''] = /^[\s})\];,]*/.exec(code) ?? []
    const rest = code.slice(closed.length)
    if (!follow(closed, nested.length - 1, around)) return undefined
    if (saysSomething(line, path)) nested.push(nestedIn(around, line, rest))
    // A brace may open on a line of its own.
    if (!follow(rest, nested.length - 1, around)) return undefined
  }
  return around.length === 0 ? nested : undefined
}

/** One that is open, by what closes it, with the place of the line that opens the block around what follows. */
interface Bracket {
  readonly closing: string
  readonly block: number | undefined
}

/** Opens and closes brackets as the code does; `false` where it closes another one than is open. */
function follow(code: string, place: number, around: Bracket[]): boolean {
  return (code.match(/[()[\]{}]/g) ?? []).every(sign => {
    const closing = CLOSING.get(sign)
    if (closing === undefined) return around.pop()?.closing === sign
    return around.push({ closing, block: closing === '}' ? place : around.at(-1)?.block })
  })
}

function nestedIn(around: readonly Bracket[], line: string, code: string): Nested {
  const { closing, block: within } = around.at(-1) ?? { closing: '}', block: undefined }
  const isPart = closing !== '}' || code.trimEnd().endsWith(',')
  return { line, within, isWhole: !isPart && opened(code, /[([]/g, /[)\]]/g) === 0 }
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])

function saysSomething(line: string, path: string): boolean {
  return hasWord(line) && !isComment(line.trim(), path)
}

/** A line without its texts and without a remark at its end. The `'a` of Rust begins no text. A long line is data. */
function codeOf(line: string, path: string): string {
  if (line.length > LONGEST) return ''
  const texts = path.endsWith('.rs') ? /"(?:\\.|[^"\\])*"|'(?:\\[^']+|[^'\\])'/g : TEXTS
  return line.replace(texts, '').replace(braces.test(path) ? /\/\/.*/ : /#.*/, '')
}

/** What opens in a longer line closes there, most often; where a text is not closed the pattern below reads it again and again. */
const LONGEST = 500

const TEXTS = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`/g

/** How many brackets a line leaves open. */
function opened(code: string, open: RegExp, close: RegExp): number {
  return (code.match(open) ?? []).length - (code.match(close) ?? []).length
}
