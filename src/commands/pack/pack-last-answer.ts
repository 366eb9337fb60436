import type { Project } from '../../model/project.ts'
import { changesOf } from '../../plan/entry-changes.ts'
import type { System } from '../../ports.ts'
import { wasKept } from '../../transact/journal/history-line.ts'
import { readLastDeclined } from '../../transact/journal/last-declined.ts'
import { readKept } from '../../transact/journal/read-kept.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { readJournal } from '../open/read-journal.ts'
import { copyPack } from './copy-pack.ts'
import { makePack } from './make-pack.ts'

/** Copies the files of the last answer as they are now, whether it was kept or not. */
export async function packLastAnswer(project: Project, system: System): Promise<void> {
  const only = new Set(await pathsOfLastAnswer(project, system))
  if (only.size === 0) system.terminal.err('No answer was applied here yet.')
  else await copyPack(await makePack({ words: [], only }, project, system), project, system)
}

async function pathsOfLastAnswer(project: Project, system: System): Promise<readonly string[]> {
  const layout = layoutOf(project.root, system.files)
  const journal = await readJournal(project, system)
  const last = await readLastDeclined(layout)
  for (const turn of journal.newestFirst()) {
    if (wasKept(turn)) return changesOf(await readKept(turn, layout, journal)).map(({ path }) => path)
    if (turn.uuid === last?.uuid && last.attempt !== undefined) return last.attempt.operations.map(({ path }) => path)
  }
  return []
}
