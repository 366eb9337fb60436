import type { Entry, HistoryLine, LostVersion } from '../../model/entry.ts'
import type { Layout } from '../layout/layout.ts'
import { pathKey } from './history-line.ts'
import type { Journal } from './journal.ts'
import { readApplied } from './read-applied.ts'

/** To look for more paths than this in a text takes longer than to read the entry. */
const few = 20

/** What the journal tells of some paths. */
export interface Remembered {
  /** The kept entries about each path, the newest first: as many as were asked for. */
  readonly entries: ReadonlyMap<string, readonly Entry[]>
  /** What is known of the newest whose entry cannot be read any more: it was pruned, most often. */
  readonly lost: ReadonlyMap<string, LostVersion>
}

/**
 * What the journal tells of these paths, however old that is. The history names the entries to read, so a long one costs no
 * more than a short one; `isEnough` says when older ones would tell nothing. When `signal` aborts its reason is thrown.
 */
export async function newestEntries(
  paths: readonly string[],
  journal: Journal,
  layout: Layout,
  isEnough: (entries: readonly Entry[]) => boolean,
  signal: AbortSignal,
): Promise<Remembered> {
  const places = paths.map((path): Place => ({ path, entries: [], lost: undefined }))
  const open = new Map(places.map(place => [pathKey(place.path), place]))
  for (const line of journal.keptAbout([...open.keys()])) {
    const keys = [...(line.paths === undefined ? open.keys() : Object.keys(line.paths))].filter(key => open.has(key))
    if (keys.length === 0) continue
    signal.throwIfAborted()
    const entry = await readAbout(line, open, layout)
    for (const key of keys) {
      const place = open.get(key)
      if (place !== undefined && learns(place, entry, line, key) && isEnough(place.entries)) open.delete(key)
    }
  }
  const lost = places.flatMap(place => (place.lost === undefined ? [] : [[place.path, place.lost] as const]))
  return { entries: new Map(places.map(place => [place.path, place.entries])), lost: new Map(lost) }
}

interface Place {
  readonly path: string
  readonly entries: Entry[]
  lost: LostVersion | undefined
}

/** The entry of a line. One that cannot be read stands in nobody's way here: it would only have told of a doubt. */
function readAbout(line: HistoryLine, open: ReadonlyMap<string, Place>, layout: Layout): Promise<Entry | undefined> {
  const isSearched = line.paths === undefined && open.size <= few
  const searched = isSearched ? [...open.values()].map(({ path }) => path) : undefined
  return readApplied(line.uuid, layout, searched).catch(() => undefined)
}

/** Whether an entry tells of the place. Where it is gone, its line tells a little. */
function learns(place: Place, entry: Entry | undefined, { number, paths }: HistoryLine, key: string): boolean {
  const left = paths?.[key]
  if (entry === undefined && left !== undefined) place.lost ??= { number, left }
  if (entry?.snapshot.has(place.path) !== true) return false
  place.entries.push(entry)
  return true
}
