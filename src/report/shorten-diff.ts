import type { DiffLine } from './diff-lines.ts'

/** Fewer lines of a long row say nothing. */
const LEAST = 3

/**
 * The same diff in at most so many lines, if that can be reached by leaving out the rest of each long row of removed or
 * added lines: who sees only the old half of a rewritten function, or only the first file, has seen nothing.
 */
export function shortenDiff(lines: readonly DiffLine[], most: number): readonly DiffLine[] {
  if (lines.length <= most) return lines
  const rows = rowsOf(lines)
  const others = lines.length - rows.reduce((sum, length) => sum + length, 0)
  const lengthAt = (cap: number) => rows.reduce((sum, length) => sum + Math.min(length, cap + 1), others)
  let [low, high] = [LEAST, Math.max(LEAST, most)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (lengthAt(middle) <= most) low = middle
    else high = middle - 1
  }
  return cappedAt(low, lines)
}

/** How long each row of removed, and of added, lines is. */
function rowsOf(lines: readonly DiffLine[]): readonly number[] {
  const rows: number[] = []
  let kind = ''
  for (const line of lines) {
    if (line.kind === 'added' || line.kind === 'removed') {
      if (line.kind === kind) rows[rows.length - 1] = (rows.at(-1) ?? 0) + 1
      else rows.push(1)
    }
    kind = line.kind
  }
  return rows
}

function cappedAt(cap: number, lines: readonly DiffLine[]): readonly DiffLine[] {
  const short: DiffLine[] = []
  let at = 0
  while (at < lines.length) {
    const line = lines[at] as DiffLine
    let end = at + 1
    if (line.kind === 'added' || line.kind === 'removed') {
      while (lines[end]?.kind === line.kind) end++
      // One line is no longer than the word that it is missing.
      const kept = end - at <= cap + 1 ? end : at + cap
      for (; at < kept; at++) short.push(lines[at] as DiffLine)
      if (kept < end) short.push({ kind: 'left-out', what: line.kind, count: end - kept })
    } else short.push(line)
    at = end
  }
  return short
}
