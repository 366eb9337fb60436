import type { Change } from '../model.ts'
import { columnsOf } from './columns-of.ts'
import { compareFiles, type FileComparison } from './compare-files.ts'
import { count } from './count.ts'
import type { Counts } from './count-words.ts'
import { cutLine, cutPath, padLine } from './cut-line.ts'
import type { Style } from './style.ts'
import { visibleLine } from './visible.ts'

/** A patch's files at a glance: one line each, up to twenty, and what they add up to. */
export interface FileList extends Counts {
  /** Files that change; those that are already as wanted do not count. */
  readonly files: number
  readonly lines: readonly string[]
}

const MOST = 20

export function fileLines(changes: readonly Change[], style: Style): FileList {
  const files = changes.map(change => ({ change, compared: compareFiles(change.before, change.after) }))
  const shown = files.slice(0, MOST)
  const widths = {
    path: Math.min(style.columns - 28, Math.max(...shown.map(({ change }) => columnsOf(nameOf(change)) + 2), 22)),
    added: Math.max(...shown.map(({ compared }) => `+${compared.added}`.length), 2),
    removed: Math.max(...shown.map(({ compared }) => `-${compared.removed}`.length), 2),
  }
  const more = files.length - shown.length
  return {
    files: changes.filter(({ effect }) => effect !== 'none').length,
    added: files.reduce((sum, { compared }) => sum + compared.added, 0),
    removed: files.reduce((sum, { compared }) => sum + compared.removed, 0),
    lines: [
      ...shown.map(({ change, compared }) => fileLine(change, compared, widths, style)),
      ...(more > 0 ? [style.paint.meta(`  ${style.sign.cut} and ${count(more, 'more file')}`)] : []),
    ],
  }
}

interface Widths {
  readonly path: number
  readonly added: number
  readonly removed: number
}

function fileLine(change: Change, compared: FileComparison, widths: Widths, style: Style): string {
  const { paint, sign } = style
  const name = cutPath(nameOf(change), widths.path - 2, sign.cut)
  const colour = { create: paint.ok, modify: paint.path, delete: paint.fail, none: paint.meta }[change.effect]
  const left = `  ${colour(sign[change.effect])} ${padLine(paint.path(name), widths.path)}`
  return `${left}  ${amounts(change, compared, widths, style)}`.trimEnd()
}

function amounts(change: Change, compared: FileComparison, widths: Widths, style: Style): string {
  const { paint } = style
  if (change.effect === 'none') return paint.meta('already so')
  // Without a line to count, the difference is said in words.
  if (compared.added + compared.removed === 0) {
    const room = style.columns - widths.path - 6
    return paint.meta(cutLine(visibleLine(compared.notes.join(', ')), room, style.sign.cut))
  }
  const added = `+${compared.added}`.padStart(widths.added)
  const removed = `-${compared.removed}`.padStart(widths.removed)
  if (change.effect === 'create') return paint.ok(added)
  if (change.effect === 'delete') return ' '.repeat(widths.added + 2) + paint.fail(removed)
  return `${paint.ok(added)}  ${paint.fail(removed)}`
}

/** The path as the response names it, and where it leads when that is somewhere else. */
function nameOf({ path, target }: Change): string {
  return visibleLine(target === path ? path : `${path} -> ${target}`)
}
