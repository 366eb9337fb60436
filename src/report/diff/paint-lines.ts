import { columnsOf } from '../text/columns-of.ts'
import { cutLine } from '../text/cut-line.ts'
import { row } from '../text/row.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { broken, wrapLine } from '../text/wrap-line.ts'
import { changedLines, type Span } from './changed-lines.ts'
import { type CodeLine, codeLine, codeRows, LONG } from './code-line.ts'
import { countWords } from './count-words.ts'
import type { DiffLine } from './diff-lines.ts'
import { type FileDiff, nameOf } from './file-diffs.ts'
import { SIGN, type TextLine } from './hunks.ts'

/** Every sign of a line: a pager wraps by itself. */
export const ALL = Number.POSITIVE_INFINITY

export interface PaintedLine {
  readonly rows: readonly string[]
  /** Characters that changed are left out of it. */
  readonly isCut: boolean
}

/**
 * Each line of each file in as many rows as it takes.
 *
 * @param most a line with more signs is cut, first where both sides are the same
 */
export function paintLines(
  files: readonly (readonly DiffLine[])[],
  style: Style,
  most: number,
): readonly (readonly PaintedLine[])[] {
  const numbers = files.flat().flatMap(line => ('old' in line ? [line.old ?? 0, line.now ?? 0] : []))
  const last = numbers.reduce((most, number) => Math.max(most, number), 0)
  // Two columns: the numbers in the old text, and in the new one.
  const gutter = 2 * Math.max(4, String(last).length + 1)
  return files.map(lines => {
    const changed = changedCode(lines, most, style)
    return lines.map(line => paintLine(line, changed.get(line), gutter, most, style))
  })
}

/** The lines that changed into another one, ready to print. */
function changedCode(lines: readonly DiffLine[], most: number, style: Style): ReadonlyMap<DiffLine, CodeLine> {
  const found = new Map<DiffLine, CodeLine>()
  let at = 0
  while (at < lines.length) {
    const removed = rowAt(lines, at, 'removed')
    at += removed.length
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
  if (!('old' in line)) return { rows: headRows(line, gutter, most, style), isCut: false }
  const columns = style.width - gutter - 4
  const code = changed ?? codeLine(line.text, undefined, most, style)
  const text = code.text.trimEnd()
  // A long line that is the same on both sides needs only one row.
  const one = most === ALL ? text : cutLine(text, columns, style.sign.cut)
  const rows = most === ALL || line.kind === 'same' ? [{ ...code, text: one }] : codeRows({ ...code, text }, columns)
  return {
    rows: rows.flatMap((row, index) => paintText(line, row, index === 0, gutter, style)),
    isCut: line.kind !== 'same' && code.isCut,
  }
}

function headRows(line: Exclude<DiffLine, TextLine>, gutter: number, most: number, style: Style): readonly string[] {
  const { paint, sign, width } = style
  const indent = ' '.repeat(gutter)
  switch (line.kind) {
    case 'gap':
      return [paint.meta(`${indent}  ${sign.gap}`)]
    case 'note': {
      const text = visibleLine(line.text)
      const rows = most === ALL ? [text] : wrapLine(text, width - gutter - 2, '', ALL)
      return rows.map(row => paint.meta(`${indent}  ${row}`))
    }
    case 'file':
      return fileHead(line.file, most, style)
  }
}

function fileHead(file: FileDiff, most: number, style: Style): readonly string[] {
  const { paint, sign, width } = style
  const name = nameOf(file)
  // A path, like a line, must not go on at the edge of the screen. For a pager it stays whole: a search finds it.
  const rows = (most === ALL ? [name] : broken(name, width - 4)).map((part, index) => {
    return `  ${index === 0 ? sign[file.effect] : ' '} ${paint.strong(paint.path(part))}`
  })
  return [...rows.slice(0, -1), ...row(rows.at(-1) ?? '', headCounts(file, style), style)]
}

/** Only the counts that there can be. The notes tell about what is not counted in lines. */
function headCounts({ effect, compared: { added, removed, counted } }: FileDiff, style: Style): string {
  if (!counted || added + removed === 0) return ''
  if (effect === 'create') return style.paint.ok(`+${added}`)
  return effect === 'delete' ? style.paint.fail(`-${removed}`) : countWords({ added, removed, uncounted: 0 }, style)
}

/**
 * The rows of a line, with its numbers in the first one. Where colour cannot mark the changed words, `^` below them
 * does.
 */
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
    // Measured from the start each time: two halves of a sign can take more columns than the whole.
    marks = marks.padEnd(columnsOf(text.slice(0, from))).padEnd(columnsOf(text.slice(0, to)), '^')
  }
  return marks
}
