import { protectedPlace } from '../ground/protected-place.ts'
import { mergeFiles } from '../lines/merge-files.ts'
import type { Overlap } from '../model/back.ts'
import type { Entry } from '../model/entry.ts'
import { believedState, changeBetween, isSameContent, isSameState } from '../model/path-state.ts'
import type { Change, FileState, PathFact, PathState } from '../model/plan.ts'
import { changesOf } from './entry-changes.ts'
import { judgePath } from './path-policy.ts'

/** What taking an entry back means for one of its files. */
export type BackFile = { readonly path: string } & (
  | { readonly kind: 'done' }
  /** `merged`: it was changed since, elsewhere in the file, and keeps that. */
  | { readonly kind: 'exact' | 'merged'; readonly change: Change }
  | ({ readonly kind: 'overlap' } & Overlap)
  | BlockedFile
)

/** Something stands there now that no file may replace. */
export interface BlockedFile {
  readonly kind: 'blocked'
  readonly path: string
  readonly why: BlockedWhy
}

export type BlockedWhy = 'folder' | 'no-file' | 'link' | 'outside' | 'protected' | 'file-in-the-way'

/** The places that taking an entry back is about: where its files really were, whatever led there. */
export function placesOf(entry: Entry): readonly { readonly op: 'delete'; readonly path: string }[] {
  return changesOf(entry).map(({ target }) => ({ op: 'delete', path: target }))
}

/**
 * The files of an entry at whose places nobody may even look: it may have come with a cloned project, so its paths are
 * judged as a response's are.
 */
export function unsafeFiles(entry: Entry): readonly BlockedFile[] {
  return placesOf(entry).flatMap(({ path }): BlockedFile[] => {
    return isSafePlace(path) ? [] : [{ kind: 'blocked', path, why: 'protected' }]
  })
}

/** Whether a path is one that a response may name, in its one spelling. */
export function isSafePlace(path: string): boolean {
  const judged = judgePath(path)
  return judged.kind === 'sound' && judged.path === path
}

/**
 * What it takes to take a kept entry back: of each file the text as it was before the entry, with all that changed
 * since merged into it.
 *
 * Three-way: the base is what the entry left, ours is the file as it is now, theirs as it was before. `facts` are one
 * for each of `placesOf`, in the same order.
 */
export function undoneFiles(entry: Entry, facts: readonly PathFact[]): readonly BackFile[] {
  const changes = changesOf(entry)
  const back = changes.map((was, at): BackFile => {
    const fact = facts[at]
    if (fact?.path !== was.target) throw new Error(`No fact for ${was.target}`)
    const why = blockedBy(fact)
    return why === undefined ? fileBack(was, fact, entry.number) : { path: was.target, kind: 'blocked', why }
  })
  const newNames = new Map(
    changes.flatMap(({ renamedFrom, target }) => (renamedFrom === undefined ? [] : [[renamedFrom, target]])),
  )
  return newNames.size === 0 ? back : back.map((file, at) => withOldName(file, newNames.get(changes[at]?.path ?? '')))
}

/** A file that gets its old name again is told as that. */
function withOldName(file: BackFile, newName: string | undefined): BackFile {
  if (newName === undefined || (file.kind !== 'exact' && file.kind !== 'merged')) return file
  return { ...file, change: { ...file.change, renamedFrom: newName } }
}

function blockedBy(fact: PathFact): BlockedWhy | undefined {
  const { leads, place, found, link, fileInTheWay, guarded } = fact
  if (leads.kind === 'outside' || (leads.kind === 'nowhere' && link === undefined)) return 'outside'
  if (guarded !== undefined || protectedPlace(place) !== undefined) return 'protected'
  if (fileInTheWay !== undefined) return 'file-in-the-way'
  if (link !== undefined) return undefined
  if (found === 'folder') return 'folder'
  return found === 'other' ? 'no-file' : undefined
}

function fileBack(was: Change, fact: PathFact, number: number): BackFile {
  const { target: path, after } = was
  const now: PathState = fact.link === undefined ? (fact.file ?? null) : { kind: 'link', to: fact.link }
  const before = believedState(was.before, now)
  const place = { path, target: fact.place, otherNames: fact.otherNames, aside: fact.otherDevice }
  const to = (result: PathState) => changeBetween(place, now, result)
  const settled = (kind: 'exact' | 'merged', result: PathState): BackFile =>
    isSameState(result, now) ? { path, kind: 'done' } : { path, kind, change: to(result) }
  const overlap = (why: Overlap['why'], more: Partial<Overlap> = {}): BackFile => ({
    kind: 'overlap',
    path,
    why,
    places: [],
    markers: undefined,
    old: to(withMode(before, after, now)),
    ...more,
  })

  if (isSameState(now, before)) return { path, kind: 'done' }
  // A new file's permission bits are the umask's: no entry tells them.
  if (isSameState(now, after) || isSameContent(now, after)) return settled('exact', withMode(before, after, now))
  if (now?.kind === 'link') return { path, kind: 'blocked', why: 'link' }
  if (before === null || before.kind === 'link')
    return now === null ? settled('exact', before) : overlap('edited-since')
  if (now === null) return overlap('deleted-since')
  if (after?.kind !== 'file') return overlap('there-again')
  if (isSameContent(now, before)) return settled('exact', withMode(before, after, now))
  const merged = mergeFiles(
    { base: after.bytes, ours: now.bytes, theirs: before.bytes },
    { ours: 'as it is now', theirs: `as it was before #${number}` },
  )
  const { mode } = withMode(before, after, now)
  switch (merged.kind) {
    case 'clean':
      return settled('merged', { kind: 'file', bytes: merged.bytes, mode })
    case 'binary':
      return overlap('binary')
    case 'overlap':
      return overlap('text', { places: merged.places, markers: to({ kind: 'file', bytes: merged.marked, mode }) })
  }
}

/** The old state, with the permission bits that somebody has given the file since. */
function withMode(before: FileState, after: PathState, now: PathState): FileState
function withMode(before: PathState, after: PathState, now: PathState): PathState
function withMode(before: PathState, after: PathState, now: PathState): PathState {
  if (before?.kind !== 'file' || after?.kind !== 'file' || now?.kind !== 'file') return before
  return now.mode === after.mode ? before : { ...before, mode: now.mode }
}
