import { countFiles } from '../../lines/find-renames.ts'
import type { Change } from '../../model/plan.ts'
import { type Counts, countsOf } from '../diff/count-words.ts'
import { type FileDiff, fileDiffs, nameOf, notesOf } from '../diff/file-diffs.ts'
import { columnsOf } from '../text/columns-of.ts'
import { count } from '../text/count.ts'
import { cutLine, cutPath, padLine } from '../text/cut-line.ts'
import { moreLine } from '../text/more-line.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'

/** The files of a patch at a glance: one line each, up to twenty, and their sums. */
export interface FileList extends Counts {
  /** Files that change. A file that is already as wanted does not count, and a moved file counts once. */
  readonly files: number
  /** A line for each shown file, with its paths: a renamed file has two. */
  readonly shown: readonly { readonly line: string; readonly paths: readonly string[] }[]
  /** These lines, and one more where files are left out. */
  readonly lines: readonly string[]
}

const MOST = 20

export function fileLines(changes: readonly Change[], style: Style): FileList {
  const files = fileDiffs(changes)
  const shown = files.slice(0, MOST)
  const added = Math.max(...shown.map(({ compared }) => `+${compared.added}`.length), 2)
  const removed = Math.max(...shown.map(({ compared }) => `-${compared.removed}`.length), 2)
  // A few words may stand beside the counts; where they are too long, they get a line of their own.
  const most = Math.max(style.columns - 28, Math.min(24, style.columns - 8 - added - removed))
  const widths = {
    path: Math.min(most, Math.max(...shown.map(file => columnsOf(nameOf(file)) + 2), 22)),
    added,
    removed,
  }
  const listed = shown.map(file => ({
    line: fileLine(file, widths, style),
    paths: [file.path, ...(file.from === undefined ? [] : [file.from])],
  }))
  return {
    files: countFiles(changes),
    ...countsOf(files),
    shown: listed,
    lines: [...listed.map(({ line }) => line), ...moreLine(files.length - shown.length, 'file', style, 2)],
  }
}

interface Widths {
  readonly path: number
  readonly added: number
  readonly removed: number
}

function fileLine(file: FileDiff, widths: Widths, style: Style): string {
  const { paint, sign } = style
  const name = cutPath(nameOf(file), widths.path - 2, sign.cut)
  const colour = { create: paint.ok, modify: paint.path, delete: paint.fail, none: paint.meta }[file.effect]
  const left = `  ${colour(sign[file.effect])} ${padLine(paint.path(name), widths.path)}`
  return `${left}  ${amounts(file, widths, style)}`.trimEnd()
}

function amounts(file: FileDiff, widths: Widths, style: Style): string {
  const { effect, from, compared, edits, merged, isYours } = file
  const { paint, sign } = style
  if (effect === 'none') return paint.meta(isYours === true ? 'your version stays' : 'unchanged')
  const room = style.columns - widths.path - 6
  // Where no line counts, words tell the difference.
  if (!compared.counted || compared.added + compared.removed === 0) {
    const hasOnlyMoved = from !== undefined && compared.notes.length === 0
    const words = hasOnlyMoved
      ? `renamed from ${cutPath(visibleLine(from), Math.max(1, room - 13), sign.cut)}`
      : visibleLine(notesOf(file).join(', '))
    return paint.meta(cutLine(words, room, sign.cut))
  }
  const added = `+${compared.added}`.padStart(widths.added)
  const removed = `-${compared.removed}`.padStart(widths.removed)
  if (effect === 'create') return paint.ok(added)
  if (effect === 'delete') return ' '.repeat(widths.added + 2) + paint.fail(removed)
  const counts = `${paint.ok(added)}  ${paint.fail(removed)}`
  const left = room - widths.added - widths.removed - 4
  if (edits !== undefined && edits.already > 0) {
    return `${counts}  ${paint.meta(cutLine(`${edits.already} of ${count(edits.count, 'edit')} already there`, left, sign.cut))}`
  }
  if (merged !== undefined) {
    return `${counts}  ${paint.meta(cutLine(`merged with your edits since ${merged}`, left, sign.cut))}`
  }
  if (from === undefined) return counts
  return `${counts}  ${paint.meta(`from ${cutPath(visibleLine(from), left - 5, sign.cut)}`)}`
}
