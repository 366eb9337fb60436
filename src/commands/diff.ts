import type { System } from '../ports.ts'
import { renderDiff } from '../report/render-diff.ts'
import { changesOf } from '../transact/entry-changes.ts'
import { chosenEntry } from './chosen-entry.ts'
import { look, outStyle } from './look.ts'
import { printPatch } from './show.ts'

/** `relay diff`: what a kept transaction changed, in the pager on a terminal, else as a patch for other programs. */
export async function diff(system: System, word: string | undefined): Promise<number> {
  const looked = await look(system)
  const changes = changesOf((await chosenEntry(word, looked, system)).entry)
  if (system.terminal.isRead) await system.terminal.page(renderDiff(changes, outStyle(system)))
  else printPatch(changes, system)
  return 0
}
