import { hasWord } from '../ground/bare-text.ts'
import { isComment } from '../remark.ts'

/** A line that says something, and the one that opens the block that it stands in; empty where it stands in none. */
export interface Nested {
  readonly line: string
  readonly within: string
  /** It holds a statement, or the head of a block, to its end. */
  readonly isWhole: boolean
}

/**
 * What the lines of a text stand in, where blanks alone tell it; of a remark, and of what goes on in brackets or in a long
 * text, a formatter may change it, so these are left out. `undefined` for other languages.
 */
export function nestedLines(text: string, path: string): readonly Nested[] | undefined {
  if (!yaml.test(path) && !blanks.test(path)) return undefined
  const around: { readonly column: number; readonly line: string }[] = []
  let open = 0
  return withoutLongTexts(text, path)
    .split('\n')
    .flatMap(line => {
      const isBegun = open > 0
      if (!yaml.test(path)) open = Math.max(0, open + opened(line))
      if (isBegun || !hasWord(line) || isComment(line.trim(), path)) return []
      const column = columnOf(line, path)
      while (column <= (around.at(-1)?.column ?? -1)) around.pop()
      const within = around.at(-1)?.line ?? ''
      around.push({ column, line })
      return [{ line, within, isWhole: open === 0 }]
    })
}

const yaml = /\.ya?ml$/i
const blanks =
  /\.(?:py[iwx]?|pxd|bzl|star|gd|nims?|coffee|sass|styl|pug|jade|haml|slim)$|(?:^|\/)(?:SConstruct|SConscript|wscript|Snakefile|Tiltfile)$/i

function withoutLongTexts(text: string, path: string): string {
  if (yaml.test(path)) return text
  return text.replace(/("""|''')[\s\S]*?\1/g, long => long.replace(/[^\n]+/g, ''))
}

/** How many brackets a line leaves open. */
function opened(line: string): number {
  const code = line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '').replace(/#.*/, '')
  return (code.match(/[([{]/g) ?? []).length - (code.match(/[)\]}]/g) ?? []).length
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
