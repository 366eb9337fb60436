import type { Block } from '../blocks/find-blocks.ts'
import type { Guess } from '../blocks/guess-paths.ts'
import type { Summary } from '../control/read-summary.ts'
import { afterLine, type Line, nextFilledLine, previousFilledLine, type Span } from '../lines/lines.ts'
import {
  endMarkerAbove,
  isDeleteDirective,
  isNearlyDeleteDirective,
  isNearlyMarker,
  isOneRemark,
  isPairOfMarkers,
} from '../lines/marker.ts'

/** A block, and where it stands. */
export interface Placed {
  readonly block: Block
  /** 1-based line of its opening fence. */
  readonly line: number
}

/** What surely says what becomes of a path; other blocks of the same path may only quote. */
export interface Others {
  /** The last block with START. */
  readonly marked: Map<string, Block>
  /** Paths with a block that deletes them. */
  readonly deleted: Set<string>
}

/** A block that is meant for a path, and what tells whether and how it is that file. */
export interface Meant extends Placed {
  readonly path: string
  /** The words that the path was read from. */
  readonly said: string
  /** The change summary says that it is edited or new. */
  readonly saysChange: boolean
  /** Those may be about another file. */
  readonly isLoose: boolean
  /** What stands below START, or in all of it. */
  readonly span: Span
  readonly isDelete: boolean
  /** It speaks of deleting the file, but not in the words that do it. */
  readonly isNearlyDelete: boolean
  /** END, where there is no START. */
  readonly loneEnd: Line | undefined
  /** What stands between a first and a last line that are not quite START and END. */
  readonly nearly: Span | undefined
  /** Below START, a last line that is not quite END. */
  readonly nearEnd: Line | undefined
}

/** Reads what a block for this path is meant as; whether it can be taken as that is judged later. */
export function meantFor(
  path: string,
  guess: Guess | undefined,
  text: string,
  { block, line }: Placed,
  summary: Summary,
  { deleted }: Others,
): Meant {
  const from = guess?.contentFrom ?? block.contentFrom
  const to = Math.max(from, block.body.to)
  const span = { from, to }
  const isToGo = summary.onlyDeletes(path)
  const isDelete = block.isDelete || isDeleteDirective(text, from, to, isToGo)
  // A fence that is glued to END stands within its line.
  const fence = block.how === 'glued' ? to + 1 : to
  return {
    block,
    line,
    path,
    said: guess?.said ?? block.info,
    saysChange: summary.onlyWrites(path),
    isLoose: guess?.isLoose === true,
    span,
    isDelete,
    isNearlyDelete:
      !isDelete &&
      (isNearlyDeleteDirective(text, from, to) || (isToGo && !deleted.has(path) && isOneRemark(text, from, to))),
    loneEnd: block.hasStart || block.how === 'open' ? undefined : endMarkerAbove(text, fence, from, false),
    nearly: block.hasStart ? undefined : betweenNearMarkers(text, span, path),
    nearEnd: block.hasStart && block.how === 'bare' ? nearEndIn(text, span, path) : undefined,
  }
}

/** What stands between a first and a last line that were meant to be the markers. */
function betweenNearMarkers(text: string, span: Span, path: string): Span | undefined {
  const first = nextFilledLine(text, span.from, span.to)
  const last = previousFilledLine(text, span.to, span.from)
  if (first === undefined || last === undefined || last.start <= first.start) return undefined
  const areMarkers =
    isPairOfMarkers(text, first, last) ||
    (isNearlyMarker(text, first, 'START', path) && isNearlyMarker(text, last, 'END', path))
  return areMarkers ? { from: afterLine(text, first.end), to: last.start } : undefined
}

/** The last line, where it was meant to be END. */
function nearEndIn(text: string, span: Span, path: string): Line | undefined {
  const last = previousFilledLine(text, span.to, span.from)
  return last !== undefined && isNearlyMarker(text, last, 'END', path) ? last : undefined
}

/** Its markers are not quite START and END. */
export function isNearlyMarked({ nearly, nearEnd }: Meant): boolean {
  return (nearly ?? nearEnd) !== undefined
}

/** The block only shows something: it neither says itself that it is the file, nor is it the one that the summary means. */
export function isQuotation(
  { block, path, isDelete, isNearlyDelete, loneEnd, nearly }: Meant,
  summary: Summary,
  { marked }: Others,
  isEdit: (path: string) => boolean,
): boolean {
  const isMarked = block.hasStart || loneEnd !== undefined || (nearly !== undefined && block.path !== undefined)
  if (isMarked || isDelete || isNearlyDelete) return false
  if (!summary.names(path) || summary.onlyDeletes(path)) return true
  // A marked block of the same path is the file; this one quotes from it, or edits it.
  return (marked.get(path)?.start ?? 0) > block.start && !isEdit(path)
}
