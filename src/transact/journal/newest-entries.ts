import type { Entry } from '../../model/entry.ts'
import type { Layout } from '../layout/layout.ts'
import { wasKept } from './history-line.ts'
import type { Journal, Turn } from './journal.ts'
import { readApplied } from './read-applied.ts'

/** What is older was seen by nobody who answers now; and entries are slow to read. */
const most = 20

/** To look for more paths than this in a text takes longer than to read the entry. */
const few = 20

/**
 * For each of the paths the newest kept entry that is about it, among the newest twenty. Behind one that takes another
 * back stands that one, and so on; but for where something else came in between. When `signal` aborts its reason is thrown.
 */
export async function newestEntries(
  paths: readonly string[],
  journal: Journal,
  layout: Layout,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Chain>> {
  const chains = new Map(paths.map((path): [string, Entry[]] => [path, []]))
  const open = new Map(chains)
  for (const turn of newestKept(journal)) {
    if (open.size === 0) break
    signal.throwIfAborted()
    // What cannot be read stands in nobody's way here: it would only have told of a doubt.
    const asked = open.size > few ? undefined : [...open.keys()]
    const entry = await readApplied(turn.uuid, layout, asked).catch(() => undefined)
    for (const [path, chain] of open) {
      if (entry?.snapshot.has(path) === true && !extend(chain, entry)) open.delete(path)
    }
  }
  return new Map([...chains].map(([path, chain]) => [path, isWhole(chain) ? chain : chain.slice(0, 1)]))
}

/** Puts an entry behind those that took each other back; `false` when nothing more belongs there. */
function extend(chain: Entry[], entry: Entry): boolean {
  const isNext = chain.length === 0 || chain.at(-1)?.undoes?.uuid === entry.uuid
  if (isNext) chain.push(entry)
  return isNext && entry.undoes !== undefined
}

/** The newest twenty. */
function* newestKept(journal: Journal): Generator<Turn> {
  let left = most
  for (const turn of journal.newestFirst()) {
    // One that was undone has the entry that undid it above it.
    if (!wasKept(turn)) continue
    yield turn
    left -= 1
    if (left === 0) return
  }
}

/** What the last of them took back is known, or it took nothing back. */
function isWhole(chain: Chain): boolean {
  return chain.at(-1)?.undoes === undefined
}

type Chain = readonly Entry[]
