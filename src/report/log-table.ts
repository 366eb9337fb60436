import type { CheckRecord, Ended, HistoryLine } from '../model.ts'
import { columnsOf } from './columns-of.ts'
import { cutLine, padLine } from './cut-line.ts'
import { describeWhen } from './describe-time.ts'
import type { Style } from './style.ts'
import { visibleLine } from './visible.ts'

/** One ended transaction in a list. */
export interface LogRow {
  readonly number: number
  readonly at: Date
  readonly outcome: Ended
  readonly source: HistoryLine['source']
  /** What its entry tells; a transaction that was rolled back left none, and a pruned one has none any more. */
  readonly entry:
    | {
        readonly title: string
        readonly by: 'auto' | 'user'
        readonly files: number
        readonly after: CheckRecord | undefined
      }
    | undefined
}

/** A table of transactions; a narrow terminal gets fewer columns. */
export function logTable(rows: readonly LogRow[], style: Style, now: Date): readonly string[] {
  const cells = rows.map(row => ({ row, cells: cellsOf(row, now) }))
  const wide = style.columns >= 60
  const widths = HEAD.map(([name], at) =>
    Math.max(name.length, ...cells.map(({ cells }) => columnsOf(cells[at] ?? ''))),
  )
  const shown = HEAD.flatMap(([name, needs], at) => (wide || !needs ? [{ name, at, width: widths[at] ?? 0 }] : []))
  const taken = shown.reduce((sum, { at, width }) => sum + 2 + (at === WHAT ? 0 : width), 0)
  const what = Math.max(8, style.columns - taken)
  const line = (texts: readonly string[], paint: (text: string, at: number) => string) =>
    shown
      .map(({ at, width }) => {
        const room = at === WHAT ? what : width
        const text = cutLine(texts[at] ?? '', room, style.sign.cut)
        return `  ${paint(at === STATE ? text : RIGHT.has(at) ? text.padStart(room) : padLine(text, room), at)}`
      })
      .join('')
      .trimEnd()
  return [
    style.paint.meta(
      line(
        HEAD.map(([name]) => name),
        text => text,
      ),
    ),
    ...cells.map(({ row, cells }) => line(cells, (text, at) => painted(row, text, at, style))),
  ]
}

/** Each column, and whether it needs a wide terminal. */
const HEAD = [
  ['#', false],
  ['when', false],
  ['what', false],
  ['files', true],
  ['lint', true],
  ['state', false],
] as const
const [WHAT, LINT, STATE] = [2, 4, 5]
const RIGHT = new Set([0, 3])

function cellsOf(row: LogRow, now: Date): readonly string[] {
  const { number, at, entry } = row
  const what = entry === undefined ? noEntry(row) : visibleLine(entry.title)
  return [
    String(number),
    describeWhen(at, now),
    what,
    entry === undefined ? '' : String(entry.files),
    lintWords(entry?.after),
    stateWords(row),
  ]
}

function noEntry({ outcome }: LogRow): string {
  return outcome === 'committed' || outcome === 'undone' ? '(its entry is gone)' : ''
}

/** `+2 -1`: new errors and fixed ones. */
function lintWords(after: CheckRecord | undefined): string {
  if (after === undefined) return ''
  if (after.new === undefined && after.fixed === undefined) return after.uncounted === undefined ? '-' : '?'
  return [`+${after.new ?? 0}`, ...((after.fixed ?? 0) > 0 ? [`-${after.fixed}`] : [])].join(' ')
}

function stateWords({ outcome, source, entry }: LogRow): string {
  if (outcome === 'rolled-back') return 'rolled back'
  if (outcome !== 'committed') return outcome
  return source ?? (entry?.by === 'auto' ? 'kept auto' : 'kept')
}

function painted({ outcome, entry }: LogRow, text: string, at: number, { paint }: Style): string {
  if (outcome !== 'committed') return paint.meta(text)
  if (at === WHAT) return text
  if (at === LINT) return (entry?.after?.new ?? 0) > 0 ? paint.fail(text) : text
  return at === STATE ? paint.ok(text) : paint.meta(text)
}
