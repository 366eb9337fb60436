import { relative, resolve } from 'node:path'
import { RelayError } from '../errors.ts'
import type { Entry } from '../model.ts'
import { titleOfEntry } from '../plan/title.ts'
import type { Files, System } from '../ports.ts'
import { jsonText } from '../report/json-text.ts'
import { type LogRow, logTable } from '../report/log-table.ts'
import type { Turn } from '../transact/journal.ts'
import type { Layout } from '../transact/layout.ts'
import { readOutline } from '../transact/read-applied.ts'
import { look, outStyle } from './look.ts'
import { ages, amount } from './read-amount.ts'

export interface LogOptions {
  readonly file?: string
  readonly since?: string
  readonly limit?: string
  readonly all?: boolean
  readonly json?: boolean
}

const usual = 20

/** `relay log`: the transactions of this project, newest first; reads no more entries than it shows. */
export async function log(system: System, options: LogOptions): Promise<number> {
  const now = system.clock.now()
  const since = options.since === undefined ? undefined : sinceOf(options.since, now)
  const most =
    options.all === true
      ? Number.POSITIVE_INFINITY
      : amount('--limit', options.limit ?? `${usual}`, { '': 1 }, `${usual}`)
  const looked = await look(system)
  const file = options.file === undefined ? undefined : pathInProject(options.file, looked.project.root, system.cwd)
  const asked = { since, file, all: options.all === true }

  const rows: Row[] = []
  let total = 0
  for (const line of looked.journal.newestFirst()) {
    if (!isAsked(line, asked)) continue
    // A file is found in the entries alone; then those that are not shown are not counted either.
    if (rows.length >= most && file !== undefined) break
    if (rows.length < most) {
      const row = await rowOf(line, looked.layout, system.files)
      if (file !== undefined && !isAbout(row.outline, file)) continue
      rows.push(row)
    }
    total += 1
  }

  if (options.json === true) system.terminal.out(jsonText({ transactions: rows.map(asJson) }))
  else show(rows, total, file === undefined, system)
  return 0
}

type Row = LogRow & { readonly line: Turn; readonly outline: Entry | undefined }

function isAsked(
  line: Turn,
  { since, file, all }: { readonly since: Date | undefined; readonly file: string | undefined; readonly all: boolean },
): boolean {
  const wasKept = line.outcome === 'committed' || line.outcome === 'undone'
  if (!wasKept && (!all || file !== undefined)) return false
  return since === undefined || new Date(line.at) >= since
}

/** What the table has of one transaction, from its entry's outline. */
export async function rowOf(line: Turn, layout: Layout, files: Files): Promise<Row> {
  const wasKept = line.outcome === 'committed' || line.outcome === 'undone'
  const outline = wasKept ? await readOutline(line.uuid, layout, files) : undefined
  return {
    number: line.number,
    at: new Date(line.at),
    outcome: line.outcome,
    source: line.source,
    line,
    outline,
    entry: outline && {
      title: titleOfEntry(outline),
      by: outline.outcome?.by ?? 'auto',
      files: outline.operations.length,
      after: outline.checks?.after,
    },
  }
}

/** A path as somebody types it, from the current folder, as entries have it. */
function pathInProject(typed: string, root: string, cwd: string): string {
  return relative(root, resolve(cwd, typed)).replaceAll('\\', '/')
}

/** The file itself, or one below the folder; under the name that the response had for it, or where that led. */
function isAbout(outline: Entry | undefined, file: string): boolean {
  if (outline === undefined) return false
  const paths = outline.operations.flatMap(({ path }) => [path, outline.snapshot.get(path)?.target ?? path])
  return paths.some(path => file === '' || path === file || path.startsWith(`${file}/`))
}

function show(rows: readonly Row[], total: number, isCounted: boolean, system: System): void {
  const { terminal, clock } = system
  if (rows.length === 0) {
    terminal.err('No transaction to show.')
    return
  }
  const style = outStyle(system)
  for (const line of logTable(rows, style, clock.now())) terminal.out(line)
  const first = rows.find(({ entry }) => entry !== undefined)
  const more = isCounted && total > rows.length ? [`${rows.length} of ${total}.`, 'relay log --all'] : []
  const hints = [...more, ...(first === undefined ? [] : [`relay show ${first.number}`])]
  if (terminal.canAsk) terminal.err(style.paint.meta(`  ${hints.join('  ')}`))
}

function asJson({ line, outline }: Row) {
  return {
    number: line.number,
    uuid: line.uuid,
    modelUuid: line.modelUuid ?? null,
    at: line.at,
    outcome: line.outcome,
    undoneBy: line.undoneBy ?? null,
    source: outline?.source ?? line.source ?? null,
    undoes: outline?.undoes ?? null,
    title: outline === undefined ? null : titleOfEntry(outline),
    by: outline?.outcome?.by ?? null,
    files: outline?.operations.map(({ op, path }) => ({ op, path })) ?? null,
    checks: outline?.checks ?? null,
  }
}

/** `2d`, `12h`, `today`, `yesterday`, or a date that the runtime understands. */
function sinceOf(text: string, now: Date): Date {
  const word = text.trim().toLowerCase()
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  if (word === 'today') return midnight
  if (word === 'yesterday') return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(word) ?? []
  // A date alone is a day of the user's, not of Greenwich.
  const date = day === undefined ? new Date(text) : new Date(Number(year), Number(month) - 1, Number(day))
  if (/^\d{4}-/.test(word) && !Number.isNaN(date.getTime())) return date
  if (/^\d+[hdwy]?$/.test(word)) return new Date(now.getTime() - amount('--since', word, ages, '2d'))
  throw new RelayError('usage', `--since takes an age or a date, not "${text}"`, {
    hint: 'For example `--since 2d`, `--since today` or `--since 2026-11-20`.',
  })
}
