import type { Project } from '../model/project.ts'
import type { System, Talk } from '../ports.ts'
import { durable } from './disk/durable.ts'
import { Journal } from './journal/journal.ts'
import { layoutOf } from './layout/layout.ts'
import { ensureRelayFolder } from './layout/relay-folder.ts'
import { withLock } from './lock/lock.ts'
import { recover } from './recover/recover.ts'
import type { JudgeRecovery } from './recover/recover-foreign.ts'
import type { OpenProject } from './work/work.ts'

/**
 * Does a piece of work while no other relay works in the project, after rolling back what an earlier one left
 * unfinished.
 *
 * @param patience how long another relay is waited for, in milliseconds
 */
export async function enterProject<T>(
  { root, config }: Project,
  system: System,
  talk: Talk,
  judge: JudgeRecovery,
  work: (site: OpenProject) => Promise<T>,
  patience?: number,
): Promise<T> {
  const { trace } = system
  const layout = layoutOf(root, durable(system.files, config))
  await ensureRelayFolder(layout)
  return withLock(
    layout,
    system,
    talk,
    async () => {
      await trace.span('recover', () => recover(layout, system, talk, { judge }))
      const journal = await trace.span('journal', () => Journal.open(layout, { system, talk }))
      return work({ layout, journal, system, talk })
    },
    patience,
  )
}
