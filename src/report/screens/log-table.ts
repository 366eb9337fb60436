import type { CheckRecord, HistoryLine } from '../../model/entry.ts'
import { columnsOf } from '../text/columns-of.ts'
import { grouped } from '../text/count.ts'
import { cutLine, padLine } from '../text/cut-line.ts'
import { describeWhen } from '../text/describe-time.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'

/** One ended transaction in a list. */
export interface LogRow {
  readonly line: Pick<HistoryLine, 'number' | 'at' | 'outcome' | 'source' | 'title'>
  /** Facts of its entry. A rollback leaves no entry, and a pruned transaction has none any more. */
  readonly entry:
    | {
        readonly title: string
        readonly by: 'auto' | 'user'
        readonly files: number
        readonly after: CheckRecord | undefined
      }
    | undefined
  /** Its entry exists but cannot be read: it is another user's, or a newer relay wrote it. */
  readonly isUnread: boolean
}

/**
 * A table of transactions, newest first. Transactions in a row whose entries are gone share one line. A narrow
 * terminal gets fewer columns.
 */
export function logTable(rows: readonly LogRow[], style: Style, now: Date): readonly string[] {
  const cells = runsOf(rows).map(run => ({ row: run.newest, cells: cellsOf(run, now) }))
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
  const names = HEAD.map(([name]) => name)
  return [
    style.paint.meta(line(names, text => text)),
    ...cells.map(({ row, cells }) => line(cells, (text, at) => painted(row, text, at, style))),
  ]
}

/** Each column, with `true` if it needs a wide terminal. */
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

/** The transactions of one line of the table. */
interface Run {
  readonly newest: LogRow
  readonly oldest: LogRow
  readonly rows: number
}

function runsOf(rows: readonly LogRow[]): readonly Run[] {
  const runs: Run[] = []
  for (const row of rows) {
    const above = runs.at(-1)
    if (above !== undefined && isGone(above.oldest) && isGone(row)) {
      runs[runs.length - 1] = { ...above, oldest: row, rows: above.rows + 1 }
    } else runs.push({ newest: row, oldest: row, rows: 1 })
  }
  return runs
}

/** It was kept, and pruned since. */
function isGone({ line: { outcome }, entry, isUnread }: LogRow): boolean {
  return entry === undefined && !isUnread && (outcome === 'committed' || outcome === 'undone')
}

function cellsOf(run: Run, now: Date): readonly string[] {
  const row = run.newest
  const { line, entry } = row
  const what = entry === undefined ? noEntry(run) : visibleLine(entry.title)
  return [
    String(line.number),
    describeWhen(new Date(line.at), now),
    what,
    entry === undefined ? '' : grouped(entry.files),
    lintWords(entry?.after),
    run.rows === 1 ? stateWords(row) : '',
  ]
}

function noEntry({ newest, oldest, rows }: Run): string {
  if (newest.isUnread) return `(cannot be read: relay show ${newest.line.number})`
  if (!isGone(newest)) return visibleLine(newest.line.title ?? '(not kept)')
  return rows === 1 ? '(no longer stored)' : `(${grouped(rows)} no longer stored, down to #${oldest.line.number})`
}

/** `+2 -1`: new errors and fixed ones; `-` without a linter, `?` where they could not be counted. */
function lintWords(after: CheckRecord | undefined): string {
  if (after === undefined) return ''
  if (after.new === undefined && after.fixed === undefined) {
    return after.errors === null && after.uncounted === undefined ? '-' : '?'
  }
  return [`+${after.new ?? 0}`, ...((after.fixed ?? 0) > 0 ? [`-${after.fixed}`] : [])].join(' ')
}

function stateWords({ line: { outcome, source }, entry }: LogRow): string {
  if (outcome === 'rolled-back') return 'rolled back'
  if (outcome !== 'committed') return outcome
  return source ?? (entry?.by === 'auto' ? 'kept auto' : 'kept')
}

function painted({ line: { outcome }, entry }: LogRow, text: string, at: number, { paint }: Style): string {
  if (outcome !== 'committed') return paint.meta(text)
  if (at === WHAT) return text
  if (at === LINT) return (entry?.after?.new ?? 0) > 0 ? paint.fail(text) : text
  return at === STATE ? paint.ok(text) : paint.meta(text)
}
