import { RelayError } from '../errors.ts'
import type { Project } from '../model/project.ts'
import type { System, Talk } from '../ports.ts'
import { enterProject } from '../transact/enter-project.ts'
import { findEntry } from '../transact/journal/find-entry.ts'
import { readKept } from '../transact/journal/read-kept.ts'
import { type Later, writeLater } from '../transact/journal/write-later.ts'
import { judgeRecovery } from './judge-recovery.ts'

/**
 * Records the git commit of a kept transaction in its entry, for `relay show` and `relay undo`. The transaction is named by
 * its uuid or number. Recording the same commit twice changes nothing.
 */
export async function noteCommit(
  which: string | number,
  commit: string,
  project: Project,
  system: System,
  talk: Talk,
): Promise<void> {
  if (!/^[\da-f]{7,64}$/.test(commit)) throw new RelayError('failed', `"${commit}" names no commit`)
  await note(which, { commit }, project, system, talk)
}

/** Gives a kept transaction another title. Answers its number. */
export async function noteTitle(
  which: string,
  title: string,
  project: Project,
  system: System,
  talk: Talk,
): Promise<number> {
  return note(which, { title }, project, system, talk)
}

async function note(
  which: string | number,
  later: Later,
  project: Project,
  system: System,
  talk: Talk,
): Promise<number> {
  return enterProject(project, system, talk, judgeRecovery(project.config), async ({ layout, journal }) => {
    const transaction = findEntry(`${which}`, journal)
    // Throws with the reason when the entry cannot be read.
    await readKept(transaction, layout, journal)
    await writeLater(transaction.uuid, later, layout)
    return transaction.number
  })
}
