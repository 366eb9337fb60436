import type { Change } from '../../model/plan.ts'
import { type FileDiff, fileDiffs, type Moves, notesOf } from './file-diffs.ts'
import { hunksOf, linesOfHunk, type TextLine } from './hunks.ts'

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

/** The diff of all changes: a head for each file, then each stretch that differs with three lines around it. */
export function diffLines(changes: readonly Change[], moves: Moves): readonly DiffLine[] {
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
  for (const [index, hunk] of hunksOf(compared.differences, after.length).entries()) {
    if (index > 0) lines.push({ kind: 'gap' })
    for (const line of linesOfHunk(hunk, before, after)) lines.push(line)
  }
}
