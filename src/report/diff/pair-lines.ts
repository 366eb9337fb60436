import { sameEnd, sameStart } from './same-ends.ts'

/** Longer rows are no edit of each other that a reader would follow word by word. */
const MOST = 100
/** More comparisons than that are not worth it: equally long rows are then paired as they stand. */
const MOST_TRIES = 400
/** How much of a line has to be the same for it to be a changed one and no new one. */
const ENOUGH = 0.4

/** Which removed lines were changed into which added ones, in order: positions in either list. */
export function pairLines(
  removed: readonly string[],
  added: readonly string[],
): readonly (readonly [removed: number, added: number])[] {
  if (removed.length > MOST || added.length > MOST) return []
  const isSquare = removed.length === added.length
  if (removed.length * added.length > MOST_TRIES && !isSquare) return []
  const pairs: [number, number][] = []
  let next = 0
  for (const [at, line] of removed.entries()) {
    const last = removed.length * added.length > MOST_TRIES ? at : added.length - 1
    let [best, bestLikeness] = [-1, ENOUGH]
    for (let other = Math.max(next, isSquare && last === at ? at : next); other <= last; other++) {
      const likeness = likenessOf(line, added[other] ?? '')
      // Of two that are as like, the one at the same place.
      if (likeness > bestLikeness || (likeness === bestLikeness && other === at))
        [best, bestLikeness] = [other, likeness]
    }
    if (best < 0) continue
    pairs.push([at, best])
    next = best + 1
  }
  return pairs
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
