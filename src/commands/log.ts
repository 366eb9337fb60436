import { basename, dirname, join, relative, resolve } from 'node:path'
import { RelayError } from '../errors.ts'
import type { Entry, EntryOperation } from '../model/entry.ts'
import { titleOfEntry } from '../model/title.ts'
import type { System } from '../ports.ts'
import { type LogRow, logTable } from '../report/screens/log-table.ts'
import { grouped } from '../report/text/count.ts'
import { jsonText } from '../report/text/json-text.ts'
import { packed } from '../report/text/row.ts'
import { wasKept } from '../transact/journal/history-line.ts'
import type { EndedTransaction, Journal } from '../transact/journal/journal.ts'
import { readOutline } from '../transact/journal/read-applied.ts'
import { type Layout, stateNames } from '../transact/layout/layout.ts'
import { look } from './open/look.ts'
import { ages, amount } from './open/read-amount.ts'
import { outStyle } from './talk/style-of.ts'

interface LogOptions {
  readonly file?: string
  readonly since?: string
  readonly limit?: string
  readonly all?: boolean
  readonly json?: boolean
}

const usual = 20

/** `relay log`: the transactions of this project, newest first; reads no more entries than it shows. */
export async function log(system: System, options: LogOptions): Promise<number> {
  const all = options.all === true
  const since = options.since === undefined ? undefined : momentOf(options.since, system.clock.now())
  const most = options.limit === undefined ? (all ? Infinity : usual) : limitOf(options.limit)
  const { project, journal, layout } = await look(system)
  const file = options.file === undefined ? undefined : await pathInProject(options.file, project.root, system)
  const asked = { since, file, all, most }
  const rows = await rowsAsked(asked, journal, layout, system.interruption)
  if (options.json === true) system.terminal.out(jsonText({ transactions: rows.map(asJson) }))
  else show(rows, asked, journal, system)
  return 0
}

type Row = LogRow & { readonly line: EndedTransaction; readonly outline: Entry | undefined }

interface Asked {
  readonly since: Date | undefined
  readonly file: string | undefined
  readonly all: boolean
  readonly most: number
}

/** The newest that were kept, as `relay log` lists them. */
export function newestRows(most: number, journal: Journal, layout: Layout): Promise<readonly Row[]> {
  return rowsAsked({ since: undefined, file: undefined, all: false, most }, journal, layout)
}

async function rowsAsked(
  asked: Asked,
  journal: Journal,
  layout: Layout,
  signal?: AbortSignal,
): Promise<readonly Row[]> {
  const { file, most } = asked
  const rows: Row[] = []
  // Of a long history most entries can be gone, and to ask for each takes longer than one listing.
  const there = file === undefined ? undefined : await keptEntries(layout)
  for (const turn of turnsOf(journal, asked)) {
    signal?.throwIfAborted()
    if (there?.has(turn.uuid.toLowerCase()) === false) continue
    // One at a time: an entry can hold megabytes, and several would come no sooner.
    const row = await rowOf(turn, layout, file === undefined ? undefined : [file])
    if (file === undefined || isAbout(row.outline, file)) rows.push(row)
    if (rows.length >= most) break
  }
  return rows
}

/** The ids of the entries that are still there, in one spelling. */
async function keptEntries(layout: Layout): Promise<ReadonlySet<string>> {
  const names = await stateNames(layout)
  return new Set(names.flatMap(({ kind, uuid }) => (kind === 'applied' ? [uuid.toLowerCase()] : [])))
}

/** Those that may be shown, newest first, as far as the history alone tells. */
function* turnsOf(journal: Journal, asked: Asked): Generator<EndedTransaction> {
  for (const turn of journal.newestFirst()) if (isAsked(turn, asked)) yield turn
}

function isAsked(line: EndedTransaction, { since, file, all }: Asked): boolean {
  if (!wasKept(line) && (!all || file !== undefined)) return false
  return since === undefined || new Date(line.at) >= since
}

/** How many there are of what was asked for. */
function countOf(journal: Journal, asked: Asked, shown: number): number {
  // A file is found in the entries alone: those that are not shown are not read, and so not counted either.
  if (shown < asked.most || asked.file !== undefined) return shown
  if (asked.since === undefined && !asked.all) return journal.countKept()
  return [...turnsOf(journal, asked)].length
}

/** What the table has of one transaction, from its entry's outline. */
async function rowOf(line: EndedTransaction, layout: Layout, paths: readonly string[] | undefined): Promise<Row> {
  const outline = wasKept(line) ? await readOutline(line.uuid, layout, paths) : undefined
  // Which of them are not about the paths is not known: those are not shown.
  const isLost = outline === undefined && wasKept(line) && paths === undefined
  return {
    line,
    outline,
    isUnread: isLost && (await layout.files.stat(layout.applied(line.uuid))) !== null,
    entry: outline && {
      title: titleOfEntry(outline),
      by: outline.outcome?.by ?? 'auto',
      // One that gets another name is one file.
      files: outline.operations.filter(operation => renamedFrom(operation) === undefined).length,
      after: outline.checks?.after,
    },
  }
}

/** A path as somebody types it, from the current folder, as entries have it. */
async function pathInProject(typed: string, root: string, { cwd, files }: System): Promise<string> {
  const path = resolve(cwd, typed)
  const inRoot = (name: string) => relative(root, name).replaceAll('\\', '/')
  if (!inRoot(path).startsWith('../')) return inRoot(path)
  // Through a link into the project, as a shell at the other end of it completes names. The file may be gone.
  const real = await files.realPath(path)
  const folder = await files.realPath(dirname(path))
  return inRoot(real ?? (folder === null ? path : join(folder, basename(path))))
}

/** The file itself, or one below the folder; under the name that the response had for it, or where that led. */
function isAbout(outline: Entry | undefined, file: string): boolean {
  if (outline === undefined) return false
  const paths = outline.operations.flatMap(({ path }) => [path, outline.snapshot.get(path)?.target ?? path])
  return paths.some(path => file === '' || path === file || path.startsWith(`${file}/`))
}

function show(rows: readonly Row[], asked: Asked, journal: Journal, { terminal, clock }: System): void {
  if (rows.length === 0) {
    const isNarrowed = asked.since !== undefined || asked.file !== undefined
    terminal.err(isNarrowed ? 'No change matches.' : 'Nothing was kept here yet.')
    return
  }
  const style = outStyle(terminal)
  for (const line of logTable(rows, style, clock.now())) terminal.out(line)
  if (!terminal.canAsk) return
  const first = rows.find(({ entry }) => entry !== undefined)
  const total = countOf(journal, asked, rows.length)
  const more = total > rows.length ? [`${grouped(rows.length)} of ${grouped(total)}.  relay log --all`] : []
  const hints = [...more, ...(first === undefined ? [] : [`relay show ${first.line.number} explains it`])]
  for (const line of packed(hints, style.columns)) terminal.err(style.paint.meta(line))
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
    commit: outline?.commit ?? null,
    title: (outline === undefined ? line.title : titleOfEntry(outline)) ?? null,
    by: outline?.outcome?.by ?? null,
    files:
      outline?.operations.map(operation => ({ op: operation.op, path: operation.path, ...named(operation) })) ?? null,
    checks: outline?.checks ?? null,
  }
}

function limitOf(text: string): number {
  const limit = amount('--limit', text, { '': 1 }, `a number such as ${usual}`)
  if (limit > 0) return limit
  throw new RelayError('usage', `--limit takes a number from 1, not "${text}"`)
}

/** `2d`, `12h`, `today`, `yesterday`, or a date that the runtime understands. */
function momentOf(text: string, now: Date): Date {
  const word = text.trim().toLowerCase()
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  if (word === 'today') return midnight
  if (word === 'yesterday') return new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(word) ?? []
  // A date alone is a day of the user's, not of Greenwich.
  const date = day === undefined ? new Date(text) : new Date(Number(year), Number(month) - 1, Number(day))
  // JavaScript makes the 3rd of March of 2026-02-31.
  const isThere = day === undefined || (date.getMonth() + 1 === Number(month) && date.getDate() === Number(day))
  if (/^\d{4}-/.test(word) && isThere && !Number.isNaN(date.getTime())) return date
  if (/^\d+[hdwy]$/.test(word)) {
    // A date has its earliest.
    return new Date(Math.max(0, now.getTime() - amount('--since', word, ages, 'an age such as 2d')))
  }
  throw new RelayError('usage', `--since takes an age or a date, not "${text}"`, {
    hint: 'For example `--since 2d`, `--since today` or `--since 2026-11-20`.',
  })
}

function named(operation: EntryOperation): { readonly renamedFrom?: string } {
  const from = renamedFrom(operation)
  return from === undefined ? {} : { renamedFrom: from }
}

function renamedFrom(operation: EntryOperation): string | undefined {
  return operation.op === 'write' ? operation.renamedFrom : undefined
}
