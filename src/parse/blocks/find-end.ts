import { afterLine, type Line, type Seek } from '../lines/lines.ts'
import { endMarkerAbove, isMarker, startMarker } from '../lines/marker.ts'
import { type Fence, type NextFence, secondHalf } from './fence.ts'
import { beginsControl, seemsToOpenFile, surelyOpens } from './opening.ts'

/** Where a block ends. */
export interface BlockEnd {
  /** Where its text ends: at its END line, or at the fence. */
  readonly to: number
  /** Where the response goes on. */
  readonly after: number
  /**
   * `end`: END and fence. `bare`: a fence alone. `glued`: a fence behind the last line's text.
   * `open`: it never ends, and what follows may belong to it.
   */
  readonly how: 'end' | 'bare' | 'glued' | 'open'
  /** Another reading was possible: the block may be a part of what the answer held. */
  readonly unsure?: true
  /** The fences inside do not come out even. */
  readonly uneven?: true
  /** How far the fence that closes it is indented. */
  readonly indent?: number
  /** The fence that opens the next block, where the two were run together on one line. */
  readonly next?: Fence
}

/** A block that waits for its end. */
export interface OpenBlock {
  readonly text: string
  readonly nextFence: NextFence
  readonly fence: Fence
  /** Where its text begins. */
  readonly from: number
  /** Every line has a sign in front: a fence that stands further in is one of them. */
  readonly isSigned: boolean
  /** Its START has no comment sign, so its END may have none. */
  readonly bareMarkers: boolean
  /** Answers where the next control block without a fence begins. */
  readonly nextBareControl: Seek
  readonly patience: Patience
}

/** How much may still be read ahead in vain: a few times the text, so that damage costs linear time. */
export interface Patience {
  /** For fences that nest. */
  nested: number
  /** For the fence that closes a block without START where none nest. */
  plain: number
}

/**
 * Finds the END that closes a block which began with START.
 *
 * A file may hold fences and markers of its own, so fences are counted as they nest. Where the count does not come
 * out, the block ends before the next one begins: at its last END with a fence, or, without any, at the fence that is
 * left over.
 */
export function findEnd(block: OpenBlock): BlockEnd {
  for (const strict of [true, false]) {
    if (block.patience.nested <= 0) break
    const nested = nestedEnd(block, strict)
    if (nested !== undefined) return strict ? nested : { ...nested, unsure: true }
    block.patience.nested -= block.text.length - block.from
  }
  return { ...nearestEnd(block), unsure: true }
}

/** A fence that stands open: the block's own, or one inside of it. */
interface Open {
  readonly length: number
  readonly hasStart: boolean
  /** It closes below its own END alone. */
  readonly needsEnd: boolean
  /** The one that it stands in; none where it is the block's own. */
  readonly around: Open | undefined
  /** The outermost one inside of the block is bare: nothing but the count says that it opened something. */
  readonly isUnexplained: boolean
}

/**
 * The first END outside of all inner fences whose next filled line closes the block.
 *
 * A fence closes the innermost one that stands open, or else it opens one. At first (`strict`), inner blocks with START are
 * held to the same rule, and need their own END before they close. Where that does not come out, the file shows fragments of
 * such blocks, and any bare fence closes an inner one; but then a block that begins while an unexplained bare fence stands
 * open is the next one: this one lost its END. Fences of the other sign do not count, nor do shorter ones.
 */
function nestedEnd(block: OpenBlock, strict: boolean): BlockEnd | undefined {
  const { text, fence } = block
  let inmost: Open = { length: fence.length, hasStart: true, needsEnd: true, around: undefined, isUnexplained: false }
  let mayHaveEnded = false
  let isUneven = false

  for (const next of fencesOfSign(block)) {
    if (next.length < inmost.length) continue
    if (losesEnd(text, next, inmost, strict)) return undefined
    const isClosed = closes(block, next, inmost, strict)
    if (isClosed) {
      if (inmost.around === undefined) return endOf(block, next, isUneven)
      mayHaveEnded ||= mayEndAt(block, next, inmost)
      inmost = inmost.around
    }
    if (opens(next, isClosed)) {
      inmost = opened(text, next, inmost, strict)
      isUneven ||= isAnother(text, next, mayHaveEnded)
    }
  }
  return undefined
}

function opens({ kind }: Fence, isClosed: boolean): boolean {
  return kind === 'open' || (kind === 'bare' && !isClosed)
}

function losesEnd(text: string, fence: Fence, { isUnexplained }: Open, strict: boolean): boolean {
  return !strict && isUnexplained && fence.kind === 'open' && surelyOpens(text, fence)
}

function isAnother(text: string, fence: Fence, mayHaveEnded: boolean): boolean {
  return mayHaveEnded && beginsAnother(text, fence)
}

function endOf(block: OpenBlock, fence: Fence, isUneven: boolean): BlockEnd | undefined {
  const end = endBelowMarker(block, fence, block.fence.length)
  return isUneven && end !== undefined ? { ...end, uneven: true } : end
}

/** An END without a START may be the file's own: then the block ended here, and a file that begins below is another one. */
function mayEndAt(block: OpenBlock, fence: Fence, { hasStart, length }: Open): boolean {
  return !hasStart && endBelowMarker(block, fence, length) !== undefined
}

/** The innermost one closes below its END, where it needs one; else at any fence that opens nothing. */
function closes(block: OpenBlock, next: Fence, inmost: Open, strict: boolean): boolean {
  if (inmost.needsEnd) return endBelowMarker(block, next, inmost.length) !== undefined
  return (
    next.kind === 'tail' || (next.kind === 'bare' && !(strict && startMarker(block.text, next.end + 1) !== undefined))
  )
}

function opened(text: string, { kind, length, end }: Fence, around: Open, strict: boolean): Open {
  const hasStart = startMarker(text, end + 1) !== undefined
  return {
    length,
    hasStart,
    needsEnd: strict && hasStart,
    around,
    isUnexplained: around.around === undefined ? kind === 'bare' : around.isUnexplained,
  }
}

/**
 * The end that lies nearest before the next block or the control block: the last END with a fence. Without any, the bare
 * fence that the inner ones leave over; a fence below END that is too short; one that is glued to a line.
 */
function nearestEnd(block: OpenBlock): BlockEnd {
  const { text, fence, from, nextBareControl } = block
  let stop = Math.min(text.length, nextBareControl(from))
  let pair: BlockEnd | undefined
  let shortPair: BlockEnd | undefined
  let glued: BlockEnd | undefined

  for (const next of fencesOfSign(block)) {
    if (next.start >= stop || pair?.next !== undefined) break
    const end = endBelowMarker(block, next, fence.length)
    if (end !== undefined) pair = end
    else if (beginsAnother(text, next)) stop = next.start
    else if (next.kind === 'glued') glued = gluedTo(text, next)
    else if (next.kind === 'bare') shortPair = endBelowMarker(block, next, next.length) ?? shortPair
  }

  if (pair !== undefined) return { ...pair, uneven: true }
  return leftOver(block, stop) ?? shortPair ?? glued ?? openUpTo(stop)
}

/** The bare fence outside of inner ones that has no partner: two in a row are the content's own pair. */
function leftOver(block: OpenBlock, stop: number): BlockEnd | undefined {
  let first: Fence | undefined
  let unpaired: Fence | undefined
  for (const { next, isOutside } of counted(block, true)) {
    if (next.start >= stop) break
    if (next.kind !== 'bare' || !isOutside) continue
    first ??= next
    unpaired = unpaired === undefined ? next : undefined
  }
  const bare = unpaired ?? first
  return bare === undefined ? undefined : closedBy(block.text, bare, bare.length)
}

/**
 * Finds the end of a block without START: the first bare fence outside of inner ones.
 *
 * Only in a block that may be a file do inner fences nest. Where none is found, what begins below is no part of it.
 */
export function findPlainEnd(block: OpenBlock, mayBeFile: boolean): BlockEnd {
  const { text, fence, patience } = block
  const nests = mayBeFile && patience.nested > 0
  if (!nests && patience.plain <= 0) return firstPlainEnd(block)
  const closing = plainClosing(block, nests)
  if (closing !== undefined) return closedBy(text, closing, fence.length)
  if (nests) patience.nested -= text.length - fence.end
  return nearestPlainEnd(block, nests)
}

/** A START or a control block is never inside of it, nor is a file, but for one without START where fences nest. */
function plainClosing(block: OpenBlock, nests: boolean): Fence | undefined {
  const { text, fence } = block
  for (const { next, isOutside } of counted(block, nests)) {
    if (beginsAnother(text, next)) {
      if (mayBeTwo(next, fence.length)) return next
      if (!nests || !seemsToOpenFile(text, next) || startMarker(text, next.end + 1) !== undefined) return undefined
    }
    const isDeeper = next.at - next.start > fence.at - fence.start + 3
    if (isOutside && next.kind === 'bare' && !isDeeper) return next
  }
  return undefined
}

/** The first fence that may be its end, though glued to a line or counted as an inner one's; else where another begins. */
function nearestPlainEnd(block: OpenBlock, nests: boolean): BlockEnd {
  const { text, fence } = block
  let stop = text.length
  let glued: Fence | undefined
  for (const { next, isOutside } of counted(block, nests)) {
    if (beginsAnother(text, next)) {
      stop = next.start
      break
    }
    if (next.kind === 'bare' && !isOutside) {
      return glued === undefined ? { ...closedBy(text, next, fence.length), uneven: true } : gluedTo(text, glued)
    }
    if (next.kind === 'glued' && isOutside) glued ??= next
  }
  if (!nests) block.patience.plain -= stop - fence.end
  stop = Math.min(stop, otherSignBelow(block, stop), bareControlBelow(block))
  return glued !== undefined && glued.start < stop ? gluedTo(text, glued) : openUpTo(stop)
}

/** The first place where it may end at all, for a text full of blocks that nothing closes. */
function firstPlainEnd(block: OpenBlock): BlockEnd {
  const { text, fence } = block
  const stop = bareControlBelow(block)
  for (const next of fencesBelow(block)) {
    if (next.start >= stop) break
    if (next.kind === 'glued') return gluedTo(text, next)
    if (beginsAnother(text, next)) return openUpTo(next.start)
    const isOwn = next.sign === fence.sign && next.length >= fence.length
    if (isOwn && next.kind === 'bare') return closedBy(text, next, fence.length)
  }
  return openUpTo(stop)
}

/** Where a block surely begins with a fence of the other sign. */
function otherSignBelow(block: OpenBlock, before: number): number {
  for (const next of fencesBelow(block)) {
    if (next.start >= before) break
    if (next.sign !== block.fence.sign && surelyOpens(block.text, next)) return next.start
  }
  return before
}

/** Where a control block without a fence begins below a block that is none itself. */
function bareControlBelow({ text, fence, nextBareControl }: OpenBlock): number {
  const control = nextBareControl(fence.end)
  const isOwn = control - fence.end < 4000 && text.slice(fence.end, control).split('\n').every(isBeforeId)
  return isOwn || beginsControl(text, fence.end + 1) ? text.length : control
}

/** What may stand in a control block above its `projectId`: other keys, what they hold, comments. */
function isBeforeId(line: string): boolean {
  return line === '' || /^(?:[ \t{]|---|#|\/\/|[-*] |["']?[A-Za-z_][\w-]{0,60}["']? ?[:\uff1a])/.test(line)
}

function* fencesBelow({ nextFence, from, fence, isSigned }: OpenBlock): Generator<Fence> {
  for (let next = nextFence(from); next !== undefined; next = nextFence(next.end)) {
    if (!isSigned || next.at - next.start <= fence.at - fence.start) yield next
  }
}

function* fencesOfSign(block: OpenBlock): Generator<Fence> {
  for (const next of fencesBelow(block)) if (next.sign === block.fence.sign) yield next
}

/** The fences that are long enough to close a block, and all that are glued, each with its place among the inner ones. */
function* counted(block: OpenBlock, nests: boolean): Generator<{ readonly next: Fence; readonly isOutside: boolean }> {
  const { sign, length } = block.fence
  const step = { open: nests ? 1 : 0, bare: -1, tail: -1, glued: 0 }
  let depth = 0
  for (const next of fencesBelow(block)) {
    if (next.kind !== 'glued' && (next.sign !== sign || next.length < length)) continue
    yield { next, isOutside: depth === 0 }
    depth = Math.max(0, depth + step[next.kind])
  }
}

/** Tells whether a fence opens a block that is no part of another one's text: with START, with a path, or the control block. */
function beginsAnother(text: string, fence: Fence): boolean {
  return surelyOpens(text, fence) || seemsToOpenFile(text, fence)
}

/** The end at a fence of so many signs right below END: with nothing behind it, or run together with the next opening one. */
function endBelowMarker(block: OpenBlock, fence: Fence, length: number): BlockEnd | undefined {
  const mayClose = fence.kind === 'open' ? mayBeTwo(fence, length) : fence.kind !== 'tail' && fence.length >= length
  const end = mayClose ? endAbove(block, fence) : undefined
  return end === undefined ? undefined : closedBy(block.text, fence, length, end)
}

/** Tells whether a fence is long enough for one that closes and one that opens, run together at the margin. */
function mayBeTwo(fence: Fence, length: number): boolean {
  return fence.length >= length + 3 && fence.at === fence.start
}

/** The END line above a fence, or in front of it where the two were run together: `// END` and the fence in one line. */
function endAbove({ text, from, bareMarkers }: OpenBlock, fence: Fence): Line | undefined {
  if (fence.kind !== 'glued') return endMarkerAbove(text, fence.start, from, bareMarkers)
  const line = { start: fence.start, end: fence.at }
  return isMarker(text, line, 'END', bareMarkers) ? line : undefined
}

function closedBy(text: string, fence: Fence, length: number, end?: Line): BlockEnd {
  const to = end?.start ?? fence.start
  const how = end === undefined ? 'bare' : 'end'
  const runTogether =
    fence.length >= length + 3 && (fence.kind === 'open' || startMarker(text, fence.end + 1) !== undefined)
  const indent = fence.at - fence.start
  return runTogether
    ? { to, how, after: fence.start, next: secondHalf(text, fence, length) }
    : { to, how, after: afterLine(text, fence.end), indent }
}

function gluedTo(text: string, fence: Fence): BlockEnd {
  return { to: fence.at, after: afterLine(text, fence.end), how: 'glued' }
}

function openUpTo(stop: number): BlockEnd {
  return { to: stop, after: stop, how: 'open' }
}
