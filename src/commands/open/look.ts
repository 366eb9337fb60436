import type { Entry } from '../../model/entry.ts'
import type { Project } from '../../model/project.ts'
import type { Recovery } from '../../model/talk.ts'
import type { System } from '../../ports.ts'
import { isOver, unfinishedNote } from '../../report/answers/unfinished-note.ts'
import type { Journal } from '../../transact/journal/journal.ts'
import { readAllPending } from '../../transact/journal/read-pending.ts'
import { type Layout, layoutOf } from '../../transact/layout/layout.ts'
import { mustBeFolder } from '../../transact/layout/relay-folder.ts'
import { ownerAtWork } from '../../transact/lock/lock.ts'
import { previewRecovery } from '../../transact/recover/recover.ts'
import { showNotes } from '../talk/show-notes.ts'
import { openProject } from './open-project.ts'
import { readJournal } from './read-journal.ts'

/** What a command that only reads works with. */
export interface Look {
  readonly project: Project
  readonly layout: Layout
  readonly journal: Journal
  /** What waits to be recovered or answered; empty while another relay is at work, since it is that one's. */
  readonly unfinished: readonly Recovery[]
  /** What another relay has under way, and its files are changed. */
  readonly underWay: readonly Entry[]
}

/** Opens the journal for a command that only reads: it writes nothing, takes no lock, and names what is unfinished. */
export async function look(system: System, { namesUnfinished = true } = {}): Promise<Look> {
  const found = await lookIn(await openProject(system), system)
  if (namesUnfinished) showNotes(found.unfinished.map(unfinishedNote), system)
  return found
}

/** The same in a project that is open already. */
export async function lookIn(project: Project, system: System): Promise<Look> {
  const layout = layoutOf(project.root, system.files)
  await mustBeFolder(layout)
  const isBusy = (await ownerAtWork(layout, system.shell)) !== undefined
  const found = isBusy ? [] : await previewRecovery(layout, system)
  const unfinished = found.filter(recovery => !isOver(recovery))
  const underWay = isBusy ? await readAllPending(layout) : []
  return { project, layout, journal: await readJournal(project, system), unfinished, underWay }
}
