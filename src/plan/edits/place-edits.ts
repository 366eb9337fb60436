import type { Edits, Hunk, Problem } from '../../model/response.ts'
import { bytesOf, type EditedText, editedText, endOfLine, splitText } from './edited-text.ts'
import { finderOf } from './find-place.ts'
import { misplaced } from './misplaced.ts'
import { type PlacedHunk, placeHunk, type Swap } from './place-hunk.ts'

export type PlacedEdits =
  | {
      readonly kind: 'placed'
      readonly bytes: Uint8Array
      /** How many of the edits were there already, and were left out. */
      readonly already: number
      /** How many there are. */
      readonly count: number
    }
  | { readonly kind: 'refused'; readonly problems: readonly [Problem, ...Problem[]] }

/**
 * Puts edits into a file, or refuses all of them: every edit has a place that is certain, or nothing is changed.
 *
 * One whose result stands there is left out. Where others of the file apply, its place must be certain for that, too: the same
 * text may stand elsewhere, and half of a change would be made.
 *
 * `before` is the file's bytes, or `null` where there is none. What no edit names keeps its bytes: line ends, byte order mark,
 * final newline, indentation, encoding. Lines that come get the line end of what they replace, or of the line above.
 */
export function placeEdits(path: string, { blocks }: Edits, before: Uint8Array | null): PlacedEdits {
  let file = before === null ? undefined : editedText(before)
  let already = 0
  const uncertain: Problem[] = []
  for (const hunks of blocks) {
    const placed = placeBlock(path, hunks, file)
    if (placed.kind === 'refused') return placed
    already += placed.already
    uncertain.push(...placed.uncertain)
    file = placed.file
  }
  const count = blocks.reduce((sum, hunks) => sum + hunks.length, 0)
  if (already < count && uncertain.length > 0) return refuse(uncertain)
  if (file === undefined || already === count)
    return { kind: 'placed', bytes: before ?? new Uint8Array(), already, count }
  return { kind: 'placed', bytes: bytesOf(wholeOf(file), file.isBytes), already, count }
}

type PlacedBlock =
  | {
      readonly kind: 'placed'
      readonly file: EditedText | undefined
      readonly already: number
      /** What speaks against edits that are there already, where others apply. */
      readonly uncertain: readonly Problem[]
    }
  | Extract<PlacedEdits, { readonly kind: 'refused' }>

function placeBlock(path: string, hunks: readonly Hunk[], file: EditedText | undefined): PlacedBlock {
  const [whole] = hunks
  if (whole !== undefined && hunks.length === 1 && isWhole(whole, file)) return placeWhole(path, whole, file)
  if (file === undefined) return refuse(hunks.slice(0, 1).map(hunk => misplaced(path, hunk, { kind: 'absent' }, [])))
  if (file.text.includes('\0'))
    return refuse(hunks.slice(0, 1).map(hunk => misplaced(path, hunk, { kind: 'binary' }, [])))

  const { placed, there, problems, uncertain } = placeEach(path, hunks, file)
  problems.push(...overlaps(path, [...placed, ...there], file))
  if (file.isBytes) problems.push(...unheld(path, placed))
  if (problems.length > 0) return refuse(problems)
  const after = placed.length === 0 ? file : withSwaps(file, placed)
  return { kind: 'placed', file: after, already: there.length, uncertain }
}

function placeEach(path: string, hunks: readonly Hunk[], { lines }: EditedText) {
  const finder = finderOf(lines)
  const placed: PlacedHunk[] = []
  const there: PlacedHunk[] = []
  const problems: Problem[] = []
  const uncertain: Problem[] = []
  for (const hunk of hunks) {
    const placing = placeHunk(hunk, lines, finder)
    if (placing.kind === 'placed') placed.push(placing.placed)
    else if (placing.kind !== 'already') problems.push(misplaced(path, hunk, placing, lines))
    else {
      there.push(placing.placed)
      if (placing.unless !== undefined) uncertain.push(misplaced(path, hunk, placing.unless, lines))
    }
  }
  return { placed, there, problems, uncertain }
}

function refuse(problems: readonly Problem[]): Extract<PlacedEdits, { readonly kind: 'refused' }> {
  const [first, ...more] = problems
  if (first === undefined) throw new Error('Nothing to refuse')
  return { kind: 'refused', problems: [first, ...more] }
}

/** Its lines are all that the file is to have: it says so, or there is nothing else. */
function isWhole({ lines, isNew }: Hunk, file: EditedText | undefined): boolean {
  return (
    isNew === true || ((file === undefined || file.lines.length === 0) && lines.every(line => line.startsWith('+')))
  )
}

/** A new file: its lines are all that it has. One that has them already is left alone, and one that has others is not new. */
function placeWhole(path: string, hunk: Hunk, file: EditedText | undefined): PlacedBlock {
  const text = hunk.lines.map(line => `${line.slice(1)}\n`).join('')
  const whole = hunk.finalNewline === false ? text.slice(0, -1) : text
  if (file === undefined || file.lines.length === 0) {
    return { kind: 'placed', file: splitText(`${file?.hasMark ? '\ufeff' : ''}${whole}`), already: 0, uncertain: [] }
  }
  const isThere = file.lines.join('\n') === splitText(whole).lines.join('\n')
  return isThere
    ? { kind: 'placed', file, already: 1, uncertain: [] }
    : refuse([misplaced(path, hunk, { kind: 'exists' }, [])])
}

/** Two edits must not touch what the other one names, but lines that both leave as they are. */
function overlaps(path: string, placed: readonly PlacedHunk[], { lines }: EditedText): readonly Problem[] {
  const named = coverage(placed, lines.length)
  // The gaps between the lines of an edit: the one above a line has the line's number.
  const inside = coverage(
    placed.map(({ from, to }) => ({ from: from + 1, to })),
    lines.length,
  )
  const filled = new Set<number>()
  const isTaken = ({ at, gone }: Swap, { from, to }: PlacedHunk) => {
    for (let line = at; line < at + gone; line++) if ((named[line] ?? 0) > 1) return true
    return gone === 0 && (filled.has(at) || (inside[at] ?? 0) > (from < at && at < to ? 1 : 0))
  }
  for (const each of placed) {
    for (const swap of each.swaps) {
      if (isTaken(swap, each)) return [misplaced(path, each.hunk, { kind: 'overlap', at: swap.at }, lines)]
      if (swap.gone === 0) filled.add(swap.at)
    }
  }
  return []
}

/** How many of the ranges hold each line. */
function coverage(
  ranges: readonly { readonly from: number; readonly to: number }[],
  length: number,
): readonly number[] {
  const steps = new Array<number>(length + 2).fill(0)
  for (const { from, to } of ranges) {
    if (from >= to) continue
    steps[from] = (steps[from] ?? 0) + 1
    steps[to] = (steps[to] ?? 0) - 1
  }
  let sum = 0
  return steps.map(step => {
    sum += step
    return sum
  })
}

/** What a file that is not UTF-8 cannot be given, for nobody knows its encoding. */
function unheld(path: string, placed: readonly PlacedHunk[]): readonly Problem[] {
  const foreign = placed.find(({ swaps }) => swaps.some(({ come }) => come.some(line => /[^\0-\x7f]/.test(line))))
  return foreign === undefined ? [] : [misplaced(path, foreign.hunk, { kind: 'encoding' }, [])]
}

function withSwaps(file: EditedText, placed: readonly PlacedHunk[]): EditedText {
  const { text, starts, lines } = file
  const swaps = placed.flatMap(each => each.swaps).sort((a, b) => a.at - b.at || a.gone - b.gone)
  const parts: string[] = []
  let done = 0
  for (const swap of swaps) {
    const start = starts[swap.at] ?? text.length
    if (start > done) parts.push(text.slice(done, start))
    const end = endFor(swap, file)
    for (const line of swap.come) parts.push(line, end)
    done = starts[swap.at + swap.gone] ?? text.length
  }
  parts.push(text.slice(done))
  const last = placed.find(({ to, hunk }) => to === lines.length && hunk.finalNewline !== undefined)
  const changed = splitText(parts.join(''), file.isBytes)
  const finalNewline = last?.hunk.finalNewline ?? file.finalNewline
  return { ...changed, hasMark: file.hasMark, finalNewline }
}

/** What ends the lines that come: as the first of those that go, else as the line above, or below. */
function endFor({ at, gone }: Swap, file: EditedText): string {
  if (file.lines.length === 0) return '\n'
  return endOfLine(file, gone > 0 ? at : at > 0 ? at - 1 : 0)
}

/** The text as the file is to hold it. */
function wholeOf({ text, hasMark, finalNewline }: EditedText): string {
  const plain = finalNewline ? text : text.replace(/\r?\n$/, '')
  return hasMark && plain !== '' ? `\ufeff${plain}` : plain
}
