import type { BackSource, Ended, Entry, HistoryLine } from '../model.ts'
import type { Files } from '../ports.ts'
import { readEntry } from './entry-yaml.ts'
import { hashOperations } from './hash.ts'
import { isId, type Layout, readName } from './layout.ts'
import { readOwn } from './read-own.ts'

/** An ended transaction as it stands now. */
export interface Turn extends HistoryLine {
  /** The number of the transaction that took it back, when it is `undone`. */
  readonly undoneBy?: number
}

/**
 * What has already had its turn in this project, and which number comes next.
 *
 * It reads the history, one content-free line per ended transaction, and never all entries: those are only read to
 * rebuild a history that is missing. Open it while the project's lock is held.
 */
export class Journal {
  readonly #layout: Layout
  readonly #files: Files
  #history: string

  private constructor(layout: Layout, files: Files, history: string) {
    this.#layout = layout
    this.#files = files
    this.#history = history
  }

  static async open(layout: Layout, files: Files): Promise<Journal> {
    const journal = await Journal.read(layout, files)
    if (journal.#history !== '' && (await files.stat(layout.history)) === null) {
      await files.replace(layout.history, Buffer.from(journal.#history), `${layout.history}.tmp`, { mode: 0o600 })
    }
    return journal
  }

  /** As `open`, but writes nothing and needs no lock: for whoever only wants to look. */
  static async read(layout: Layout, files: Files): Promise<Journal> {
    const history = (await readOwn(layout.history, files)) ?? (await rebuild(layout, files))
    return new Journal(layout, files, history)
  }

  nextNumber(): number {
    const newest = this.#newestLine(() => true)
    return (newest?.number ?? 0) + 1
  }

  /** The newest patch that was kept and stands, for the screen. */
  lastCommitted(): HistoryLine | undefined {
    for (const turn of this.newestFirst()) {
      if (turn.outcome === 'committed' && turn.source === undefined) return turn
    }
    return undefined
  }

  /**
   * The last turn of a model's uuid that settled something: kept, declined or undone, and when. A mere failure settles
   * nothing.
   * A turn with these same operations counts before a newer one with others.
   */
  async lookUp(uuid: string, operations?: string): Promise<HistoryLine | undefined> {
    const folded = uuid.toLowerCase()
    const isTurn = (line: HistoryLine) =>
      line.outcome !== 'rolled-back' && (line.uuid.toLowerCase() === folded || line.modelUuid?.toLowerCase() === folded)
    const same = this.#newestLine(line => line.operations === operations && isTurn(line), folded)
    const turn = same ?? this.#newestLine(isTurn, folded) ?? (await lineOfEntry(this.#layout, this.#files, uuid))
    const back = turn?.outcome === 'committed' ? this.#undoneBy(turn.uuid) : undefined
    return turn === undefined || back === undefined ? turn : { ...turn, outcome: 'undone', at: back.at }
  }

  /** The later transaction that took a kept one back, as long as that one stands itself. */
  #undoneBy(uuid: string): HistoryLine | undefined {
    const back = this.#newestLine(
      line => line.undoes === uuid && line.outcome === 'committed',
      `"undoes":"${uuid.toLowerCase()}"`,
    )
    return back === undefined || this.#undoneBy(back.uuid) !== undefined ? undefined : back
  }

  /** Every ended transaction, newest first, as it stands now: one that was taken back since is `undone`. */
  *newestFirst(): Generator<Turn> {
    const undone = new Map<string, number>()
    for (let end = this.#history.length; end > 0; ) {
      const start = this.#history.lastIndexOf('\n', end - 2) + 1
      const line = readLine(this.#history.slice(start, end))
      end = start
      if (line === undefined) continue
      const undoneBy = line.outcome === 'committed' ? undone.get(line.uuid) : undefined
      if (undoneBy !== undefined) {
        yield { ...line, outcome: 'undone', undoneBy }
        continue
      }
      if (line.outcome === 'committed' && line.undoes !== undefined) undone.set(line.undoes, line.number)
      yield line
    }
  }

  /** How many were kept, told without a look at what each line says. */
  countKept(): number {
    return this.#history.split('"outcome":"committed"').length - 1
  }

  /** Whether an ended transaction has its line. */
  holds(uuid: string, number: number): boolean {
    return this.#newestLine(line => line.uuid === uuid && line.number === number, uuid.toLowerCase()) !== undefined
  }

  /** Nearly no uuid is one that was here before, and a single pass tells. */
  #mentions(text: string): boolean {
    return new RegExp(text.replace(/[^\w"-]/g, '\\$&'), 'i').test(this.#history)
  }

  async remember(line: HistoryLine): Promise<void> {
    // A line that was cut off by a crash must not swallow this one.
    const start = this.#history === '' || this.#history.endsWith('\n') ? '' : '\n'
    const added = `${start}${JSON.stringify(line)}\n`
    await this.#files.append(this.#layout.history, Buffer.from(added))
    this.#history += added
  }

  /** Looks from the newest line back; with `hint`, only at lines that hold it (in lower case). */
  #newestLine(fits: (line: HistoryLine) => boolean, hint = ''): HistoryLine | undefined {
    if (!this.#mentions(hint)) return undefined
    const haystack = hint === '' ? this.#history : this.#history.toLowerCase()
    let end = this.#history.length
    while (end > 0) {
      const hit = hint === '' ? end - 1 : haystack.lastIndexOf(hint, end - 1)
      if (hit < 0) return undefined
      const start = this.#history.lastIndexOf('\n', hit - 1) + 1
      const stop = this.#history.indexOf('\n', hit)
      const line = readLine(this.#history.slice(start, stop < 0 ? undefined : stop))
      if (line !== undefined && fits(line)) return line
      end = start - 1
    }
    return undefined
  }
}

function readLine(text: string): HistoryLine | undefined {
  try {
    const line: unknown = JSON.parse(text)
    if (typeof line !== 'object' || line === null) return undefined
    return isHistoryLine(line) ? line : undefined
  } catch {
    return undefined
  }
}

/** One that came with a cloned project names no file elsewhere, and leaves numbers for what comes. */
function isHistoryLine(line: object): line is HistoryLine {
  const { number, uuid, modelUuid, at, outcome, operations, source, undoes } = line as Record<string, unknown>
  return (
    Number.isSafeInteger(number) &&
    Number(number) > 0 &&
    Number(number) <= LARGEST_NUMBER &&
    isId(uuid) &&
    [modelUuid, undoes].every(id => id === undefined || isId(id)) &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    ENDS.has(outcome) &&
    typeof operations === 'string' &&
    (source === undefined || BACK_SOURCES.has(source))
  )
}

const LARGEST_NUMBER = 1e12
const ENDS: ReadonlySet<unknown> = new Set<Ended>(['committed', 'declined', 'rolled-back', 'undone'])
const BACK_SOURCES: ReadonlySet<unknown> = new Set<BackSource>(['undo', 'redo', 'revert'])

/** The history that the entries tell. What was declined is forgotten with it. */
async function rebuild(layout: Layout, files: Files): Promise<string> {
  const lines: HistoryLine[] = []
  for (const name of (await files.list(layout.folder)) ?? []) {
    const read = readName(name)
    if (read?.kind !== 'applied') continue
    const line = await lineOfEntry(layout, files, read.uuid)
    if (line !== undefined) lines.push(line)
  }
  lines.sort((a, b) => a.number - b.number)
  return lines.map(line => `${JSON.stringify(line)}\n`).join('')
}

async function lineOfEntry(layout: Layout, files: Files, uuid: string): Promise<HistoryLine | undefined> {
  const text = await readOwn(layout.applied(uuid), files)
  const entry = text === undefined ? undefined : readEntry(text)
  if (entry === undefined) return undefined
  return historyLine(entry, 'committed', entry.outcome?.at ?? entry.createdAt)
}

/** The line of an entry that has ended; `at` is ISO 8601. */
export function historyLine(entry: Entry, outcome: Ended, at: string): HistoryLine {
  return {
    number: entry.number,
    uuid: entry.uuid,
    ...(entry.modelUuid === undefined ? {} : { modelUuid: entry.modelUuid }),
    at,
    outcome,
    operations: entry.asked ?? hashOperations(entry.operations),
    ...(entry.undoes === undefined ? {} : { source: entry.source as BackSource, undoes: entry.undoes.uuid }),
  }
}
