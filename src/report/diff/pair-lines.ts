import { sameEnd, sameStart } from '../../lines/same-ends.ts'

/** Longer rows are no edit of each other that a reader would follow word by word. */
const MOST = 100
/** More comparisons than that are not worth it: equally long rows are then paired as they stand. */
const MOST_TRIES = 400
/** How much of a line has to be the same for it to be a changed one and no new one. */
const ENOUGH = 0.4

/** Positions in the removed and in the added lines. */
type Pair = readonly [removed: number, added: number]

/** Which removed lines were changed into which added ones, in order. */
export function pairLines(removed: readonly string[], added: readonly string[]): readonly Pair[] {
  if (removed.length > MOST || added.length > MOST) return []
  if (removed.length * added.length <= MOST_TRIES) return likestPairs(removed, added)
  if (removed.length !== added.length) return []
  // Too many to look for the likest: each with the one at its place.
  return removed.flatMap((line, at): Pair[] => (likenessOf(line, added[at] ?? '') >= ENOUGH ? [[at, at]] : []))
}

function likestPairs(removed: readonly string[], added: readonly string[]): readonly Pair[] {
  const pairs: Pair[] = []
  let next = 0
  for (const [at, line] of removed.entries()) {
    const best = likestOf(added, line, next, at)
    if (best === undefined) continue
    pairs.push([at, best])
    next = best + 1
  }
  return pairs
}

/** The line from `next` on that a line is likest to; of two that are as like, the one at the same place. */
function likestOf(lines: readonly string[], line: string, next: number, place: number): number | undefined {
  let best: number | undefined
  let most = ENOUGH
  for (let at = next; at < lines.length; at++) {
    const likeness = likenessOf(line, lines[at] ?? '')
    if (likeness > most || (likeness === most && at === place)) [best, most] = [at, likeness]
  }
  return best
}

/** From 0 to 1: how much of the longer line stands at the beginning or end of the other, or the words they share. */
function likenessOf(one: string, other: string): number {
  const [a, b] = [one.trim(), other.trim()]
  const longest = Math.max(a.length, b.length)
  if (longest === 0) return 1
  const start = sameStart(a, b)
  const end = sameEnd(a, b, start)
  const ends = (start + end) / longest
  return ends >= ENOUGH || longest > 500 ? ends : Math.max(ends, sharedWords(a, b) / longest)
}

function sharedWords(one: string, other: string): number {
  const words = new Set(one.match(WORDS))
  let length = 0
  for (const word of new Set(other.match(WORDS))) if (words.has(word)) length += word.length
  return length
}

const WORDS = /[\p{L}\p{N}_]+/gu
