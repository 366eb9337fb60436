import type { Difference } from '../../lines/compare-lines.ts'

/** A stretch of both texts with at least one difference in it, and the same lines around each; from 0, ends exclusive. */
export interface Hunk extends Difference {
  readonly differences: readonly Difference[]
}

const CONTEXT = 3

/** Puts differences whose surroundings touch into one hunk. `length`: how many lines the new text has. */
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

/** A line with its numbers, which count from 1: what is added has none in the old text, and what is removed none in the new. */
export interface TextLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly old: number | undefined
  readonly now: number | undefined
  readonly text: string
}

/** How a diff marks each kind of line. */
export const SIGN = { same: ' ', added: '+', removed: '-' } as const

/** The lines of a hunk in the order in which every diff has them. */
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

/** A hunk's place as a patch tells it: `@@ -7,6 +7,8 @@`. */
export function hunkRange({ beforeStart, beforeEnd, afterStart, afterEnd }: Hunk): string {
  return `@@ -${span(beforeStart, beforeEnd)} +${span(afterStart, afterEnd)} @@`
}

/** The first line and how many; of none, the line before them. */
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
