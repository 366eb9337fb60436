import { isSameContent } from '../../model/path-state.ts'
import type { Change } from '../../model/plan.ts'
import { count, grouped } from '../text/count.ts'
import type { Style } from '../text/style.ts'
import { LONG } from './code-line.ts'
import { diffLines } from './diff-lines.ts'
import type { FileDiff, Moves } from './file-diffs.ts'
import { ALL, type PaintedLine, paintLines } from './paint-lines.ts'

/** The whole diff, for a pager, without cuts. */
export function renderDiff(changes: readonly Change[], style: Style, moves: Moves = 'followed'): string {
  const files = diffLines(changes, moves).map(({ lines }) => lines)
  if (files.length === 0) return nothing(style)
  return paintLines(files, style, ALL)
    .map(painted => rowsOf(painted).join('\n'))
    .join('\n\n')
}

interface ShortDiffOptions {
  readonly where?: string
  readonly moves?: Moves
  readonly secret?: ReadonlySet<string>
}

interface ShortDiff {
  readonly text: string
  /** Nothing is left out, and each file has its heading. */
  readonly isWhole: boolean
  readonly unseen: readonly Unseen[]
}

/** A file that is not shown whole, and in words what is missing. */
export interface Unseen {
  readonly path: string
  readonly what: string
}

/** A file with one changed line, the three around it on either side, and a blank row below. */
const LEAST = 10

/**
 * The diff in at most this many rows, for above a question: the beginning of each file, and not all of the first. It
 * says where something is left out, and where to see it. An empty `where` names no place. Of the files in `secret` it shows
 * only the headings.
 */
export function renderShortDiff(
  changes: readonly Change[],
  style: Style,
  most: number,
  { where = 'd shows all', moves = 'followed', secret = new Set() }: ShortDiffOptions = {},
): ShortDiff {
  const files = diffLines(changes, moves)
  if (files.length === 0) return { text: nothing(style), isWhole: true, unseen: [] }
  const more = (words: string) => style.paint.meta(`  ${style.sign.gap} ${words}${where && `: ${where}`}`)
  // Lines that cannot have room are never painted, and no line takes the room of all others.
  const begun = files.slice(0, most).map(({ file, lines }) => lines.slice(0, secret.has(file.path) ? 1 : most + 1))
  const painted = paintLines(begun, style, Math.min(LONG, (style.width * most) >> 2))
  // A blank row follows each file, but not the last.
  const share = fairShare(
    painted.map(lines => rowsOf(lines).length + Math.sign(cutIn(lines)) + 1),
    most + 1,
  )
  let room = share < LEAST ? most - 1 : most + 1
  const blocks: string[] = []
  const unseen: Unseen[] = []
  let isWhole = true
  for (const [index, { file, lines }] of files.entries()) {
    const shown = beginning(painted[index] ?? [], lines.length, Math.min(Math.max(LEAST, share), room) - 1)
    const left = missing(lines.length - shown.length, cutIn(shown))
    if (shown.length > 0) {
      const rows = [...rowsOf(shown), ...(left === '' ? [] : [more(left)])]
      blocks.push(rows.join('\n'))
      room -= rows.length + 1
    }
    if (left !== '') isWhole = false
    const what = whyNever(file) ?? left
    if (what !== '') unseen.push({ path: file.path, what })
  }
  const others = files.length - blocks.length
  if (others > 0) blocks.push(more(count(others, 'more file')))
  return { text: blocks.join('\n\n'), isWhole, unseen }
}

function nothing(style: Style): string {
  return style.paint.meta('  no differences')
}

function rowsOf(lines: readonly PaintedLine[]): readonly string[] {
  return lines.flatMap(({ rows }) => rows)
}

function cutIn(lines: readonly PaintedLine[]): number {
  return lines.filter(({ isCut }) => isCut).length
}

/** The most rows that each may have so that all have room: small ones leave what they do not need to the others. */
function fairShare(sizes: readonly number[], room: number): number {
  let left = room
  for (const [index, size] of [...sizes].sort((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - index))
    if (size > share) return share
    left -= size
  }
  return Number.POSITIVE_INFINITY
}

/** The first lines of a file that has `lines` in all, as far as there is room; one row says what is missing. */
function beginning(painted: readonly PaintedLine[], lines: number, room: number): readonly PaintedLine[] {
  const isWhole = painted.length === lines && cutIn(painted) === 0
  if (isWhole && rowsOf(painted).length <= room) return painted
  let left = room - 1
  const over = painted.findIndex(({ rows }) => {
    left -= rows.length
    return left < 0
  })
  return over < 0 ? painted : painted.slice(0, over)
}

/** `4,997 more lines, 1 cut`: it has to fit on a narrow screen. */
function missing(hidden: number, cut: number): string {
  if (hidden === 0) return cut === 0 ? '' : `${count(cut, 'line')} cut`
  return `${count(hidden, 'more line')}${cut === 0 ? '' : `, ${grouped(cut)} cut`}`
}

/** Why not even the full diff shows a content. A deleted content leaves nothing to review. */
function whyNever({ before, after, compared: { lines, notes } }: FileDiff): string | undefined {
  if (lines !== undefined || after?.kind !== 'file' || isSameContent(before, after)) return undefined
  return `${notes.join(', ')}; nothing shows it`
}

/** A longer diff is for the pager. */
const MOST = 40

/** The rows that the screen has for a diff beside these `others`. A diff of fewer than `least` says nothing. */
export function diffRoom({ rows }: Style, others: number, least: number): number {
  return Math.min(MOST, Math.max(least, rows - others))
}
