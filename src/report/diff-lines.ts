import { type FileDiff, fileDiffs, type Moves, notesOf } from './file-diffs.ts'
import { hunksOf } from './hunks.ts'
import type { PathChange } from './path-change.ts'

/** One line of a diff before it is painted; texts are still as they came. */
export type DiffLine =
  | { readonly kind: 'file'; readonly file: FileDiff }
  | { readonly kind: 'note'; readonly text: string }
  /** Lines that are the same on both sides are left out here. */
  | { readonly kind: 'gap' }
  | TextLine
  /** So many lines of the kind above are left out here. */
  | { readonly kind: 'left-out'; readonly what: 'added' | 'removed'; readonly count: number }
  | { readonly kind: 'blank' }

/** `number` counts from 1: in the old file for what is removed, in the new one for the rest. */
export interface TextLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly number: number
  readonly text: string
}

/** The diff of all changes: a head for each file, then each stretch that differs with three lines around it. */
export function diffLines(changes: readonly PathChange[], moves: Moves): readonly DiffLine[] {
  const lines: DiffLine[] = []
  for (const file of fileDiffs(changes, moves)) {
    if (file.effect === 'none') continue
    if (lines.length > 0) lines.push({ kind: 'blank' })
    lines.push({ kind: 'file', file })
    for (const text of notesOf(file)) lines.push({ kind: 'note', text })
    addHunks(file, lines)
  }
  return lines
}

function addHunks({ compared }: FileDiff, lines: DiffLine[]): void {
  if (compared.lines === undefined) return
  const { before, after } = compared.lines
  const add = (kind: TextLine['kind'], from: number, to: number) => {
    const texts = kind === 'removed' ? before : after
    for (let n = from; n < to; n++) lines.push({ kind, number: n + 1, text: texts[n] ?? '' })
  }
  for (const [index, hunk] of hunksOf(compared.differences, after.length).entries()) {
    if (index > 0) lines.push({ kind: 'gap' })
    let at = hunk.afterStart
    for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunk.differences) {
      add('same', at, afterStart)
      add('removed', beforeStart, beforeEnd)
      add('added', afterStart, afterEnd)
      at = afterEnd
    }
    add('same', at, hunk.afterEnd)
  }
}
