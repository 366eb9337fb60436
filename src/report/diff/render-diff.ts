import type { Change } from '../../model/plan.ts'
import { columnsOf } from '../text/columns-of.ts'
import { count, grouped } from '../text/count.ts'
import { cutLine } from '../text/cut-line.ts'
import { row } from '../text/row.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { broken, wrapLine } from '../text/wrap-line.ts'
import { changedLines, type Span } from './changed-lines.ts'
import { type CodeLine, codeLine, codeRows, LONG } from './code-line.ts'
import { countWords } from './count-words.ts'
import { type DiffLine, diffLines } from './diff-lines.ts'
import { type FileDiff, type Moves, nameOf } from './file-diffs.ts'
import { SIGN, type TextLine } from './hunks.ts'
import { shortenDiff } from './shorten-diff.ts'
import { type Unseen, unseenOf } from './unseen.ts'

/** How many signs of a line are shown in a pager, which wraps by itself; elsewhere a line has a bound. */
const ALL = Number.POSITIVE_INFINITY

/** The whole diff, for a pager: nothing of it is cut. */
export function renderDiff(changes: readonly Change[], style: Style, moves: Moves = 'followed'): string {
  const lines = diffLines(changes, moves)
  if (lines.length === 0) return nothing(style)
  return paintLines(lines, style, ALL)
    .flatMap(({ rows }) => rows)
    .join('\n')
}

interface ShortenedDiff {
  readonly text: string
  /** Nothing is left out, and the heading of each file is there. */
  readonly isWhole: boolean
  readonly unseen: readonly Unseen[]
}

/**
 * The diff in at most so many lines of the terminal, for above a question: something of each file and of either side
 * rather than all of the first. Whatever is left out is said in its last line, and with it where to see it: an empty
 * `where` names no place.
 */
export function renderShortDiff(
  changes: readonly Change[],
  style: Style,
  most: number,
  { where = 'd shows all', moves = 'followed' }: { readonly where?: string; readonly moves?: Moves } = {},
): ShortenedDiff {
  const lines = diffLines(changes, moves)
  if (lines.length === 0) return { text: nothing(style), isWhole: true, unseen: [] }
  const full = fitted(lines, most, LONG, style)
  // One row is for what is left out, and no line takes the room of all others.
  const fit =
    full.hidden + full.cut > 0 ? fitted(lines, most - 1, Math.min(LONG, (style.width * most) >> 3), style) : full
  const { rows, hidden, cut, files } = fit
  const isWhole = hidden + cut === 0
  const last = isWhole ? [] : [style.paint.meta(`  -- ${leftOutWords(hidden, cut, style)}${where && `: ${where}`} --`)]
  return { text: [...rows, ...last].join('\n'), isWhole, unseen: files }
}

function nothing(style: Style): string {
  return style.paint.meta('  no differences')
}

/** As much of the diff as so many rows have room for, and what that leaves out. */
function fitted(lines: readonly DiffLine[], most: number, longest: number, style: Style) {
  const short = shortenDiff(lines, most, line => likelyRows(line, longest, style))
  // Of lines that are left out at the very end the last row tells.
  const told = short.at(-1)?.kind === 'left-out' ? short.slice(0, -1) : short
  const painted = paintLines(told.slice(0, most), style, longest)
  let room = most
  const over = painted.findIndex(({ rows }) => {
    room -= rows.length
    return room < 0
  })
  const shown = over < 0 ? painted : painted.slice(0, over)
  return { rows: shown.flatMap(({ rows }) => rows), ...unseenOf(short, shown) }
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
function likelyRows(line: DiffLine, longest: number, style: Style): number {
  if (!('text' in line) || line.kind === 'same') return 1
  return Math.ceil(Math.min(line.text.length, longest) / (style.width - 12)) || 1
}

interface PaintedLine {
  readonly rows: readonly string[]
  /** About how many characters of it cannot be seen. */
  readonly unseen: number
}

/** Each line in as many rows as it takes. */
function paintLines(lines: readonly DiffLine[], style: Style, most: number): readonly PaintedLine[] {
  const last = lines.reduce((most, line) => Math.max(most, ...('old' in line ? [line.old ?? 0, line.now ?? 0] : [])), 0)
  // Two columns: the numbers in the old text, and in the new one.
  const gutter = 2 * Math.max(4, String(last).length + 1)
  const changed = changedCode(lines, most, style)
  return lines.map(line => paintLine(line, changed.get(line), gutter, most, style))
}

/** The lines that were changed into another one, each as it is to be printed. */
function changedCode(lines: readonly DiffLine[], most: number, style: Style): ReadonlyMap<DiffLine, CodeLine> {
  const found = new Map<DiffLine, CodeLine>()
  let at = 0
  while (at < lines.length) {
    const removed = rowAt(lines, at, 'removed')
    at += removed.length
    if (removed.length > 0 && lines[at]?.kind === 'left-out') at++
    const added = removed.length > 0 ? rowAt(lines, at, 'added') : []
    at += removed.length > 0 ? added.length : 1
    for (const pair of changedLines(textsOf(removed), textsOf(added))) {
      const [old, now] = [removed[pair.removed] as TextLine, added[pair.added] as TextLine]
      found.set(old, codeLine(old.text, pair.before, most, style, pair.inBlanks))
      found.set(now, codeLine(now.text, pair.after, most, style, pair.inBlanks))
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
  most: number,
  style: Style,
): PaintedLine {
  if (!('old' in line)) return { rows: headRows(line, gutter, most, style), unseen: 0 }
  const columns = style.width - gutter - 4
  const code = changed ?? codeLine(line.text, undefined, most, style)
  const text = code.text.trimEnd()
  // Of several rows, those around a change need but one.
  const one = most === ALL ? text : cutLine(text, columns, style.sign.cut)
  const rows = most === ALL || line.kind === 'same' ? [{ ...code, text: one }] : codeRows({ ...code, text }, columns)
  return {
    rows: rows.flatMap((row, index) => paintText(line, row, index === 0, gutter, style)),
    unseen: line.kind === 'same' ? 0 : code.unseen,
  }
}

function headRows(line: Exclude<DiffLine, TextLine>, gutter: number, most: number, style: Style): readonly string[] {
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
      return noteRows(visibleLine(line.text), most, width - gutter - 2).map(row => paint.meta(`${indent}  ${row}`))
    case 'file':
      return fileHead(line.file, most, style)
  }
}

function fileHead(file: FileDiff, most: number, style: Style): readonly string[] {
  const { paint, sign, width } = style
  const name = nameOf(file)
  // A path, like a line, must not go on at the edge of the screen; a pager keeps it whole, and can be searched.
  const rows = (most === ALL ? [name] : broken(name, width - 4)).map((part, index) => {
    return `  ${index === 0 ? sign[file.effect] : ' '} ${paint.strong(paint.path(part))}`
  })
  return [...rows.slice(0, -1), ...row(rows.at(-1) ?? '', headCounts(file, style), style)]
}

function noteRows(text: string, most: number, columns: number): readonly string[] {
  return most === ALL ? [text] : wrapLine(text, columns, '', ALL)
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
