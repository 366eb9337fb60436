import { sameEnd, sameStart } from '../../lines/same-ends.ts'
import { columnsOf } from '../text/columns-of.ts'
import { cutLine } from '../text/cut-line.ts'
import type { Style } from '../text/style.ts'
import { visible } from '../text/visible.ts'
import { differInBlanksAlone } from './blanks.ts'
import { type CodeLine, changedWords } from './changed-words.ts'
import { excerptOf, LONG, wholeSign } from './long-line.ts'

/**
 * What a line may fill: so many columns of one row, all that it takes, or several rows. Of the last, a line that would
 * flood the screen is cut: what is the same on both sides goes first.
 */
export type Room = number | 'whole' | 'rows'

/** So many code units make at most one column of honest text. */
const UNITS = 16

/** In a line of thousands of signs, the few that changed are looked for further. */
const MANY_WORDS = 40_000

/** A line that stands alone: added, removed or the same. */
export function codeLine(text: string, room: Room, style: Style): CodeLine {
  if (room === 'rows') return excerptOf(text, undefined, part => printable(part, style, 'plain'), style.sign.cut)
  const { shown, beyond } = viewFrom(text, 0, room, style, 'plain', text.length)
  return { text: shown, changed: [], unseen: beyond }
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
  if (room === 'rows' && Math.max(before.length, after.length) > LONG) {
    const words = changedWords(before, after, MANY_WORDS)
    const print = (part: string) => printable(part, style, blanks)
    return {
      before: excerptOf(before, words?.before, print, style.sign.cut),
      after: excerptOf(after, words?.after, print, style.sign.cut),
    }
  }
  const columns = room === 'rows' ? 'whole' : room
  const from = columns === 'whole' ? 0 : firstInView(before, after, columns)
  const tail = sameEnd(before, after, sameStart(before, after))
  const [old, now] = [before, after].map(text => {
    return viewFrom(text, from, columns, style, blanks, text.length - tail)
  }) as [View, View]
  const words = changedWords(old.shown, now.shown)
  return {
    before: { text: old.shown, changed: words?.before ?? [], unseen: old.beyond },
    after: { text: now.shown, changed: words?.after ?? [], unseen: now.beyond },
  }
}

/** Where the view begins: at the start, unless the first difference would then be out of it. */
function firstInView(before: string, after: string, columns: number): number {
  const same = sameStart(before, after)
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

interface View {
  readonly shown: string
  /** How much of it there is to see past the view, before the place from which on nobody has to see it. */
  readonly beyond: number
}

function viewFrom(
  text: string,
  from: number,
  room: number | 'whole',
  style: Style,
  blanks: 'plain' | 'shown',
  matters: number,
): View {
  const { cut } = style.sign
  const head = from > 0 ? cut : ''
  if (room === 'whole') return { shown: head + printable(text.slice(from), style, blanks), beyond: 0 }
  const end = wholeSign(text, Math.min(text.length, from + room * UNITS))
  const printed = head + printable(text.slice(from, end), style, blanks)
  const shown = cutLine(printed + (end < text.length ? cut : ''), room, cut)
  if (end === text.length && shown === printed) return { shown, beyond: 0 }
  const upTo = wholeSign(text, Math.min(Math.max(matters, from), end))
  const needs = columnsOf(head + printable(text.slice(from, upTo), style, blanks).trimEnd())
  return { shown, beyond: Math.max(0, needs - (room - columnsOf(cut))) + Math.max(0, matters - end) }
}

/** Tabs as blanks up to every fourth column: a terminal's own would count from the line number on. */
function printable(text: string, { sign }: Style, blanks: 'plain' | 'shown'): string {
  const [tab, blank] = blanks === 'shown' ? [sign.tab, sign.blank] : ['', ' ']
  let line = ''
  let column = 0
  const parts = text.split('\t')
  for (const [index, part] of parts.entries()) {
    if (index > 0) {
      const wide = 4 - (column % 4)
      line += tab + ' '.repeat(wide - tab.length)
      column += wide
    }
    const shown = visible(part)
    line += blanks === 'shown' ? shown.replaceAll(' ', blank) : shown
    // Only a tab asks for it, and counting the columns of a million signs takes long.
    if (index < parts.length - 1) column += shown.length > LONG ? shown.length : columnsOf(shown)
  }
  return line
}
