import { compareLines, type Difference } from '../../ground/compare-lines.ts'

/** What a patch made of a file: each of its lines before, and each after, in order. */
export interface Edit {
  readonly before: readonly Place[]
  readonly after: readonly Place[]
}

/** What a patch made of the files that errors are in, by the names that a linter has for them. */
export interface Edits {
  /** What a file is called now: one that was moved takes its errors along. */
  readonly nameNow: (file: string) => string
  /** How a file was edited, by the name that it has now; nothing for one that is as it was. */
  readonly of: (file: string) => Edit | undefined
}

export const noEdits: Edits = { nameNow: file => file, of: () => undefined }

/** Where a line stands. */
export interface Place {
  /** Its number in the file as it is now, from 1; of a line that is gone, about where it would be. */
  readonly line: number
  /** Without the blanks around it, where it is known. */
  readonly text: string | undefined
  /** The stretch of other lines that it belongs to; nothing for a line that stays. */
  readonly stretch: Difference | undefined
  /** No line on the other side has its text. */
  readonly isAlone: boolean
}

/** Tells where the lines of a file were, and are. */
export function editOf(linesBefore: readonly string[], linesAfter: readonly string[]): Edit {
  const [was, is] = [linesBefore, linesAfter].map(lines => lines.map(line => line.trim())) as [string[], string[]]
  const [known, present] = [new Set(was), new Set(is)]
  const before: Place[] = []
  const after: Place[] = []
  const stay = (end: number) => {
    while (before.length < end) {
      const text = was[before.length]
      const place = { line: after.length + 1, text, stretch: undefined, isAlone: false }
      before.push(place)
      after.push(place)
    }
  }
  for (const stretch of compareLines(linesBefore, linesAfter)) {
    const { beforeStart, beforeEnd, afterStart, afterEnd } = stretch
    stay(beforeStart)
    for (const [at, text] of was.slice(beforeStart, beforeEnd).entries()) {
      before.push({ line: Math.min(afterStart + at, afterEnd) + 1, text, stretch, isAlone: !present.has(text) })
    }
    for (const text of is.slice(afterStart, afterEnd)) {
      after.push({ line: after.length + 1, text, stretch, isAlone: !known.has(text) })
    }
  }
  stay(was.length)
  return { before, after }
}
