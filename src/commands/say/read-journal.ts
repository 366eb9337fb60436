import type { Project } from '../../model.ts'
import type { System } from '../../ports.ts'
import { Journal } from '../../transact/journal/journal.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { createTalk } from '../ask/talk.ts'

/** The journal for who only looks. Where its history is lost, that is said, and Ctrl+C ends the reading. */
export async function readJournal(project: Project, system: System): Promise<Journal> {
  const talk = createTalk(system, () => project)
  try {
    return await Journal.read(layoutOf(project.root, system.files), { system, talk })
  } finally {
    talk.close()
  }
}
