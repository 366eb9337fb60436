import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { groupBy } from '../ground/collections.ts'
import { someOf } from '../ground/words.ts'
import type { Entry } from '../model/entry.ts'
import { isSameContent } from '../model/path-state.ts'
import type { Change, LinkState } from '../model/plan.ts'
import type { Project } from '../model/project.ts'
import type { Committed } from '../model/task.ts'
import { changesOf } from '../plan/entry-changes.ts'
import type { System, Talk } from '../ports.ts'
import { enterProject } from '../transact/enter-project.ts'
import { findEntry } from '../transact/journal/find-entry.ts'
import { newestEntries } from '../transact/journal/newest-entries.ts'
import { readKept } from '../transact/journal/read-kept.ts'
import type { OpenProject } from '../transact/work/work.ts'
import { type Committer, commitEntries } from './commit-kept.ts'
import { judgeRecovery } from './judge-recovery.ts'

/** One commit and the changes in it. */
export interface MadeCommit {
  readonly numbers: readonly number[]
  readonly committed: Committed
}

/**
 * Commits changes that were kept before: exactly their paths, as they are now, one commit a change or one for all.
 *
 * Throws `conflict`, and commits nothing, where one of the paths holds more than these changes: another change, or an edit of
 * the user's. Throws `usage` where a change is undone, or can no longer be read.
 */
export async function commitChanges(
  which: readonly string[],
  isSquashed: boolean,
  project: Project,
  system: System,
  talk: Talk,
  committer: Committer,
): Promise<readonly MadeCommit[]> {
  return enterProject(project, system, talk, judgeRecovery(project.config), async site => {
    const named = await entriesOf(which, site)
    const open = named.filter(({ commit }) => commit === undefined)
    await mustBeAlone(open, isSquashed, site, committer)
    const groups = isSquashed ? [open] : open.map(entry => [entry])
    const made: MadeCommit[] = named.flatMap(({ number, commit }) => {
      return commit === undefined ? [] : [{ numbers: [number], committed: { kind: 'commit', sha: commit } }]
    })
    for (const group of groups.filter(({ length }) => length > 0)) {
      const paths = [...new Set(group.flatMap(entry => changesOf(entry).map(({ target }) => target)))]
      const committed = await commitEntries(group, paths, site, committer)
      made.push({ numbers: group.map(({ number }) => number), committed })
      if (committed.kind === 'not-committed') break
    }
    return made
  })
}

/** The entries that are meant, oldest first, each once. */
async function entriesOf(which: readonly string[], { journal, layout }: OpenProject): Promise<readonly Entry[]> {
  const named = new Map(which.map(each => findEntry(each, journal)).map(each => [each.number, each]))
  const found = new Map<number, Entry>()
  for (const transaction of named.values()) {
    const { number, undoneBy } = transaction
    // Together with its undo it may stand between others.
    if (undoneBy !== undefined && !named.has(undoneBy)) {
      throw new RelayError('usage', `#${number} was undone by #${undoneBy}`, {
        hint: 'Nothing of it is left to commit.',
      })
    }
    found.set(number, await readKept(transaction, layout, journal))
  }
  return [...found.values()].toSorted((a, b) => a.number - b.number)
}

interface Touch {
  readonly entry: Entry
  readonly change: Change
}

/** Throws `conflict` unless a commit of these changes holds nothing else. */
async function mustBeAlone(
  entries: readonly Entry[],
  isSquashed: boolean,
  site: OpenProject,
  committer: Committer,
): Promise<void> {
  const touches = groupBy(
    entries.flatMap(entry => changesOf(entry).map((change): Touch => ({ entry, change }))),
    ({ change }) => change.target,
  )
  for (const [target, touched] of touches) {
    if (touched.length > 1 && !isSquashed) {
      const words = numbersOf(touched.map(({ entry }) => entry.number))
      throw new RelayError('conflict', `${words} changed ${target}, which no commit can hold for each alone`, {
        hint: `\`relay commit ${entries.map(({ number }) => number).join(' ')} --squash\` makes one commit of all.`,
      })
    }
    const strange = await strangeIn(target, touched, site, committer)
    if (strange !== undefined)
      throw await notAlone(
        target,
        strange,
        touched.map(({ entry }) => entry),
        site,
      )
  }
}

/** Where more than these changes are in a file: before a change, or after it. */
type Strange = 'before' | 'between' | 'since'

async function strangeIn(
  target: string,
  touched: readonly Touch[],
  { layout: { root, files } }: OpenProject,
  committer: Committer,
): Promise<Strange | undefined> {
  const states = touched.map(({ change }) => change)
  const [first, last] = [states[0], states.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const isKnown = async (bytes: Uint8Array | null) => committer.isCommitted(target, bytes)
  const now = await files.inspect(join(root, target))
  // The user has committed it with git, or has taken it back.
  if (now !== null && !('bytes' in now || 'to' in now)) return 'since'
  if (await isKnown(bytesOf(now))) return undefined
  if (!isSameContent(now, last.after)) return 'since'
  if (states.some((state, at) => at > 0 && !isSameContent(states[at - 1]?.after ?? null, state.before)))
    return 'between'
  return (await isKnown(bytesOf(first.before))) ? undefined : 'before'
}

/** Without permission bits. */
type BareState = { readonly kind: 'file'; readonly bytes: Uint8Array } | LinkState | null

/** As git stores it. */
function bytesOf(state: BareState): Uint8Array | null {
  if (state === null) return null
  return state.kind === 'file' ? state.bytes : Buffer.from(state.to)
}

async function notAlone(
  target: string,
  strange: Strange,
  entries: readonly Entry[],
  { journal, layout, system }: OpenProject,
): Promise<RelayError> {
  const numbers = entries.map(({ number }) => number)
  const known = (await newestEntries([target], journal, layout, () => false, system.interruption)).entries.get(target)
  const others = (known ?? []).filter(({ number, commit }) => {
    const isThere = strange === 'before' ? number < Math.max(...numbers) : number > Math.min(...numbers)
    return isThere && commit === undefined && !numbers.includes(number)
  })
  if (others.length === 0) {
    const when = strange === 'before' ? 'before' : 'since'
    return new RelayError('conflict', `${target} holds edits made by hand ${when} ${numbersOf(numbers)}`, {
      hint: `Commit it with git: \`git commit ${target}\`.`,
    })
  }
  const all = [...numbers, ...others.map(({ number }) => number)].toSorted((a, b) => a - b)
  return new RelayError('conflict', `${target} holds ${numbersOf(others.map(({ number }) => number))} as well`, {
    hint: `\`relay commit ${all.join(' ')} --squash\` commits them together.`,
  })
}

function numbersOf(numbers: readonly number[]): string {
  return someOf(
    numbers.toSorted((a, b) => a - b).map(number => `#${number}`),
    5,
  )
}
