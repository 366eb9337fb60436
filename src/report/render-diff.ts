import type { Change } from '../model.ts'
import type { FileComparison } from './compare-files.ts'
import { count } from './count.ts'
import { countWords } from './count-words.ts'
import { cutLine } from './cut-line.ts'
import { type DiffLine, diffLines } from './diff-lines.ts'
import { row } from './row.ts'
import type { Style } from './style.ts'
import { visible, visibleLine } from './visible.ts'

/** The whole diff, for a pager. Only lines of thousands of columns are cut, with a visible mark. */
export function renderDiff(changes: readonly Change[], style: Style): string {
  return renderUpTo(changes, style, Number.POSITIVE_INFINITY, LONG)
}

/** The diff's beginning, one row of the terminal a line; whatever is left out is said in its last line. */
export function renderShortDiff(changes: readonly Change[], style: Style, maxLines: number): string {
  return renderUpTo(changes, style, maxLines, undefined)
}

/** The diff as it is printed above a question about what is dangerous: full lines, cut only where it floods. */
export function renderFullDiff(changes: readonly Change[], style: Style, maxLines: number): string {
  return renderUpTo(changes, style, maxLines, LONG)
}

const LONG = 2000

function renderUpTo(changes: readonly Change[], style: Style, maxLines: number, long: number | undefined): string {
  const lines = diffLines(changes)
  if (lines.length === 0) return style.paint.meta('  no differences')
  const shown = lines.length > maxLines ? lines.slice(0, Math.max(0, maxLines - 1)) : lines
  const digits = shown.reduce((most, line) => Math.max(most, 'number' in line ? line.number : 0), 0)
  const gutter = Math.max(4, String(digits).length + 1)
  const painted = shown.flatMap(line => paintLine(line, gutter, style, long))
  const hidden = lines.length - shown.length
  return [...painted, ...(hidden > 0 ? [hides(hidden, style)] : [])].join('\n')
}

function hides(hidden: number, style: Style): string {
  return style.paint.meta(`  -- relay hides ${count(hidden, 'line')}: d shows all --`)
}

function paintLine(line: DiffLine, gutter: number, style: Style, long: number | undefined): readonly string[] {
  const { paint, sign } = style
  switch (line.kind) {
    case 'blank':
      return ['']
    case 'gap':
      return [paint.meta(`${' '.repeat(gutter)}  ${sign.gap}`)]
    case 'note':
      return [paint.meta(`${' '.repeat(gutter)}  ${visibleLine(line.text)}`)]
    case 'file':
      return fileHead(line, style)
    default:
      return [paintText(line, gutter, style, long)]
  }
}

function fileHead({ change, compared }: Extract<DiffLine, { kind: 'file' }>, style: Style): readonly string[] {
  const sign = style.sign[change.effect]
  const leads = change.target === change.path ? '' : ` -> ${visibleLine(change.target)}`
  const left = `${sign} ${style.paint.strong(style.paint.path(visibleLine(change.path) + leads))}`
  return row(`  ${left}`, headCounts(change, compared, style), style)
}

/** Only what there can be; what is not counted in lines is told in the notes. */
function headCounts({ effect }: Change, { added, removed }: FileComparison, style: Style): string {
  if (added + removed === 0) return ''
  if (effect === 'create') return style.paint.ok(`+${added}`)
  return effect === 'delete' ? style.paint.fail(`-${removed}`) : countWords({ added, removed }, style)
}

type TextLine = Extract<DiffLine, { kind: 'same' | 'added' | 'removed' }>

const SIGN = { same: ' ', added: '+', removed: '-' } as const

function paintText(line: TextLine, gutter: number, style: Style, long: number | undefined): string {
  const { paint } = style
  const number = paint.meta(String(line.number).padStart(gutter))
  const text = cutText(line.text, long, style.columns - gutter - 4, style.sign.cut)
  const body = `${SIGN[line.kind]} ${text}`.trimEnd()
  if (line.kind === 'same') return `${number}  ${body}`.trimEnd()
  return `${number}  ${line.kind === 'added' ? paint.ok(body) : paint.fail(body)}`
}

function cutText(text: string, long: number | undefined, columns: number, mark: string): string {
  const safe = visible(untabbed(text))
  if (long === undefined) return cutLine(safe, columns, mark)
  if (safe.length <= long) return safe
  return `${cutLine(safe.slice(0, long), long, mark)}${mark} ${count(safe.length - long, 'more character')}`
}

/** Tabs as blanks up to every fourth column: a terminal's own would count from the line number on. */
function untabbed(text: string): string {
  if (!text.includes('\t')) return text
  let line = ''
  for (const [index, part] of text.split('\t').entries()) {
    line += index === 0 ? part : ' '.repeat(4 - (line.length % 4)) + part
  }
  return line
}
