import type { LintError } from '../../model.ts'
import type { Edits, Place } from './edit.ts'

/**
 * Tells which of equal errors in one file are new: as many as there are more of them than before.
 *
 * An old error is on its line, wherever that is by now, or on one that the patch put in the place of it. Of the others
 * those are new that are on a line which the patch wrote, and furthest from where an old one was. One is new even though
 * another one went, where it is sure that it is not the same: the patch changed each of their two lines on the spot.
 */
export function newOnes(
  before: readonly LintError[],
  after: readonly LintError[],
  editOf: Edits['of'],
): readonly LintError[] {
  if (before.length === 0) return after
  const edit = editOf(after[0]?.file ?? '')
  if (edit === undefined && after.length <= before.length) return []
  let old = placed(before, edit?.before)
  let now = placed(after, edit?.after)
  const pair = (keyOf: (one: Placed) => unknown) => {
    ;[old, now] = [without(old, now, keyOf), without(now, old, keyOf)]
  }
  pair(({ place }) => (place?.stretch === undefined ? place?.line : undefined))
  pair(({ place }) => place?.text)
  now = likelyOldFirst(now, old)
  pair(({ place }) => place?.stretch)
  let mended = old.filter(isChanged).length
  let others = old.length - mended
  const isNew = (one: Placed) => {
    if (mended > 0 && !isChanged(one)) mended--
    else if (others > 0) others--
    else return true
    return false
  }
  return now.filter(isNew).map(({ error }) => error)
}

/** An error, and where its line stands; nothing where that is not known. */
interface Placed {
  readonly error: LintError
  readonly place: Place | undefined
}

/** In a file that is as it was, each line is where it was. */
function placed(errors: readonly LintError[], places: readonly Place[] | undefined): readonly Placed[] {
  return errors.map(error => {
    const { line } = error
    if (line === undefined) return { error, place: undefined }
    const unmoved = { line, text: undefined, stretch: undefined, isAlone: false }
    return { error, place: places === undefined ? unmoved : places[line - 1] }
  })
}

/** On the spot: as many lines stand in the place of as many others. With more or fewer, some may be from elsewhere. */
function isChanged({ place }: Placed): boolean {
  if (place?.stretch === undefined || !place.isAlone) return false
  const { beforeStart, beforeEnd, afterStart, afterEnd } = place.stretch
  return beforeEnd - beforeStart === afterEnd - afterStart
}

/** What is left of a list when each of the other one has taken away one with the same key. */
function without(
  list: readonly Placed[],
  other: readonly Placed[],
  keyOf: (one: Placed) => unknown,
): readonly Placed[] {
  const taken = new Map<unknown, number>()
  for (const key of other.map(keyOf)) if (key !== undefined) taken.set(key, (taken.get(key) ?? 0) + 1)
  return list.filter(one => {
    const left = taken.get(keyOf(one)) ?? 0
    taken.set(keyOf(one), left - 1)
    return left <= 0
  })
}

function likelyOldFirst(now: readonly Placed[], old: readonly Placed[]): readonly Placed[] {
  const lines = old.flatMap(({ place }) => place?.line ?? []).sort((a, b) => a - b)
  return now
    .map(one => {
      const { line, isAlone = false } = one.place ?? {}
      return { one, isAlone, far: line === undefined ? 0 : distance(line, lines) }
    })
    .sort((a, b) => Number(a.isAlone) - Number(b.isAlone) || a.far - b.far)
    .map(({ one }) => one)
}

/** How far a line is from the nearest of some others, which rise. */
function distance(line: number, others: readonly number[]): number {
  let [low, high] = [0, others.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((others[middle] ?? 0) < line) low = middle + 1
    else high = middle
  }
  return Math.min(...others.slice(Math.max(0, low - 1), low + 1).map(other => Math.abs(other - line)))
}
