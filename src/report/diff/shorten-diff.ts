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
  const rowsIn = (some: readonly DiffLine[]) => some.reduce((sum, line) => sum + rowsOf(line), 0)
  if (rowsIn(lines) <= most) return lines
  const runs = runsOf(lines).map(run => ({ lines: run, rows: rowsIn(run), kind: changeIn(run) }))
  const rowsAt = (cap: number) => {
    return runs.reduce((sum, { rows, kind }) => sum + (kind === undefined ? rows : Math.min(rows, cap + 1)), 0)
  }
  let [low, high] = [LEAST, Math.max(LEAST, most)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (rowsAt(middle) <= most) low = middle
    else high = middle - 1
  }
  // One row more is no longer than the word that it is missing.
  return runs.flatMap(({ lines, rows, kind }) => {
    return kind === undefined || rows <= low + 1 ? lines : capped(lines, kind, low, rowsOf)
  })
}

/** Each run of lines of one kind. */
function runsOf(lines: readonly DiffLine[]): readonly (readonly DiffLine[])[] {
  const runs: DiffLine[][] = []
  for (const line of lines) {
    const open = runs.at(-1)
    if (open?.[0]?.kind === line.kind) open.push(line)
    else runs.push([line])
  }
  return runs
}

/** Only what was removed or added is shortened. */
function changeIn([first]: readonly DiffLine[]): 'added' | 'removed' | undefined {
  return first?.kind === 'added' || first?.kind === 'removed' ? first.kind : undefined
}

/** The beginning of a run, in so many rows; a line that is too long for all of them is still better than nothing. */
function capped(
  run: readonly DiffLine[],
  what: 'added' | 'removed',
  cap: number,
  rowsOf: (line: DiffLine) => number,
): readonly DiffLine[] {
  let rows = 0
  const over = run.findIndex(line => {
    rows += rowsOf(line)
    return rows > cap
  })
  const kept = Math.max(over, 1)
  return kept === run.length ? run : [...run.slice(0, kept), { kind: 'left-out', what, count: run.length - kept }]
}
