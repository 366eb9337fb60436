import { changesOf } from '../plan/entry-changes.ts'
import type { System } from '../ports.ts'
import { chosenEntry } from './chosen-entry.ts'
import { look } from './look.ts'
import { pageDiff } from './page-diff.ts'
import { printPatch } from './show.ts'

/** `relay diff`: what a kept transaction changed, in the pager on a terminal, else as a patch for other programs. */
export async function diff(system: System, word: string | undefined): Promise<number> {
  const looked = await look(system)
  const changes = changesOf((await chosenEntry(word, looked, system)).entry)
  if (system.terminal.isRead) await pageDiff(changes, system.terminal)
  else printPatch(changes, system)
  return 0
}
