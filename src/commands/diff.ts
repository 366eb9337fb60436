import { changesOf } from '../plan/entry-changes.ts'
import type { System } from '../ports.ts'
import { fileJson } from '../report/json/file-json.ts'
import { jsonText } from '../report/text/json-text.ts'
import { chosenEntry } from './open/chosen-entry.ts'
import { look } from './open/look.ts'
import { pageDiff } from './talk/page-diff.ts'
import { patchOf, printPatch } from './talk/print-patch.ts'

interface DiffOptions {
  readonly json?: boolean
}

/** `relay diff`: what a kept transaction changed, in the pager on a terminal, else as a patch for other programs. */
export async function diff(system: System, word: string | undefined, options: DiffOptions): Promise<number> {
  const { terminal } = system
  const { turn, entry } = await chosenEntry(word, await look(system))
  const changes = changesOf(entry)
  if (options.json === true) {
    const files = changes.map(fileJson)
    terminal.out(jsonText({ number: turn.number, uuid: turn.uuid, files, patch: patchOf(changes) }))
  } else if (terminal.isRead) await pageDiff(changes, terminal)
  else printPatch(changes, terminal)
  return 0
}
