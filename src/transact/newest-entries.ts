import type { Entry } from '../model.ts'
import type { Files } from '../ports.ts'
import { wasKept } from './history-line.ts'
import type { Journal } from './journal.ts'
import type { Layout } from './layout.ts'
import { mayName, readApplied } from './read-applied.ts'

/** What is older was seen by nobody who answers now; and entries are slow to read. */
const most = 20

/** To look for more paths than this in a text takes longer than to read the entry. */
const few = 20

/** For each of the paths the newest kept entry that is about it, among the newest twenty. */
export async function newestEntries(
  paths: readonly string[],
  journal: Journal,
  layout: Layout,
  files: Files,
): Promise<ReadonlyMap<string, Entry>> {
  const found = new Map<string, Entry>()
  const left = new Set(paths)
  let looked = 0
  for (const turn of journal.newestFirst()) {
    if (left.size === 0 || looked === most) break
    // One that was undone has the entry that undid it above it.
    if (!wasKept(turn)) continue
    looked++
    // What cannot be read stands in nobody's way here: it would only have told of a doubt.
    const wanted = (text: string) => left.size > few || [...left].some(path => mayName(path, text))
    const entry = await readApplied(turn.uuid, layout, files, wanted).catch(() => undefined)
    for (const path of left) {
      if (entry?.snapshot.has(path) !== true) continue
      found.set(path, entry)
      left.delete(path)
    }
  }
  return found
}
