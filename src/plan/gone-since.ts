import type { Entry } from '../model/entry.ts'
import type { Change } from '../model/plan.ts'
import type { Flag } from '../model/response.ts'
import { type GivenVersion, isOf } from './base-of.ts'
import type { FoundChange } from './change-file.ts'
import { lineBag } from './damage/line-bag.ts'
import { textOf } from './damage/text-changes.ts'
import { changesOf } from './entry-changes.ts'

/** A file that is called as another one, in another folder. */
export interface Namesake {
  readonly path: string
  readonly text: string
}

/** What tells of files that are not where an answer takes them to be. */
export interface GoneFiles {
  /** Those about each path, the newest first. */
  readonly entries: ReadonlyMap<string, readonly Entry[]>
  /** What packs gave, the newest first. */
  readonly given?: ReadonlyMap<string, readonly GivenVersion[]> | undefined
  /** The files that are called as a path that does not exist, by that name. */
  readonly namesakes?: ReadonlyMap<string, readonly Namesake[]> | undefined
  /** The uuid of the answer, where it is taken once more: then its file is wanted back. */
  readonly again?: string | undefined
}

/**
 * Flags files that are not there and that the model takes to be there: it would bring back what the user removed, or make a
 * second one beside what was moved, or what it called by another folder.
 *
 * @param edited the paths that the change summary calls so
 */
export function goneSince(found: readonly FoundChange[], edited: ReadonlySet<string>, known: GoneFiles): Flag[] {
  const written = new Set(found.flatMap(({ change }) => (change.after === null ? [] : [change.path])))
  return found.flatMap(({ change }) => {
    const { path } = change
    const other = namesakeOf(change, known)
    const there = other !== undefined && !written.has(other) ? other : undefined
    const reason = change.effect === 'create' ? whyNotThere(path, known) : undefined
    if (reason !== undefined) return [mismatch(path, there === undefined ? reason : `${reason}, while ${there} exists`)]
    const isNamed = change.effect === 'create' ? edited.has(path) : isDeleteOfNothing(change)
    if (there === undefined || !isNamed) return []
    return [mismatch(path, `the change summary names it, but it does not exist, while ${there} does`)]
  })
}

function isDeleteOfNothing({ op, effect, before }: Change): boolean {
  return op === 'delete' && effect === 'none' && before === null
}

function mismatch(path: string, reason: string): Flag {
  return { flag: 'summary-mismatch', path, reason }
}

function whyNotThere(path: string, { entries, given, again }: GoneFiles): string | undefined {
  const newest = entries.get(path)?.find(entry => !isOf(entry, again))
  const [pack] = again === undefined ? (given?.get(path) ?? []) : []
  const isOlder = newest === undefined || (pack !== undefined && Date.parse(newest.createdAt) < pack.at.getTime())
  if (pack !== undefined && isOlder) return `you removed or moved ${path} since the last pack`
  return newest && whyGone(path, newest)
}

/** The only file of that name elsewhere, where most of its lines are in the new text as well. */
function namesakeOf({ path, after }: Change, { namesakes }: GoneFiles): string | undefined {
  const alike = namesakes?.get(path.slice(path.lastIndexOf('/') + 1)) ?? []
  const text = textOf(after)
  if (text === undefined) return alike[0]?.path
  const lines = lineBag(text)
  return alike.find(other => {
    const own = lineBag(other.text)
    return [...own.keys()].filter(line => lines.has(line)).length * 2 > own.size
  })?.path
}

/** Nothing of what an answer deletes, for the model knows of that, nor of what goes as its answer is taken back. */
function whyGone(path: string, entry: Entry): string | undefined {
  const { number, source } = entry
  const changes = changesOf(entry)
  const left = changes.find(change => change.path === path)?.after
  if (left !== null) return left && `you removed or moved ${path} since #${number}`
  const to = changes.find(({ renamedFrom }) => renamedFrom === path)?.path
  const isTakenBack = source === 'undo' || source === 'revert'
  return to === undefined || isTakenBack ? undefined : `${path} no longer exists (renamed to ${to} in #${number})`
}
