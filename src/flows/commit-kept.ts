import { someOf } from '../ground/words.ts'
import { commitMessage, squashedMessage } from '../model/commit-message.ts'
import type { Entry } from '../model/entry.ts'
import type { PathState } from '../model/plan.ts'
import type { Outcome } from '../model/talk.ts'
import type { Committed } from '../model/task.ts'
import { readOutline } from '../transact/journal/read-applied.ts'
import { writeLater } from '../transact/journal/write-later.ts'
import type { Layout } from '../transact/layout/layout.ts'
import { transact } from '../transact/transact.ts'
import type { Job, OpenProject } from '../transact/work/work.ts'
import { changedSince, SeenEdits } from './kept-edits.ts'

/** What makes commits of kept changes: the user's git. */
export interface Committer {
  /** Those of these paths with edits that are in no commit, or why that cannot be told. */
  uncommitted(paths: readonly string[]): Promise<readonly string[] | { readonly why: string }>
  /** Whether the last commit has a file with exactly these bytes, or none there for `null`. */
  isCommitted(path: string, bytes: Uint8Array | null): Promise<boolean>
  /** Commits exactly these paths as they are on the disk; hooks are told the number of the change. */
  commit(paths: readonly string[], message: string, number: number): Promise<Committed>
}

/**
 * Carries a plan out as `transact` does, and commits what was kept, exactly its paths. What stands in the way of the commit is
 * no failure of the change: the outcome says why there is none.
 *
 * All of it happens while no other relay works in the project: one that a hook starts, and that wants to write, ends at once.
 */
export async function transactAndCommit(
  job: Job,
  site: OpenProject,
  committer: Committer | undefined,
): Promise<Outcome> {
  if (committer === undefined) return transact(job, site)
  const targets = new Map(job.plan.changes.map(({ path, target }) => [path, target]))
  // Before anything is written: afterwards nobody could tell the user's edits from the change.
  const before = await committer.uncommitted([...targets.values()])
  const seen = new SeenEdits()
  let kept: ReadonlyMap<string, PathState> = new Map()
  const onKept = (states: typeof kept) => {
    kept = new Map([...states].map(([path, state]) => [targets.get(path) ?? path, state]))
  }
  const outcome = await transact({ ...job, onKept }, { ...site, talk: seen.around(site.talk) })
  if (outcome.kind !== 'committed') return outcome

  const commit = async (): Promise<Committed> => {
    if ('why' in before) return notCommitted(before.why)
    const merged = await seen.uncommitted(committer.isCommitted)
    const edited = [...new Set([...before, ...merged])].filter(path => kept.has(path))
    if (edited.length > 0) return notCommitted(`${someOf(edited, MOST_NAMED)} had edits that were not committed`)
    const since = await changedSince(kept, site.layout.root, site.layout.files)
    if (since.length > 0) return notCommitted(`${someOf(since, MOST_NAMED)} was edited since it was checked`)
    const entry = await readOutline(outcome.uuid, site.layout)
    if (entry === undefined) return notCommitted('what relay noted of it cannot be read')
    return commitEntries([entry], [...kept.keys()], site, committer)
  }
  const { interruption } = site.system
  return {
    ...outcome,
    commit: await commit().catch(error => {
      return notCommitted(interruption.aborted ? 'relay was interrupted' : (error as Error).message)
    }),
  }
}

/** Commits these paths of kept changes, as one commit, and notes it in their entries. There is at least one. */
export async function commitEntries(
  entries: readonly Entry[],
  paths: readonly string[],
  { layout }: OpenProject,
  committer: Committer,
): Promise<Committed> {
  const [first] = entries
  if (first === undefined) return { kind: 'none' }
  const message = entries.length === 1 ? commitMessage(await chainOf(first, layout)) : squashedMessage(entries)
  const committed = await committer.commit(paths, message, first.number)
  if (committed.kind !== 'commit') return committed
  for (const { uuid } of entries) {
    // The note only helps `relay undo` and `relay show`: the commit is made.
    await writeLater(uuid, { commit: committed.sha }, layout).catch(() => undefined)
  }
  return committed
}

/** A change, the one that it takes back, the one that this took back, and so on. */
async function chainOf(entry: Entry, layout: Layout): Promise<[Entry, ...Entry[]]> {
  const undone = entry.undoes && (await readOutline(entry.undoes.uuid, layout))
  return undone === undefined ? [entry] : [entry, ...(await chainOf(undone, layout))]
}

function notCommitted(why: string): Committed {
  return { kind: 'not-committed', why }
}

const MOST_NAMED = 3
