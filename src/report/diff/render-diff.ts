import type { Change } from '../../model/plan.ts'
import { columnsOf } from '../text/columns-of.ts'
import { count, grouped } from '../text/count.ts'
import { row } from '../text/row.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'
import type { CodeLine, Span } from './changed-words.ts'
import { changedLine, codeLine, type Room } from './code-line.ts'
import { codeRows } from './code-rows.ts'
import { countWords } from './count-words.ts'
import { type DiffLine, diffLines } from './diff-lines.ts'
import { type FileDiff, type Moves, nameOf } from './file-diffs.ts'
import { SIGN, type TextLine } from './hunks.ts'
import { LONG } from './long-line.ts'
import { pairLines } from './pair-lines.ts'
import { shortenDiff } from './shorten-diff.ts'
import { type Unseen, unseenOf } from './unseen.ts'

/** The whole diff, for a pager: nothing of it is cut. */
export function renderDiff(changes: readonly Change[], style: Style, moves: Moves = 'followed'): string {
  const lines = diffLines(changes, moves)
  if (lines.length === 0) return nothing(style)
  return paintLines(lines, style, 'whole')
    .flatMap(({ rows }) => rows)
    .join('\n')
}

/** Where all of it is shown when somebody can press a key; an empty text names no place. */
const D_KEY = 'd shows all'

/**
 * The diff in at most so many lines of the terminal, for above a question: something of each file and of either side
 * rather than all of the first. Whatever is left out is said in its last line, and where to see it, if anywhere.
 */
export function renderShortDiff(changes: readonly Change[], style: Style, most: number, where = D_KEY): ShortenedDiff {
  return renderUpTo({ most, width: style.width, where, moves: 'followed' }, changes, style)
}

interface ShortenedDiff {
  readonly text: string
  /** Nothing is left out, and the heading of each file is there. */
  readonly isWhole: boolean
  readonly unseen: readonly Unseen[]
}

/**
 * The diff as it is printed above a question about what is dangerous: lines are wrapped, not cut, and only what would
 * flood the screen is left out. What that is, is told for each file: the question has to say it.
 */
export function renderFullDiff(changes: readonly Change[], style: Style, most: number, where = D_KEY): ShortenedDiff {
  return renderUpTo({ most, width: 'rows', where, moves: 'apart' }, changes, style)
}

interface Bounds {
  readonly most: number
  /** The columns of a line, or that it may take several rows. */
  readonly width: number | 'rows'
  /** Where all of it is shown. */
  readonly where: string
  readonly moves: Moves
}

function nothing(style: Style): string {
  return style.paint.meta('  no differences')
}

function renderUpTo({ most, width, where, moves }: Bounds, changes: readonly Change[], style: Style): ShortenedDiff {
  const lines = diffLines(changes, moves)
  if (lines.length === 0) return { text: nothing(style), isWhole: true, unseen: [] }
  const { short, shown } = inFull(lines, most, style) ?? inShort(lines, most, width, style)
  const { hidden, cut, files } = unseenOf(short, shown)
  const isWhole = hidden + cut === 0
  const last = isWhole ? [] : [style.paint.meta(`  -- ${leftOutWords(hidden, cut, style)}${where && `: ${where}`} --`)]
  return { text: [...shown.flatMap(({ rows }) => rows), ...last].join('\n'), isWhole, unseen: files }
}

/** Lines for a screen, and the first of them, as many as it has room for. */
interface Fitted {
  readonly short: readonly DiffLine[]
  readonly shown: readonly PaintedLine[]
}

/** Where there is room for all of it, long lines are wrapped too. */
function inFull(lines: readonly DiffLine[], most: number, style: Style): Fitted | undefined {
  if (lines.length > most) return undefined
  const painted = paintLines(lines, style, 'rows')
  const isAll = painted.every(({ unseen }) => unseen === 0)
  return isAll && fitting(painted, most).length === lines.length ? { short: lines, shown: painted } : undefined
}

/** One row is for what is left out. */
function inShort(lines: readonly DiffLine[], most: number, width: number | 'rows', style: Style): Fitted {
  const short = shortenDiff(lines, most - 1, line => likelyRows(line, width, style))
  // Of lines that are left out at the very end that row tells.
  const told = short.at(-1)?.kind === 'left-out' ? short.slice(0, -1) : short
  return { short, shown: fitting(paintLines(told.slice(0, most), style, width), most - 1) }
}

function fitting(painted: readonly PaintedLine[], most: number): readonly PaintedLine[] {
  let used = 0
  for (const [index, { rows }] of painted.entries()) {
    used += rows.length
    if (used > most) return painted.slice(0, index)
  }
  return painted
}

/** `relay hides 55 lines and cuts 3`; a narrow screen has room for less. */
function leftOutWords(hidden: number, cut: number, { columns }: Style): string {
  const isNarrow = columns < 50
  const words = [
    ...(hidden > 0 ? [`hides ${isNarrow && cut > 0 ? grouped(hidden) : count(hidden, 'line')}`] : []),
    ...(cut > 0 ? [`cuts ${hidden > 0 ? grouped(cut) : count(cut, 'line')}`] : []),
  ]
  return isNarrow ? words.join(', ') : `relay ${words.join(' and ')}`
}

/** How many rows a line will about take, told without painting it. */
function likelyRows(line: DiffLine, width: number | 'rows', style: Style): number {
  if (width !== 'rows' || !('text' in line) || line.kind === 'same') return 1
  return Math.ceil(Math.min(line.text.length, LONG) / (style.width - 12)) || 1
}

interface PaintedLine {
  readonly rows: readonly string[]
  /** About how many characters of it cannot be seen. */
  readonly unseen: number
}

/** Each line in as many rows as it takes. */
function paintLines(lines: readonly DiffLine[], style: Style, width: Room): readonly PaintedLine[] {
  const last = lines.reduce((most, line) => Math.max(most, ...('old' in line ? [line.old ?? 0, line.now ?? 0] : [])), 0)
  // Two columns: the numbers in the old text, and in the new one.
  const gutter = 2 * Math.max(4, String(last).length + 1)
  const room = typeof width === 'number' ? width - gutter - 4 : width
  const changed = changedLines(lines, room, style)
  return lines.map(line => paintLine(line, changed.get(line), gutter, room, style))
}

/** The lines that were changed into another one, each as it is to be printed. */
function changedLines(lines: readonly DiffLine[], room: Room, style: Style): ReadonlyMap<DiffLine, CodeLine> {
  const found = new Map<DiffLine, CodeLine>()
  let at = 0
  while (at < lines.length) {
    const removed = rowAt(lines, at, 'removed')
    at += removed.length
    if (removed.length > 0 && lines[at]?.kind === 'left-out') at++
    const added = removed.length > 0 ? rowAt(lines, at, 'added') : []
    at += removed.length > 0 ? added.length : 1
    for (const [left, right] of pairLines(textsOf(removed), textsOf(added))) {
      const [old, now] = [removed[left] as TextLine, added[right] as TextLine]
      const { before, after } = changedLine(old.text, now.text, room, style)
      found.set(old, before)
      found.set(now, after)
    }
  }
  return found
}

function rowAt(lines: readonly DiffLine[], from: number, kind: 'added' | 'removed'): readonly TextLine[] {
  const row: TextLine[] = []
  for (let line = lines[from]; line?.kind === kind; line = lines[from + row.length]) row.push(line as TextLine)
  return row
}

function textsOf(lines: readonly TextLine[]): readonly string[] {
  return lines.map(({ text }) => text)
}

function paintLine(
  line: DiffLine,
  changed: CodeLine | undefined,
  gutter: number,
  room: Room,
  style: Style,
): PaintedLine {
  if (!('old' in line)) return { rows: headRows(line, gutter, room, style), unseen: 0 }
  // Of several rows, those around a change need but one.
  const one = room === 'rows' && line.kind === 'same' ? style.width - gutter - 4 : room
  const code = changed ?? codeLine(line.text, one, style)
  const whole = { ...code, text: code.text.trimEnd() }
  const rows = one === 'rows' ? codeRows(whole, style.width - gutter - 4) : [whole]
  return {
    rows: rows.flatMap((row, index) => paintText(line, row, index === 0, gutter, style)),
    unseen: line.kind === 'same' ? 0 : code.unseen,
  }
}

function headRows(line: Exclude<DiffLine, TextLine>, gutter: number, room: Room, style: Style): readonly string[] {
  const { paint, sign, width } = style
  const indent = ' '.repeat(gutter)
  switch (line.kind) {
    case 'blank':
      return ['']
    case 'gap':
      return [paint.meta(`${indent}  ${sign.gap}`)]
    case 'left-out':
      return [paint.meta(`${indent}  ${sign.gap} ${count(line.count, 'more line')} ${line.what}`)]
    case 'note':
      return noteRows(visibleLine(line.text), room, width - gutter - 2).map(row => paint.meta(`${indent}  ${row}`))
    case 'file':
      return fileHead(line.file, room, style)
  }
}

function fileHead(file: FileDiff, room: Room, style: Style): readonly string[] {
  const { paint, sign, width } = style
  const rows = inRows(nameOf(file), room, width - 4).map((part, index) => {
    return `  ${index === 0 ? sign[file.effect] : ' '} ${paint.strong(paint.path(part))}`
  })
  return [...rows.slice(0, -1), ...row(rows.at(-1) ?? '', headCounts(file, style), style)]
}

function noteRows(text: string, room: Room, columns: number): readonly string[] {
  return room === 'whole' ? [text] : wrapLine(text, columns, '', Number.POSITIVE_INFINITY)
}

/** A path, like a line, must not go on at the edge of the screen; a pager keeps it whole, and can be searched. */
function inRows(text: string, room: Room, columns: number): readonly string[] {
  return room === 'whole' ? [text] : codeRows({ text, changed: [] }, columns).map(row => row.text)
}

/** Only what there can be; what is not counted in lines is told in the notes. */
function headCounts({ effect, compared: { added, removed, counted } }: FileDiff, style: Style): string {
  if (!counted || added + removed === 0) return ''
  if (effect === 'create') return style.paint.ok(`+${added}`)
  return effect === 'delete' ? style.paint.fail(`-${removed}`) : countWords({ added, removed, uncounted: 0 }, style)
}

/** A row of a line, the first one with its numbers; where colour cannot mark the changed words, `^` below it do. */
function paintText(
  { kind, old, now }: TextLine,
  { text, changed }: Pick<CodeLine, 'text' | 'changed'>,
  isFirst: boolean,
  gutter: number,
  style: Style,
): readonly string[] {
  const { paint } = style
  if (!isFirst && text.trim() === '') return ['']
  const numbers = [old, now].map(number => String(number ?? '').padStart(gutter / 2)).join('')
  const left = isFirst ? `${paint.meta(numbers)}  ` : ' '.repeat(gutter + 2)
  if (kind === 'same') return [`${left}  ${text}`.trimEnd()]
  const body = paintWords(text, changed, paint.changed)
  const painted = `${isFirst ? SIGN[kind] : ' '} ${body}`.trimEnd()
  const shown = left + (kind === 'added' ? paint.ok(painted) : paint.fail(painted))
  // Below a line of many rows nobody finds a mark.
  const marks = style.colour || text.length > LONG ? '' : marksBelow(text, changed)
  return marks === '' ? [shown] : [shown, `${' '.repeat(gutter + 4)}${marks}`]
}

function paintWords(text: string, spans: readonly Span[], paint: (text: string) => string): string {
  let painted = ''
  let at = 0
  for (const [from, to] of spans) {
    painted += text.slice(at, from) + paint(text.slice(from, to))
    at = to
  }
  return painted + text.slice(at)
}

function marksBelow(text: string, spans: readonly Span[]): string {
  let marks = ''
  for (const [from, to] of spans) {
    // From the start each time: two halves of a sign can take more columns than the whole.
    marks = marks.padEnd(columnsOf(text.slice(0, from))).padEnd(columnsOf(text.slice(0, to)), '^')
  }
  return marks
}

/** One of more lines is for the pager. */
const MOST = 40

/** How many lines of a diff the screen has room for beside so many `others`; fewer than `least` say nothing. */
export function diffRoom({ rows }: Style, others: number, least: number): number {
  return Math.min(MOST, Math.max(least, rows - others))
}
