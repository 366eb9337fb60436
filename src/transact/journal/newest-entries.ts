import type { Entry } from '../../model/entry.ts'
import type { Layout } from '../layout/layout.ts'
import { wasKept } from './history-line.ts'
import type { EndedTransaction, Journal } from './journal.ts'
import { readApplied } from './read-applied.ts'

/** No present answer is based on older changes, and entries are slow to read. */
const most = 20

/** Searching a text for more paths than this takes longer than reading the entry. */
const few = 20

/**
 * For each of the paths the newest kept entries that are about it, the newest first, among the newest twenty: as many as
 * `isEnough` asks for. When `signal` aborts its reason is thrown.
 */
export async function newestEntries(
  paths: readonly string[],
  journal: Journal,
  layout: Layout,
  isEnough: (entries: readonly Entry[]) => boolean,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Entry[]>> {
  const found = new Map(paths.map((path): [string, Entry[]] => [path, []]))
  const open = new Map(found)
  for (const transaction of newestKept(journal)) {
    if (open.size === 0) break
    signal.throwIfAborted()
    // An entry that cannot be read is passed over: it could only have added a doubt.
    const asked = open.size > few ? undefined : [...open.keys()]
    const entry = await readApplied(transaction.uuid, layout, asked).catch(() => undefined)
    for (const [path, entries] of open) {
      if (entry?.snapshot.has(path) !== true) continue
      entries.push(entry)
      if (isEnough(entries)) open.delete(path)
    }
  }
  return found
}

function* newestKept(journal: Journal): Generator<EndedTransaction> {
  let left = most
  for (const transaction of journal.newestFirst()) {
    // For a transaction that was undone, the undo's entry is newer and counts.
    if (!wasKept(transaction)) continue
    yield transaction
    left -= 1
    if (left === 0) return
  }
}
