import type { Entry } from '../../model.ts'
import type { Layout } from '../layout/layout.ts'
import { wasKept } from './history-line.ts'
import type { Journal } from './journal.ts'
import { readApplied } from './read-applied.ts'

/** What is older was seen by nobody who answers now; and entries are slow to read. */
const most = 20

/** To look for more paths than this in a text takes longer than to read the entry. */
const few = 20

/**
 * For each of the paths the newest kept entry that is about it, among the newest twenty. Behind one that takes another
 * back stands that one, and so on; but for where something else came in between.
 */
export async function newestEntries(
  paths: readonly string[],
  journal: Journal,
  layout: Layout,
): Promise<ReadonlyMap<string, Chain>> {
  const chains = new Map<string, Chain>()
  const left = new Set(paths)
  let looked = 0
  for (const turn of journal.newestFirst()) {
    if (left.size === 0 || looked === most) break
    // One that was undone has the entry that undid it above it.
    if (!wasKept(turn)) continue
    looked++
    // What cannot be read stands in nobody's way here: it would only have told of a doubt.
    const asked = left.size > few ? undefined : [...left]
    const entry = await readApplied(turn.uuid, layout, asked).catch(() => undefined)
    for (const path of left) {
      if (entry?.snapshot.has(path) !== true) continue
      const chain = chains.get(path)
      const goesOn = chain === undefined || chain.at(-1)?.undoes?.uuid === entry.uuid
      chains.set(path, goesOn ? [...(chain ?? []), entry] : chain.slice(0, 1))
      if (!goesOn || entry.undoes === undefined) left.delete(path)
    }
  }
  for (const path of left) chains.set(path, (chains.get(path) ?? []).slice(0, 1))
  return chains
}

type Chain = readonly Entry[]
