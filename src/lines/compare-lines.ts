import { diffArrays } from 'diff'
import { hasWord } from './bare-text.ts'

/** A stretch that differs: lines `beforeStart` to `beforeEnd` (exclusive, from 0) became `afterStart` to `afterEnd`. */
export interface Difference {
  readonly beforeStart: number
  readonly beforeEnd: number
  readonly afterStart: number
  readonly afterEnd: number
}

/**
 * The differences of two texts, in order, always within a second.
 *
 * Lines that only one side has are set aside before the library searches: they cannot stay, and a total rewrite
 * consists of them. Where so much moved that the search gives up, everything between the equal ends counts as
 * replaced.
 */
export function compareLines(before: readonly string[], after: readonly string[]): readonly Difference[] {
  const start = sameStart(before, after)
  const tail = sameEnd(before, after, start)
  const [old, now] = [before.slice(start, before.length - tail), after.slice(start, after.length - tail)]
  const differences: Difference[] = []
  let [left, right] = [start, start]
  for (const [one, other] of [...stayingLines(old, now), [old.length, now.length] as const]) {
    const [beforeEnd, afterEnd] = [start + one, start + other]
    if (beforeEnd > left || afterEnd > right) {
      // A shared line stays between two differences, or both would change it.
      const room = left - (differences.at(-1)?.beforeEnd ?? -1) - 1
      differences.push(slid({ beforeStart: left, beforeEnd, afterStart: right, afterEnd }, room, before, after))
    }
    left = beforeEnd + 1
    right = afterEnd + 1
  }
  return differences
}

/**
 * The search's time grows with the square of this. It is a count and no time, so that a slow machine shows the same
 * diff.
 */
const MOST_EDITS = 2000

/** The lines that stay, in order, each by its places on both sides. */
function stayingLines(before: readonly string[], after: readonly string[]): readonly (readonly [number, number])[] {
  const [old, now] = [placesIn(before, after), placesIn(after, before)]
  // Blank lines and lone brackets alone would only tear a rewritten text to shreds.
  if (!old.some(at => hasWord(before[at] ?? ''))) return []
  const isSame = (left: number, right: number) => before[left] === after[right]
  const runs = diffArrays(old, now, { comparator: isSame, maxEditLength: MOST_EDITS })
  if (runs === undefined) return []
  const gone = new Set(runs.flatMap(({ removed, value }) => (removed ? value : [])))
  const staying = runs.flatMap(({ added, removed, value }) => (added || removed ? [] : value))
  return old.filter(at => !gone.has(at)).map((at, n) => [at, staying[n] ?? 0])
}

/** The places of the lines that the other text has as well. */
function placesIn(lines: readonly string[], others: readonly string[]): number[] {
  const known = new Set(others)
  return lines.flatMap((line, at) => (known.has(line) ? [at] : []))
}

/**
 * The same difference where a reader would see it. When lines are only added, or only removed, and their last line
 * equals the line above them, the difference may as well begin one line higher: `}`, blank, `function b() {`, …
 * becomes blank, `function b() {`, …, `}`.
 *
 * @param room how many shared lines it may move up
 */
function slid(difference: Difference, room: number, before: readonly string[], after: readonly string[]): Difference {
  const { beforeStart, beforeEnd, afterStart, afterEnd } = difference
  const adds = beforeStart === beforeEnd
  if (!adds && afterStart !== afterEnd) return difference
  const lines = adds ? after : before
  const [start, end] = adds ? [afterStart, afterEnd] : [beforeStart, beforeEnd]
  let [best, bestCost] = [0, costOf(lines, start, end)]
  // An indentation says nothing over a longer way.
  for (let up = 1; up <= Math.min(50, room) && lines[start - up] === lines[end - up]; up++) {
    const cost = costOf(lines, start - up, end - up)
    if (cost < bestCost) [best, bestCost] = [up, cost]
  }
  return {
    beforeStart: beforeStart - best,
    beforeEnd: beforeEnd - best,
    afterStart: afterStart - best,
    afterEnd: afterEnd - best,
  }
}

/**
 * The lower the cost, the more the stretch looks like a unit: by the indentation of its first line, and by a bracket
 * there.
 */
function costOf(lines: readonly string[], start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const line = lines[at] ?? ''
    const indentation = line.search(/\S/)
    if (indentation >= 0) return 2 * indentation + (/^[\])}]/.test(line.slice(indentation)) ? 5 : 0)
  }
  return 0
}

function sameStart(one: readonly string[], other: readonly string[]): number {
  const most = Math.min(one.length, other.length)
  let same = 0
  while (same < most && one[same] === other[same]) same++
  return same
}

/** Leaves out the first `start` lines of either. */
function sameEnd(one: readonly string[], other: readonly string[], start: number): number {
  const most = Math.min(one.length, other.length) - start
  let same = 0
  while (same < most && one[one.length - 1 - same] === other[other.length - 1 - same]) same++
  return same
}
