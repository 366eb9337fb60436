import type { HistoryLine } from '../../model/entry.ts'
import type { Layout } from '../layout/layout.ts'
import { LARGEST_NUMBER, printLine, readLine, wasKept } from './history-line.ts'
import { type History, type HistoryOptions, lineOfEntry, mendHistory, readHistory } from './mend-history.ts'

/** An ended transaction as it stands now. */
export interface EndedTransaction extends HistoryLine {
  /** The number of the transaction that took it back, when it is `undone`, and when that was (ISO 8601). */
  readonly undoneBy?: number
  readonly undoneAt?: string
}

/**
 * What has already had its turn in this project, and which number comes next.
 *
 * It reads the history, one short line per ended transaction, and never all entries: those are only read to
 * make a history again that is missing or damaged. A long history is searched as bytes; only lines that are asked for are
 * understood. Open it while the project's lock is held.
 */
export class Journal {
  readonly #layout: Layout
  /** Its lines, in the order in which they were written. */
  #history: Buffer
  /** Each line tells its paths. */
  readonly #tellsPaths: boolean

  private constructor(layout: Layout, { bytes, tellsPaths }: History) {
    this.#layout = layout
    this.#history = bytes
    this.#tellsPaths = tellsPaths
  }

  static async open(layout: Layout, options: HistoryOptions = {}): Promise<Journal> {
    return new Journal(layout, await mendHistory(layout, options))
  }

  /** Like `open`, but writes nothing and needs no lock. */
  static async read(layout: Layout, options: HistoryOptions = {}): Promise<Journal> {
    return new Journal(layout, await readHistory(layout, options))
  }

  /** A number that no line has. */
  nextNumber(): number {
    const [newest] = this.#newestFirst()
    const next = (newest?.number ?? 0) + 1
    if (next <= LARGEST_NUMBER && !this.#history.includes(`"number":${next},`)) return next
    // The history is in another order, or a line from a clone has the largest number.
    const taken = new Set([...this.#newestFirst()].map(({ number }) => number))
    const last = [...taken].sort((a, b) => b - a).find(number => number < LARGEST_NUMBER && !taken.has(number + 1))
    return (last ?? 0) + 1
  }

  /** The newest patch that was kept and stands. */
  lastCommitted(): HistoryLine | undefined {
    for (const transaction of this.newestFirst()) {
      if (transaction.outcome === 'committed' && transaction.source === undefined) return transaction
    }
    return undefined
  }

  /**
   * The last turn of a model's uuid that settled something: kept, declined or undone, and when. A mere failure settles
   * nothing.
   * A turn with these same operations counts before a newer one with others.
   */
  async lookUp(uuid: string, operations?: () => string): Promise<HistoryLine | undefined> {
    const folded = uuid.toLowerCase()
    const transactions = this.#mentioning(uuid).filter(
      line =>
        line.outcome !== 'rolled-back' &&
        (line.uuid.toLowerCase() === folded || line.modelUuid?.toLowerCase() === folded),
    )
    const asked = transactions.length === 0 ? undefined : operations?.()
    const same = transactions.find(line => line.operations === asked)
    const transaction = same ?? transactions[0] ?? (await lineOfEntry(uuid, this.#layout))
    const back = transaction?.outcome === 'committed' ? this.#undoneBy(transaction) : undefined
    return transaction === undefined || back === undefined
      ? transaction
      : { ...transaction, outcome: 'undone', at: back.at }
  }

  /** The later transaction that took a kept one back, as long as that one stands itself. */
  #undoneBy({ uuid, number }: HistoryLine): HistoryLine | undefined {
    const back = this.#mentioning(uuid).find(line => line.undoes === uuid && line.outcome === 'committed')
    // A history that came with a clone could lead round in a circle.
    if (back === undefined || back.number <= number) return undefined
    return this.#undoneBy(back) === undefined ? back : undefined
  }

  /** Every ended transaction, newest first, as it stands now: one that was taken back since is `undone`. */
  *newestFirst(): Generator<EndedTransaction> {
    const backs = new Map<string, HistoryLine>()
    for (const line of this.#newestFirst()) {
      const back = line.outcome === 'committed' ? backs.get(line.uuid) : undefined
      if (back !== undefined) {
        yield { ...line, outcome: 'undone', undoneBy: back.number, undoneAt: back.at }
        continue
      }
      if (line.outcome === 'committed' && line.undoes !== undefined) backs.set(line.undoes, line)
      yield line
    }
  }

  /**
   * What was kept and may have been about one of these paths, which are named as lines name them; the newest first. A line
   * of an earlier relay does not tell.
   */
  keptAbout(keys: readonly string[]): readonly HistoryLine[] {
    const isQuick = this.#tellsPaths && keys.length <= few
    const lines = isQuick ? this.#mentioning(...keys) : [...this.#newestFirst()]
    return lines.filter(wasKept)
  }

  /** How many were kept, told without a look at what each line says. */
  countKept(): number {
    return placesOf('"outcome":"committed"', this.#history).length
  }

  /** The history has the line of this ended transaction. */
  holds(uuid: string, number: number): boolean {
    return this.#mentioning(uuid).some(line => line.uuid === uuid && line.number === number)
  }

  async remember(line: HistoryLine): Promise<void> {
    // A line that was cut off by a crash must not swallow this one.
    const last = this.#history.at(-1)
    const start = last === undefined || last === NEWLINE ? '' : '\n'
    const added = Buffer.from(`${start}${printLine(line)}`)
    await this.#layout.files.append(this.#layout.history, added)
    this.#history = Buffer.concat([this.#history, added])
  }

  /** The lines that have one of these texts in them, newest first. */
  #mentioning(...texts: readonly string[]): HistoryLine[] {
    const history = this.#history
    const lines: HistoryLine[] = []
    let end = 0
    const places = texts.flatMap(text => placesOf(text.toLowerCase(), history))
    for (const place of places.sort((a, b) => a - b)) {
      if (place < end) continue
      const start = place === 0 ? 0 : history.lastIndexOf(NEWLINE, place) + 1
      const stop = history.indexOf(NEWLINE, place)
      end = stop < 0 ? history.length : stop
      const line = readLine(history.toString('utf8', start, end))
      if (line !== undefined) lines.push(line)
    }
    return lines.reverse()
  }

  *#newestFirst(): Generator<HistoryLine> {
    const history = this.#history
    for (let end = history.length; end > 0; ) {
      const start = end <= PIECE ? 0 : history.lastIndexOf(NEWLINE, end - PIECE) + 1
      for (const text of history.toString('utf8', start, end).split('\n').reverse()) {
        const line = readLine(text)
        if (line !== undefined) yield line
      }
      end = start
    }
  }
}

const NEWLINE = 0x0a
/** To look for more texts than these takes longer than to understand every line. */
const few = 20
/** So many bytes of the history are looked at in one go; the newest lines are often all that is asked for. */
const PIECE = 16 * 1024

function placesOf(text: string, bytes: Buffer): number[] {
  const places: number[] = []
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + text.length)) places.push(at)
  return places
}
