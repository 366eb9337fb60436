import type { Project } from '../model/project.ts'
import type { System, Talk } from '../ports.ts'
import { enterProject } from '../transact/enter-project.ts'
import { findUnfinished } from '../transact/journal/unfinished.ts'
import { judgeRecovery } from './judge-recovery.ts'

/**
 * Changes the project's files outside of a transaction (a merge by git) while no other relay process works there. Answers
 * `undefined`, and does nothing, when a transaction is open.
 */
export function holdProject<T>(
  project: Project,
  system: System,
  talk: Talk,
  work: () => Promise<T>,
  patience?: number,
): Promise<T | undefined> {
  const { config } = project
  return enterProject(
    project,
    system,
    talk,
    judgeRecovery(config),
    async ({ layout }) => ((await findUnfinished(layout)).length > 0 ? undefined : work()),
    patience,
  )
}
