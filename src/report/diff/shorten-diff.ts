import type { DiffLine } from './diff-lines.ts'

/** Fewer lines of a long row say nothing. */
const LEAST = 3

/**
 * The same diff in at most so many rows, if that can be reached by leaving out the rest of each long run of removed or
 * added lines: who sees only the old half of a rewritten function, or only the first file, has seen nothing.
 *
 * @param rowsOf how many rows a line takes
 */
export function shortenDiff(
  lines: readonly DiffLine[],
  most: number,
  rowsOf: (line: DiffLine) => number,
): readonly DiffLine[] {
  const all = lines.reduce((sum, line) => sum + rowsOf(line), 0)
  if (all <= most) return lines
  const runs = runsOf(lines, rowsOf)
  const others = all - runs.reduce((sum, length) => sum + length, 0)
  const lengthAt = (cap: number) => runs.reduce((sum, length) => sum + Math.min(length, cap + 1), others)
  let [low, high] = [LEAST, Math.max(LEAST, most)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (lengthAt(middle) <= most) low = middle
    else high = middle - 1
  }
  return cappedAt(low, lines, rowsOf)
}

/** How many rows each run of removed, and of added, lines takes. */
function runsOf(lines: readonly DiffLine[], rowsOf: (line: DiffLine) => number): readonly number[] {
  const runs: number[] = []
  let kind = ''
  for (const line of lines) {
    if (line.kind === 'added' || line.kind === 'removed') {
      if (line.kind === kind) runs[runs.length - 1] = (runs.at(-1) ?? 0) + rowsOf(line)
      else runs.push(rowsOf(line))
    }
    kind = line.kind
  }
  return runs
}

function cappedAt(cap: number, lines: readonly DiffLine[], rowsOf: (line: DiffLine) => number): readonly DiffLine[] {
  const short: DiffLine[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] as DiffLine
    if (line.kind !== 'added' && line.kind !== 'removed') {
      short.push(line)
      at++
      continue
    }
    let end = at
    let kept = at
    let rows = 0
    for (let next: DiffLine | undefined = line; next?.kind === line.kind; next = lines[++end]) {
      rows += rowsOf(next)
      if (rows <= cap) kept = end + 1
    }
    // One row is no longer than the word that it is missing.
    if (rows <= cap + 1) kept = end
    // A line that is too long for all of them is still better than nothing.
    kept = Math.max(kept, at + 1)
    for (; at < kept; at++) short.push(lines[at] as DiffLine)
    if (kept < end) short.push({ kind: 'left-out', what: line.kind, count: end - kept })
    at = end
  }
  return short
}
