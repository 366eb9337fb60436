import type { HistoryLine } from '../../model/entry.ts'
import type { System, Talk } from '../../ports.ts'
import { readOwnBytes } from '../disk/read-own.ts'
import { type Layout, stateNames } from '../layout/layout.ts'
import { historyLine, isHistoryLine, printLine, readLine, wasKept } from './history-line.ts'
import { readApplied } from './read-applied.ts'
import { isUntouched, type LookOptions } from './unfinished.ts'

export interface History {
  readonly bytes: Buffer
  /** Each of its lines tells which paths it is about. */
  readonly tellsPaths: boolean
  /** These are not the bytes that the disk has. */
  readonly isAnother: boolean
  /** Kept transactions that have an entry and had no line; `bytes` has one for each. */
  readonly forgotten: readonly HistoryLine[]
}

/** Thousands of entries can take a minute: that is said, and after an interruption no further one is read. */
export interface HistoryOptions extends LookOptions {
  readonly system?: Pick<System, 'clock' | 'interruption'>
  readonly talk?: Pick<Talk, 'report'>
}

const sayAfterMs = 300

/**
 * The history as the disk has it, or what can be told of one that is missing, empty or damaged: the lines that can still
 * be read, and one for each entry that has none. Of what was declined only its own line tells.
 */
export async function readHistory(layout: Layout, options: HistoryOptions = {}): Promise<History> {
  const { thorough = false } = options
  const bytes = (await readOwnBytes(layout.history, layout.files)) ?? nothing
  const { isSound, tellsPaths } = shapeOf(bytes)
  const found: History = { bytes, tellsPaths, isAnother: false, forgotten: [] }
  if (isSound && !thorough) return found
  const lines = linesIn(bytes)
  const forgotten = await linesWithout(lines, layout, options)
  if (isSound && forgotten.length === 0) return found
  return { ...found, ...printed([...lines, ...forgotten], bytes), forgotten }
}

/**
 * The same, and puts what it could tell in the place of one that is damaged, is behind the entries, or was written by an
 * earlier relay. The caller holds the lock.
 */
export async function mendHistory(layout: Layout, options: HistoryOptions = {}): Promise<History> {
  const { thorough = !(await isUntouched(layout)) } = options
  const found = await readHistory(layout, { ...options, thorough })
  const history = found.tellsPaths ? found : await withPaths(found, layout, options)
  if (!history.isAnother) return history
  const kind = (await layout.files.stat(layout.history))?.kind ?? 'none'
  // relay itself makes only a file here.
  if (kind === 'file' || kind === 'none') {
    await layout.files.replace(layout.history, history.bytes, layout.spare, { mode: 0o600 })
  }
  return history
}

/** The same lines, and each tells which paths it is about; of an entry that is gone nobody can tell that any more. */
async function withPaths(history: History, layout: Layout, options: HistoryOptions): Promise<History> {
  const lines = linesIn(history.bytes)
  const silent = lines.filter(line => wasKept(line) && line.paths === undefined).map(({ uuid }) => uuid)
  const told = new Map((await linesOf(silent, layout, options)).map(({ uuid, paths }) => [uuid, paths]))
  const whole = lines.map(line => ({ ...line, paths: line.paths ?? told.get(line.uuid) ?? {} }))
  return { ...history, ...printed(whole, history.bytes), isAnother: true }
}

function printed(some: readonly HistoryLine[], found: Buffer): Pick<History, 'bytes' | 'tellsPaths' | 'isAnother'> {
  const lines = some.toSorted((a, b) => a.number - b.number || Date.parse(a.at) - Date.parse(b.at))
  const bytes = Buffer.from(lines.map(printLine).join(''))
  return { bytes, tellsPaths: shapeOf(bytes).tellsPaths, isAnother: !bytes.equals(found) }
}

function linesIn(history: Buffer): readonly HistoryLine[] {
  return history
    .toString('utf8')
    .split('\n')
    .flatMap(text => readLine(text) ?? [])
}

/** The line that an entry tells; `undefined` where there is none that relay has written. */
export async function lineOfEntry(uuid: string, layout: Layout): Promise<HistoryLine | undefined> {
  const entry = await readApplied(uuid, layout)
  if (entry?.uuid.toLowerCase() !== uuid.toLowerCase()) return undefined
  const line = historyLine(entry, 'committed', entry.outcome?.at ?? entry.createdAt)
  return isHistoryLine(line) ? line : undefined
}

const nothing = Buffer.alloc(0)
const NEWLINE = 0x0a
const [BRACE, QUOTE, END_BRACE] = Buffer.from('{"}')

/**
 * Whether each line begins and ends as a line does, and ends with its paths: of a long history that is told in 2 ms, and a
 * power cut, a full disk or an editor leave others. An empty one is doubtful, since relay makes none.
 */
function shapeOf(history: Buffer): { readonly isSound: boolean; readonly tellsPaths: boolean } {
  let isSound = history.length > 0 && !history.includes(0)
  let tellsPaths = true
  for (let start = 0; start < history.length; ) {
    const stop = history.indexOf(NEWLINE, start)
    const end = stop < 0 ? history.length : stop
    isSound &&= history[start] === BRACE && history[start + 1] === QUOTE && history[end - 1] === END_BRACE
    tellsPaths &&= history[end - 2] === END_BRACE
    start = end + 1
  }
  return { isSound, tellsPaths }
}

/** The lines of kept entries that are missing among these. */
async function linesWithout(
  lines: readonly HistoryLine[],
  layout: Layout,
  options: HistoryOptions,
): Promise<readonly HistoryLine[]> {
  const known = new Set(lines.filter(wasKept).map(({ uuid }) => uuid.toLowerCase()))
  const names = await stateNames(layout)
  const without = names.filter(({ kind, uuid }) => kind === 'applied' && !known.has(uuid.toLowerCase()))
  const found = await linesOf(
    without.map(({ uuid }) => uuid),
    layout,
    options,
  )
  return found.toSorted((a, b) => a.number - b.number)
}

/** The lines that these entries tell. */
async function linesOf(
  uuids: readonly string[],
  layout: Layout,
  { system, talk }: HistoryOptions,
): Promise<readonly HistoryLine[]> {
  const found: HistoryLine[] = []
  const began = system?.clock.monotonic() ?? 0
  let said = false
  for (const uuid of uuids) {
    system?.interruption.throwIfAborted()
    if (!said && (system?.clock.monotonic() ?? 0) - began >= sayAfterMs) {
      talk?.report({ kind: 'history-lost', entries: uuids.length })
      said = true
    }
    const line = await lineOfEntry(uuid, layout)
    if (line !== undefined) found.push(line)
  }
  return found
}
