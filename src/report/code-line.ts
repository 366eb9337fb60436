import { differInBlanksAlone } from './blanks.ts'
import { changedWords, type Span } from './changed-words.ts'
import { columnsOf } from './columns-of.ts'
import { count } from './count.ts'
import { cutLine } from './cut-line.ts'
import type { Style } from './style.ts'
import { visible } from './visible.ts'

/** A line of code as it can be printed, and which parts of it changed. */
export interface CodeLine {
  readonly text: string
  readonly changed: readonly Span[]
}

/** What a line may fill: columns of the screen, or all but a line that floods it. */
export type Room = number | 'whole'

/** Past so many signs even a whole line is cut. */
const LONG = 2000
/** So many code units make at most one column of honest text. */
const UNITS = 16

/** A line that stands alone: added, removed or the same. */
export function codeLine(text: string, room: Room, style: Style): CodeLine {
  return { text: cutAt(text, 0, room, style, 'plain'), changed: [] }
}

/**
 * A line and what became of it. Cut so that the place where they begin to differ is in view; where they differ in
 * blanks alone, the blanks are shown.
 */
export function changedLine(
  before: string,
  after: string,
  room: Room,
  style: Style,
): { readonly before: CodeLine; readonly after: CodeLine } {
  const blanks = differInBlanksAlone(before, after) ? 'shown' : 'plain'
  const from = firstInView(before, after, room)
  const [old, now] = [before, after].map(text => cutAt(text, from, room, style, blanks)) as [string, string]
  const words = changedWords(old, now)
  return { before: { text: old, changed: words?.before ?? [] }, after: { text: now, changed: words?.after ?? [] } }
}

/** Where the view begins: at the start, unless the first difference would then be out of it. */
function firstInView(before: string, after: string, room: Room): number {
  const columns = room === 'whole' ? LONG : room
  let same = 0
  while (same < before.length && before.charCodeAt(same) === after.charCodeAt(same)) same++
  // Counted from the difference backwards, coarsely: what matters is that it is in view.
  let left = 0
  let from = same
  for (let seen = 0; from > 0 && seen < columns * 0.7; from--) {
    seen += coarseColumns(before.charCodeAt(from - 1))
    if (left === 0 && seen >= columns * 0.3) left = from
  }
  return from === 0 ? 0 : wholeSign(before, left)
}

function coarseColumns(code: number): number {
  if (code < 0x20 || code === 0x7f) return 4
  return code < 0x1100 ? 1 : 2
}

/** Not in the middle of a sign of two halves. */
function wholeSign(text: string, at: number): number {
  return /[\udc00-\udfff]/.test(text.charAt(at)) ? at - 1 : at
}

function cutAt(text: string, from: number, room: Room, style: Style, blanks: 'plain' | 'shown'): string {
  const { cut } = style.sign
  const head = from > 0 ? cut : ''
  if (room === 'whole') return head + cutWhole(text.slice(from), part => printable(part, style, blanks), cut)
  const end = wholeSign(text, Math.min(text.length, from + room * UNITS))
  const printed = printable(text.slice(from, end), style, blanks)
  return cutLine(head + printed + (end < text.length ? cut : ''), room, cut)
}

/** A line that is not cut, unless it floods even a pager; then it says by how much. */
export function cutWhole(text: string, print: (part: string) => string, mark: string): string {
  const end = wholeSign(text, Math.min(text.length, LONG))
  return print(text.slice(0, end)) + (end < text.length ? `${mark} ${count(text.length - end, 'more character')}` : '')
}

/** Tabs as blanks up to every fourth column: a terminal's own would count from the line number on. */
function printable(text: string, { sign }: Style, blanks: 'plain' | 'shown'): string {
  const [tab, blank] = blanks === 'shown' ? [sign.tab, sign.blank] : ['', ' ']
  let line = ''
  let column = 0
  for (const [index, part] of text.split('\t').entries()) {
    if (index > 0) {
      const wide = 4 - (column % 4)
      line += tab + ' '.repeat(wide - tab.length)
      column += wide
    }
    const shown = visible(part)
    line += blanks === 'shown' ? shown.replaceAll(' ', blank) : shown
    column += columnsOf(shown)
  }
  return line
}
