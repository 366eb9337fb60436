import type { Change } from '../../model/plan.ts'
import { type FileDiff, fileDiffs, type Moves, notesOf } from './file-diffs.ts'
import { hunksOf, linesOfHunk, type TextLine } from './hunks.ts'

/** One line of a diff before it is painted. Its text is not made safe yet. */
export type DiffLine =
  | { readonly kind: 'file'; readonly file: FileDiff }
  | { readonly kind: 'note'; readonly text: string }
  /** Lines that both sides share are left out here. */
  | { readonly kind: 'gap' }
  | TextLine

/** The diff of one file: its head, then each stretch that differs with three lines around it. */
export interface DiffOfFile {
  readonly file: FileDiff
  readonly lines: readonly DiffLine[]
}

/** For all files in which something changes. */
export function diffLines(changes: readonly Change[], moves: Moves): readonly DiffOfFile[] {
  return fileDiffs(changes, moves)
    .filter(({ effect }) => effect !== 'none')
    .map(file => ({ file, lines: [...linesOf(file)] }))
}

function* linesOf(file: FileDiff): Generator<DiffLine> {
  yield { kind: 'file', file }
  for (const text of notesOf(file)) yield { kind: 'note', text }
  if (file.compared.lines === undefined) return
  const { before, after } = file.compared.lines
  for (const [index, hunk] of hunksOf(file.compared.differences, after.length).entries()) {
    if (index > 0) yield { kind: 'gap' }
    yield* linesOfHunk(hunk, before, after)
  }
}
