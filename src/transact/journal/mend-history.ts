import type { HistoryLine } from '../../model/entry.ts'
import type { System, Talk } from '../../ports.ts'
import { readOwnBytes } from '../disk/read-own.ts'
import { type Layout, stateNames } from '../layout/layout.ts'
import { historyLine, isHistoryLine, printLine, readLine, wasKept } from './history-line.ts'
import { readApplied } from './read-applied.ts'

export interface History {
  readonly bytes: Buffer
  /** The bytes differ from those on the disk. */
  readonly isAnother: boolean
  /** Kept transactions that have an entry and had no line; `bytes` has one for each. */
  readonly forgotten: readonly HistoryLine[]
}

export interface LookOptions {
  /** Reads everything, also when a note says that there is no need. */
  readonly thorough?: boolean
}

/** Thousands of entries can take a minute: relay says so, and reads no further one after an interruption. */
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
  const found = (await readOwnBytes(layout.history, layout.files)) ?? nothing
  const sound = isSound(found)
  if (sound && !thorough) return { bytes: found, isAnother: false, forgotten: [] }
  const read = found
    .toString('utf8')
    .split('\n')
    .flatMap(text => readLine(text) ?? [])
  const forgotten = await linesWithout(read, layout, options)
  if (sound && forgotten.length === 0) return { bytes: found, isAnother: false, forgotten }
  const lines = [...read, ...forgotten].sort((a, b) => a.number - b.number || Date.parse(a.at) - Date.parse(b.at))
  const bytes = Buffer.from(lines.map(printLine).join(''))
  return { bytes, isAnother: !bytes.equals(found), forgotten }
}

/** The same, and puts what it could tell in the place of the damaged one. The caller holds the lock. */
export async function mendHistory(layout: Layout, options: HistoryOptions = {}): Promise<History> {
  const history = await readHistory(layout, options)
  if (!history.isAnother) return history
  const kind = (await layout.files.stat(layout.history))?.kind ?? 'none'
  // relay itself makes only a file here.
  if (kind === 'file' || kind === 'none') {
    await layout.files.replace(layout.history, history.bytes, layout.spare, { mode: 0o600 })
  }
  return history
}

/** The history line made from an entry; `undefined` if the entry is not one that relay wrote. */
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
 * Whether each line begins and ends as a line does: of a long history that is told in 2 ms, and a power cut, a full disk
 * or an editor leave others. An empty one is doubtful, since relay makes none.
 */
function isSound(history: Buffer): boolean {
  if (history.length === 0 || history.includes(0)) return false
  for (let start = 0; start < history.length; ) {
    const stop = history.indexOf(NEWLINE, start)
    const end = stop < 0 ? history.length : stop
    if (history[start] !== BRACE || history[start + 1] !== QUOTE || history[end - 1] !== END_BRACE) return false
    start = end + 1
  }
  return true
}

/** The lines of kept entries that are missing among these. */
async function linesWithout(
  lines: readonly HistoryLine[],
  layout: Layout,
  { system, talk }: HistoryOptions,
): Promise<readonly HistoryLine[]> {
  const known = new Set(lines.filter(wasKept).map(({ uuid }) => uuid.toLowerCase()))
  const names = await stateNames(layout)
  const without = names.filter(({ kind, uuid }) => kind === 'applied' && !known.has(uuid.toLowerCase()))
  const found: HistoryLine[] = []
  const began = system?.clock.monotonic() ?? 0
  let said = false
  for (const { uuid } of without) {
    system?.interruption.throwIfAborted()
    if (!said && (system?.clock.monotonic() ?? 0) - began >= sayAfterMs) {
      talk?.report({ kind: 'history-lost', entries: without.length })
      said = true
    }
    const line = await lineOfEntry(uuid, layout)
    if (line !== undefined) found.push(line)
  }
  return found.sort((a, b) => a.number - b.number)
}
