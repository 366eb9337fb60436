import type { Span } from './changed-words.ts'
import { type CodeLine, changedLine, codeLine, type Room } from './code-line.ts'
import { columnsOf } from './columns-of.ts'
import { count } from './count.ts'
import { countWords } from './count-words.ts'
import { type DiffLine, diffLines, type TextLine } from './diff-lines.ts'
import type { FileDiff } from './file-diffs.ts'
import { pairLines } from './pair-lines.ts'
import type { PathChange } from './path-change.ts'
import { row } from './row.ts'
import { shortenDiff } from './shorten-diff.ts'
import type { Style } from './style.ts'
import { visibleLine } from './visible.ts'

/** The whole diff, for a pager. Only lines of thousands of columns are cut, with a visible mark. */
export function renderDiff(changes: readonly PathChange[], style: Style): string {
  const lines = diffLines(changes)
  return lines.length === 0 ? nothing(style) : paintLines(lines, style, 'whole').flat().join('\n')
}

/**
 * The diff in at most so many lines of the terminal, for above a question: something of each file and of either side
 * rather than all of the first. Whatever is left out is said in its last line, and where to see it.
 */
export function renderShortDiff(
  changes: readonly PathChange[],
  style: Style,
  most: number,
  where = 'd shows all',
): string {
  return renderUpTo({ most, width: style.width, where }, changes, style)
}

/** The diff as it is printed above a question about what is dangerous: full lines, cut only where it floods. */
export function renderFullDiff(changes: readonly PathChange[], style: Style, most: number): string {
  return renderUpTo({ most, width: 'whole', where: 'd shows all' }, changes, style)
}

interface Bounds {
  readonly most: number
  readonly width: Room
  /** Where all of it is shown. */
  readonly where: string
}

function nothing(style: Style): string {
  return style.paint.meta('  no differences')
}

function renderUpTo({ most, width, where }: Bounds, changes: readonly PathChange[], style: Style): string {
  const lines = diffLines(changes)
  if (lines.length === 0) return nothing(style)
  if (lines.length <= most) {
    const all = paintLines(lines, style, width).flat()
    if (all.length <= most) return all.join('\n')
  }
  const short = width === 'whole' ? lines : shortenDiff(lines, most - 1)
  const shown: string[] = []
  let hidden = 0
  let full = false
  for (const [index, rows] of paintLines(short.slice(0, most), style, width).entries()) {
    const line = short[index] as DiffLine
    full ||= shown.length + rows.length > most - 1
    if (line.kind === 'left-out') hidden += line.count
    else if (full) hidden += 1
    // The last line says it.
    const isLast = line.kind === 'left-out' && index === short.length - 1
    if (!full && !isLast) shown.push(...rows)
  }
  hidden += short.slice(most).reduce((sum, line) => sum + (line.kind === 'left-out' ? line.count : 1), 0)
  return [...shown, style.paint.meta(`  -- relay hides ${count(hidden, 'line')}: ${where} --`)].join('\n')
}

/** Each line in as many rows as it takes. */
function paintLines(lines: readonly DiffLine[], style: Style, width: Room): readonly (readonly string[])[] {
  const digits = lines.reduce((most, line) => Math.max(most, 'number' in line ? line.number : 0), 0)
  const gutter = Math.max(4, String(digits).length + 1)
  const room = width === 'whole' ? width : width - gutter - 4
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
): readonly string[] {
  const { paint, sign } = style
  const indent = ' '.repeat(gutter)
  switch (line.kind) {
    case 'blank':
      return ['']
    case 'gap':
      return [paint.meta(`${indent}  ${sign.gap}`)]
    case 'left-out':
      return [paint.meta(`${indent}  ${sign.gap} ${count(line.count, 'more line')} ${line.what}`)]
    case 'note':
      return [paint.meta(`${indent}  ${visibleLine(line.text)}`)]
    case 'file':
      return fileHead(line.file, style)
    default:
      return paintText(line, changed ?? codeLine(line.text, room, style), gutter, style)
  }
}

function fileHead(file: FileDiff, style: Style): readonly string[] {
  const leads = file.leads === undefined ? '' : ` -> ${visibleLine(file.leads)}`
  const left = `${style.sign[file.effect]} ${style.paint.strong(style.paint.path(visibleLine(file.path) + leads))}`
  return row(`  ${left}`, headCounts(file, style), style)
}

/** Only what there can be; what is not counted in lines is told in the notes. */
function headCounts({ effect, compared: { added, removed } }: FileDiff, style: Style): string {
  if (added + removed === 0) return ''
  if (effect === 'create') return style.paint.ok(`+${added}`)
  return effect === 'delete' ? style.paint.fail(`-${removed}`) : countWords({ added, removed }, style)
}

const SIGN = { same: ' ', added: '+', removed: '-' } as const

/** The line with its number; where colour cannot mark the changed words, a row of `^` below does. */
function paintText(line: TextLine, code: CodeLine, gutter: number, style: Style): readonly string[] {
  const { paint } = style
  const left = `${paint.meta(String(line.number).padStart(gutter))}  `
  const text = code.text.trimEnd()
  if (line.kind === 'same') return [`${left}  ${text}`.trimEnd()]
  const body = paintWords(text, code.changed, paint.changed)
  const painted = `${SIGN[line.kind]} ${body}`.trimEnd()
  const shown = left + (line.kind === 'added' ? paint.ok(painted) : paint.fail(painted))
  const marks = style.colour ? '' : marksBelow(text, code.changed)
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
    marks += ' '.repeat(columnsOf(text.slice(0, from)) - marks.length) + '^'.repeat(columnsOf(text.slice(from, to)))
  }
  return marks
}
