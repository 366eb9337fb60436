import { RelayError } from '../errors.ts'
import type { Project } from '../model/project.ts'
import type { System, Talk } from '../ports.ts'
import { enterProject } from '../transact/enter-project.ts'
import { findEntry } from '../transact/journal/find-entry.ts'
import { readKept } from '../transact/journal/read-kept.ts'
import { writeCommit } from '../transact/journal/write-commit.ts'
import { judgeRecovery } from './judge-recovery.ts'

/**
 * Notes in the entry of a kept transaction, by its uuid or number, in which commit its files went into git: `relay show` and
 * `relay undo` tell it. To note the same once more changes nothing.
 */
export async function noteCommit(
  which: string | number,
  commit: string,
  project: Project,
  system: System,
  talk: Talk,
): Promise<void> {
  if (!/^[\da-f]{7,64}$/.test(commit)) throw new RelayError('failed', `"${commit}" names no commit`)
  await enterProject(project, system, talk, judgeRecovery(project.config), async ({ layout, journal }) => {
    const turn = findEntry(`${which}`, journal)
    // Says why where there is none that could be read.
    await readKept(turn, layout, journal)
    await writeCommit(turn.uuid, commit, layout)
  })
}
