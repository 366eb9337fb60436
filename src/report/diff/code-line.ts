import { count, grouped } from '../text/count.ts'
import type { Style } from '../text/style.ts'
import { visible } from '../text/visible.ts'
import { broken } from '../text/wrap-line.ts'
import type { Span } from './changed-lines.ts'

/** A line of code ready to print, and its changed parts. */
export interface CodeLine {
  readonly text: string
  readonly changed: readonly Span[]
  /** Characters that differ between the sides are left out. */
  readonly isCut: boolean
}

/** A line with more signs is not shown whole above a question. */
export const LONG = 2000

/** How many equal signs are shown on either side of a change, where there is room. */
const AROUND = 60

/**
 * A line ready to print. In a line with more than `most` signs, long equal parts are only counted. Where even the
 * changes are too much, the end of the line says how much is left out.
 *
 * @param spans the changed parts; without them the line stands alone, and all of it changed
 */
export function codeLine(
  text: string,
  spans: readonly Span[] | undefined,
  most: number,
  style: Style,
  inBlanks = false,
): CodeLine {
  const mark = style.sign.cut
  const around = Math.min(AROUND, most >> 3)
  const print = (from: number, to: number) => printable(text.slice(from, to), style, inBlanks)
  const same = (from: number, to: number) => {
    const [left, right] = [wholeSign(text, from + around), wholeSign(text, to - around)]
    if (text.length <= most || right - left <= AROUND) return print(from, to)
    return `${print(from, left)}${mark} ${grouped(right - left)} the same ${mark}${print(right, to)}`
  }
  const wanted = spans ?? [[0, text.length] as const]
  const changed: Span[] = []
  let shown = ''
  let at = 0
  for (const [from, to] of wanted) {
    shown += same(at, from)
    const room = text.length <= most ? text.length : Math.max(0, most - shown.length)
    at = wholeSign(text, Math.min(to, from + room))
    const start = shown.length
    shown += print(from, at)
    if (spans !== undefined) changed.push([start, shown.length])
    if (at < to) break
  }
  const isCut = at < (wanted.at(-1)?.[1] ?? 0)
  shown += isCut ? `${mark} ${count(text.length - at, 'more character')}` : same(at, text.length)
  return { text: shown, changed, isCut }
}

/** Never cuts a sign of two halves. */
function wholeSign(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at
}

/** A tab becomes four blanks: the terminal would count its columns from the line number on. */
function printable(text: string, { sign }: Style, inBlanks: boolean): string {
  const shown = inBlanks ? visible(text).replaceAll(' ', sign.blank) : visible(text)
  return shown.replaceAll('\t', inBlanks ? `${sign.tab}   ` : '    ')
}

type Row = Pick<CodeLine, 'text' | 'changed'>

/**
 * A line in rows of this many columns, each with its changed parts. A terminal's own wrapping would begin each row at
 * the edge, where a text can pass for the next line of the diff, or for the question.
 */
export function codeRows({ text, changed }: Row, columns: number): readonly Row[] {
  let from = 0
  return broken(text, columns).map(row => {
    const [start, end] = [from, from + row.length]
    from = end
    const within = changed.map(
      ([left, right]) => [Math.max(left, start) - start, Math.min(right, end) - start] as const,
    )
    return { text: row, changed: within.filter(([left, right]) => left < right) }
  })
}
