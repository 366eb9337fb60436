import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { Journal } from '../../transact/journal/journal.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { mustBeFolder } from '../../transact/layout/relay-folder.ts'
import { createTalk } from '../talk/talk.ts'

/** The journal for who only looks. Where its history is lost, that is said, and Ctrl+C ends the reading. */
export async function readJournal(project: Project, system: System): Promise<Journal> {
  const layout = layoutOf(project.root, system.files)
  await mustBeFolder(layout)
  const talk = createTalk(system, () => project)
  try {
    return await Journal.read(layout, { system, talk })
  } finally {
    talk.close()
  }
}
