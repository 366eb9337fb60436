import type { Difference } from '../../lines/compare-lines.ts'

/**
 * A stretch of both texts with at least one difference, and equal lines around it. Line numbers begin at 0, ends are
 * exclusive.
 */
export interface Hunk extends Difference {
  readonly differences: readonly Difference[]
}

const CONTEXT = 3

/** Joins differences whose surroundings touch into one hunk. `length`: the number of lines of the new text. */
export function hunksOf(differences: readonly Difference[], length: number): readonly Hunk[] {
  const hunks: Hunk[] = []
  let open: Difference[] = []
  for (const [index, difference] of differences.entries()) {
    open.push(difference)
    const next = differences[index + 1]
    if (next !== undefined && next.afterStart - difference.afterEnd <= 2 * CONTEXT) continue
    hunks.push(around(open, length))
    open = []
  }
  return hunks
}

/**
 * A line with its numbers, which count from 1. An added line has none in the old text, a removed line none in the
 * new.
 */
export interface TextLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly old: number | undefined
  readonly now: number | undefined
  readonly text: string
}

export const SIGN = { same: ' ', added: '+', removed: '-' } as const

/** The lines of a hunk, in the order of every diff. */
export function* linesOfHunk(hunk: Hunk, before: readonly string[], after: readonly string[]): Generator<TextLine> {
  let [old, now] = [hunk.beforeStart, hunk.afterStart]
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunk.differences) {
    while (now < afterStart) yield { kind: 'same', old: ++old, now: ++now, text: after[now - 1] ?? '' }
    for (old = beforeStart; old < beforeEnd; ) {
      yield { kind: 'removed', old: ++old, now: undefined, text: before[old - 1] ?? '' }
    }
    while (now < afterEnd) yield { kind: 'added', old: undefined, now: ++now, text: after[now - 1] ?? '' }
  }
  while (now < hunk.afterEnd) yield { kind: 'same', old: ++old, now: ++now, text: after[now - 1] ?? '' }
}

/** The place of a hunk in a patch: `@@ -7,6 +7,8 @@`. */
export function hunkRange({ beforeStart, beforeEnd, afterStart, afterEnd }: Hunk): string {
  return `@@ -${span(beforeStart, beforeEnd)} +${span(afterStart, afterEnd)} @@`
}

/** The first line and the number of lines; for no line, the line before. */
function span(start: number, end: number): string {
  const length = end - start
  return length === 1 ? `${start + 1}` : `${length === 0 ? start : start + 1},${length}`
}

function around(differences: readonly Difference[], length: number): Hunk {
  const first = differences[0] as Difference
  const last = differences.at(-1) as Difference
  const above = Math.min(CONTEXT, first.afterStart)
  const below = Math.min(CONTEXT, length - last.afterEnd)
  return {
    beforeStart: first.beforeStart - above,
    beforeEnd: last.beforeEnd + below,
    afterStart: first.afterStart - above,
    afterEnd: last.afterEnd + below,
    differences,
  }
}
