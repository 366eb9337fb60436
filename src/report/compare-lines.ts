import { diffArrays } from 'diff'

/** A stretch that differs: lines `beforeStart` to `beforeEnd` (exclusive, from 0) became `afterStart` to `afterEnd`. */
export interface Difference {
  readonly beforeStart: number
  readonly beforeEnd: number
  readonly afterStart: number
  readonly afterEnd: number
}

/**
 * Where two texts differ, in order, always within a fraction of a second.
 *
 * Common ends are set aside, then lines that only one side has: they cannot match, and a total rewrite consists of
 * them. What remains is small as a rule; where it is not, the search is given up at a set effort, and everything
 * between the common ends counts as replaced.
 */
export function compareLines(before: readonly string[], after: readonly string[]): readonly Difference[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let beforeEnd = before.length
  let afterEnd = after.length
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--
    afterEnd--
  }
  if (start === beforeEnd && start === afterEnd) return []

  const left = shared(before, start, beforeEnd, after, afterEnd)
  const right = shared(after, start, afterEnd, before, beforeEnd)
  return between(matches(before, left, after, right), { beforeStart: start, beforeEnd, afterStart: start, afterEnd })
}

/** The positions from `start` to `end` whose line the other side has too, in its own middle. */
function shared(
  lines: readonly string[],
  start: number,
  end: number,
  others: readonly string[],
  othersEnd: number,
): readonly number[] {
  const known = new Set(others.slice(start, othersEnd))
  const found: number[] = []
  for (let at = start; at < end; at++) if (known.has(lines[at] ?? '')) found.push(at)
  return found
}

type Match = readonly [before: number, after: number]

function matches(
  before: readonly string[],
  left: readonly number[],
  after: readonly string[],
  right: readonly number[],
): readonly Match[] {
  const found: Match[] = []
  let [l, r] = [0, 0]
  for (const run of search(textsAt(before, left), textsAt(after, right))) {
    for (let n = 0; n < run.count && !run.added && !run.removed; n++) found.push([left[l + n] ?? 0, right[r + n] ?? 0])
    if (!run.added) l += run.count
    if (!run.removed) r += run.count
  }
  return found
}

/** Effort, and milliseconds in case the machine is slow; 20,000 lines end long before them. */
const LIMITS = { maxEditLength: 1000, timeout: 200 }

function search(left: string[], right: string[]) {
  // Blank lines and lone brackets alone would only tear a rewritten text to shreds.
  if (!left.some(hasWord)) return []
  return diffArrays(left, right, LIMITS) ?? []
}

/** Whether a line says something: a letter or a number. */
export function hasWord(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line)
}

function textsAt(lines: readonly string[], positions: readonly number[]): string[] {
  return positions.map(at => lines[at] ?? '')
}

/** What lies between the matches, within the given bounds. */
function between(found: readonly Match[], bounds: Difference): readonly Difference[] {
  const differences: Difference[] = []
  let [beforeStart, afterStart] = [bounds.beforeStart, bounds.afterStart]
  const closing: Match = [bounds.beforeEnd, bounds.afterEnd]
  for (const [beforeEnd, afterEnd] of [...found, closing]) {
    if (beforeEnd > beforeStart || afterEnd > afterStart) {
      differences.push({ beforeStart, beforeEnd, afterStart, afterEnd })
    }
    beforeStart = beforeEnd + 1
    afterStart = afterEnd + 1
  }
  return differences
}
