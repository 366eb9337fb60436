import { committerOf } from '../agents/work/committer.ts'
import { commitChanges } from '../flows/commit-changes.ts'
import type { System } from '../ports.ts'
import { commitLine } from '../report/answers/commit-line.ts'
import { openProject } from './open/open-project.ts'
import { styleOf } from './talk/style-of.ts'
import { createTalk } from './talk/talk.ts'

/** `relay commit`: commits changes that were kept before; 1 where git does not make one of the commits. */
export async function commit(
  system: System,
  which: readonly string[],
  { squash = false }: { readonly squash?: boolean },
): Promise<number> {
  const project = await openProject(system)
  const talk = createTalk(system, () => project)
  try {
    const committer = committerOf(project, system, talk)
    const made = await commitChanges(which, squash, project, system, talk, committer)
    for (const each of made) system.terminal.err(commitLine(each.numbers, each.committed, styleOf(system.terminal)))
    return made.every(({ committed }) => committed.kind !== 'not-committed') ? 0 : 1
  } finally {
    talk.close()
  }
}
