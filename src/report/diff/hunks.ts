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

/** `number` counts from 1: in the old text for what is removed, in the new one for the rest. */
export interface TextLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly number: number
  readonly text: string
}

/** How a diff marks each kind of line. */
export const SIGN = { same: ' ', added: '+', removed: '-' } as const

/** The lines of a hunk in the order in which every diff has them. */
export function* linesOfHunk(hunk: Hunk, before: readonly string[], after: readonly string[]): Generator<TextLine> {
  let at = hunk.afterStart
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunk.differences) {
    yield* stretch('same', after, at, afterStart)
    yield* stretch('removed', before, beforeStart, beforeEnd)
    yield* stretch('added', after, afterStart, afterEnd)
    at = afterEnd
  }
  yield* stretch('same', after, at, hunk.afterEnd)
}

function* stretch(kind: TextLine['kind'], texts: readonly string[], from: number, to: number): Generator<TextLine> {
  for (let at = from; at < to; at++) yield { kind, number: at + 1, text: texts[at] ?? '' }
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
