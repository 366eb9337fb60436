import { type Match, matchLines } from './match-lines.ts'
import { sameEnd, sameStart } from './same-ends.ts'

/** A stretch that differs: lines `beforeStart` to `beforeEnd` (exclusive, from 0) became `afterStart` to `afterEnd`. */
export interface Difference {
  readonly beforeStart: number
  readonly beforeEnd: number
  readonly afterStart: number
  readonly afterEnd: number
}

/** Where two texts differ, in order, always within a fraction of a second. */
export function compareLines(before: readonly string[], after: readonly string[]): readonly Difference[] {
  const start = sameStart(before, after)
  const tail = sameEnd(before, after, start)
  const [beforeEnd, afterEnd] = [before.length - tail, after.length - tail]
  if (start === beforeEnd && start === afterEnd) return []
  // Where lines are only added, or only removed, there is nothing to match.
  const isOneSided = start === beforeEnd || start === afterEnd
  const matches = isOneSided ? [] : matchLines(before.slice(start, beforeEnd), after.slice(start, afterEnd))
  const bounds = { beforeStart: start, beforeEnd, afterStart: start, afterEnd }
  const differences: Difference[] = []
  for (const difference of between(matches, bounds)) {
    // A line that both texts share stays between two differences, or they would change it twice.
    const above = differences.at(-1)?.beforeEnd ?? -1
    differences.push(slid(difference, difference.beforeStart - above - 1, before, after))
  }
  return differences
}

/** What lies between the matches, within the given bounds. */
function between(matches: readonly Match[], bounds: Difference): readonly Difference[] {
  const differences: Difference[] = []
  const { beforeStart: first, afterStart: firstAfter } = bounds
  let [beforeStart, afterStart] = [first, firstAfter]
  const add = (beforeEnd: number, afterEnd: number) => {
    if (beforeEnd > beforeStart || afterEnd > afterStart) {
      differences.push({ beforeStart, beforeEnd, afterStart, afterEnd })
    }
    beforeStart = beforeEnd + 1
    afterStart = afterEnd + 1
  }
  for (const [left, right] of matches) add(first + left, firstAfter + right)
  add(bounds.beforeEnd, bounds.afterEnd)
  return differences
}

/**
 * The same difference where a reader would see it. When lines are only added, or only removed, and the line above them
 * is also their last one, they can as well be taken to begin one line higher: `}`, blank, `function b() {`, … becomes
 * blank, `function b() {`, …, `}`.
 *
 * @param room how many shared lines there are to slide over
 */
function slid(difference: Difference, room: number, before: readonly string[], after: readonly string[]): Difference {
  const { beforeStart, beforeEnd, afterStart, afterEnd } = difference
  const adds = beforeStart === beforeEnd
  if (!adds && afterStart !== afterEnd) return difference
  const lines = adds ? after : before
  const [start, end] = adds ? [afterStart, afterEnd] : [beforeStart, beforeEnd]
  let [best, bestCost] = [0, costOf(lines, start, end)]
  // How far up at most: an indentation says no more over a longer way.
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

/** How little a stretch looks like a thing of its own: by the indentation of its first line, and a bracket there. */
function costOf(lines: readonly string[], start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const line = lines[at] ?? ''
    const indentation = line.search(/\S/)
    if (indentation >= 0) return 2 * indentation + (/^[\])}]/.test(line.slice(indentation)) ? 5 : 0)
  }
  return 0
}
