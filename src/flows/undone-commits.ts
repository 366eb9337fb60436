import type { Entry } from '../model/entry.ts'
import { isSameState } from '../model/path-state.ts'
import type { Change, PathState } from '../model/plan.ts'
import type { Project } from '../model/project.ts'
import { changesOf } from '../plan/entry-changes.ts'
import type { System, Talk } from '../ports.ts'
import { Journal } from '../transact/journal/journal.ts'
import { newestEntries } from '../transact/journal/newest-entries.ts'
import { readOutline } from '../transact/journal/read-applied.ts'
import { type Layout, layoutOf } from '../transact/layout/layout.ts'

/** What relay's own undos made of a path. */
export interface UndoneCommit {
  /** What stood there before the last of them, before the one before that, and so on. */
  readonly before: readonly PathState[]
  readonly after: PathState
}

/**
 * Those of these paths that were last changed by undos of changes that relay had committed. An undo leaves git as it is, so
 * such a path seems to be edited.
 */
export async function undoneCommits(
  paths: readonly string[],
  { root }: Project,
  system: System,
  talk: Talk,
): Promise<ReadonlyMap<string, UndoneCommit>> {
  const layout = layoutOf(root, system.files)
  const journal = await Journal.read(layout, { system, talk })
  const isEnough = (entries: readonly Entry[]) => entries.at(-1)?.undoes === undefined
  const { entries } = await newestEntries(paths, journal, layout, isEnough, system.interruption)
  const found = new Map<string, UndoneCommit>()
  for (const [path, about] of entries) {
    const undone = await undoneAt(path, about, layout)
    if (undone !== undefined) found.set(path, undone)
  }
  return found
}

/** @param entries about the path, the newest first */
async function undoneAt(path: string, entries: readonly Entry[], layout: Layout): Promise<UndoneCommit | undefined> {
  const undone: Change[] = []
  for (const entry of entries) {
    const change = changesOf(entry).find(each => each.path === path)
    const first = entry.undoes === undefined ? undefined : await readOutline(entry.undoes.uuid, layout)
    const isByHand = entry.outcome?.edited?.includes(path) === true
    if (change === undefined || first?.commit === undefined || isByHand) break
    const newer = undone.at(-1)
    if (newer !== undefined && !isSameState(newer.before, change.after)) break
    undone.push(change)
  }
  const [last] = undone
  return last && { before: undone.map(({ before }) => before), after: last.after }
}
