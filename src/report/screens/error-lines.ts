import type { Style } from '../text/style.ts'
import { visible } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

/** What happened, then what to do. `isRead`: on a screen. A log keeps each line whole. */
export function errorLines(
  error: { readonly message: string; readonly hint?: string | undefined },
  style: Style,
  isRead: boolean,
): readonly string[] {
  const { paint } = style
  const { message, hint = '' } = error
  return [
    ...labelled(paint.fail('Error:'), message, style, isRead),
    ...(hint === '' ? [] : labelled(paint.strong('Hint:'), hint, style, isRead)),
  ]
}

const INDENT = '       '

/** Further lines of a text stand below its first. */
function labelled(label: string, text: string, style: Style, isRead: boolean): readonly string[] {
  const [first = '', ...others] = text
    .trimEnd()
    .split(/\r?\n/)
    .map(line => visible(line.replaceAll('\t', '    ')))
    .map(line => (line.length > LONG ? `${line.slice(0, LONG)}${style.sign.cut}` : line))
    .flatMap(line => (isRead ? wrapped(line, style.columns - INDENT.length) : [line]))
  return [`${label} ${first}`.trimEnd(), ...others.map(line => `${INDENT}${line}`.trimEnd())]
}

/** Breaks at blanks, and keeps the indentation. */
function wrapped(line: string, columns: number): readonly string[] {
  const [lead = ''] = /^ */.exec(line) ?? []
  if (lead.length > columns / 2) return [line]
  return wrapLine(line.slice(lead.length), columns - lead.length, '', Number.POSITIVE_INFINITY).map(row => lead + row)
}

/** Far wider than a screen: a user who searches for a message needs all of it. */
const LONG = 2000
