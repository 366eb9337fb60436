import { type Fence, type NextFence, secondHalf } from './fence.ts'
import { afterLine, type Line, type Seek } from './lines.ts'
import { endMarkerAbove, isMarker, startMarker } from './marker.ts'
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
export interface Begun {
  readonly text: string
  readonly nextFence: NextFence
  readonly fence: Fence
  /** Where its text begins. */
  readonly from: number
  /** Its START has no comment sign, so its END may have none. */
  readonly bareMarkers: boolean
  /** Answers where the next control block without a fence begins. */
  readonly nextBareControl: Seek
  readonly patience: Patience
}

/** How much may still be read ahead in vain: a few times the text, so that damage costs linear time. */
export interface Patience {
  left: number
}

/**
 * Finds the END that closes a block which began with START.
 *
 * A file may hold fences and markers of its own, so fences are counted as they nest. Where the count does not come
 * out, the block ends before the next one begins: at its last END with a fence, or, without any, at its last fence.
 */
export function findEnd(block: Begun): BlockEnd {
  for (const strict of [true, false]) {
    if (block.patience.left <= 0) break
    const nested = nestedEnd(block, strict)
    if (nested !== undefined) return strict ? nested : { ...nested, unsure: true }
    block.patience.left -= block.text.length - block.from
  }
  return { ...nearestEnd(block), unsure: true }
}

/**
 * The first END outside of all inner fences whose next filled line closes the block.
 *
 * At first, inner blocks with START are held to the same rule, and need their own END before they close. Where that does
 * not come out, the file shows fragments of such blocks, and any bare fence closes an inner one; but then a block that
 * begins while an unexplained bare fence stands open is the next one: this one lost its END. Fences of the other sign do
 * not count.
 */
function nestedEnd({ text, nextFence, fence, from, bareMarkers }: Begun, strict: boolean): BlockEnd | undefined {
  // Open inner fences, innermost last: the length times two, plus one where the inner one needs an END.
  const frames: number[] = []
  let length = fence.length
  let marked = true
  let outermost: Fence | undefined

  const push = (inner: Fence) => {
    if (frames.length === 0) outermost = inner
    length = inner.length
    marked = strict && startMarker(text, inner.end + 1) !== undefined
    frames.push(length * 2 + (marked ? 1 : 0))
  }
  const pop = () => {
    frames.pop()
    const frame = frames.at(-1) ?? fence.length * 2 + 1
    length = frame >> 1
    marked = (frame & 1) === 1
  }

  for (let next = nextFence(from); next !== undefined; next = nextFence(next.end)) {
    if (next.sign !== fence.sign || next.length < length) continue
    const end = marked ? endAbove(text, next, from, bareMarkers) : undefined
    if (end !== undefined && closes(next, length)) {
      if (frames.length === 0) return closedBy(text, next, fence.length, end)
      pop()
      if (next.kind === 'open') push(next)
    } else if (next.kind === 'tail') {
      if (frames.length > 0 && !marked) pop()
    } else if (next.kind === 'open') {
      if (!strict && frames.length > 0 && outermost?.kind === 'bare' && surelyOpens(text, next)) return undefined
      push(next)
    } else if (next.kind === 'bare') {
      if (marked || (strict && startMarker(text, next.end + 1) !== undefined)) push(next)
      else pop()
    }
  }
  return undefined
}

/** The end that lies nearest before the next block or the control block. */
function nearestEnd({ text, nextFence, fence, from, bareMarkers, nextBareControl }: Begun): BlockEnd {
  const control = nextBareControl(from)
  let stop = Math.min(text.length, control)
  let pair: BlockEnd | undefined
  let shortPair: BlockEnd | undefined
  let first: Fence | undefined
  let unpaired: Fence | undefined
  let glued: Fence | undefined
  let depth = 0

  for (let next = nextFence(from); next !== undefined && next.start < stop; next = nextFence(next.end)) {
    if (next.sign !== fence.sign) continue
    const end = endAbove(text, next, from, bareMarkers)
    if (end !== undefined && next.length >= fence.length && closes(next, fence.length)) {
      pair = closedBy(text, next, fence.length, end)
      if (pair.next !== undefined) break
      depth = 0
    } else if (surelyOpens(text, next) || seemsToOpenFile(text, next)) {
      stop = next.start
    } else if (end !== undefined && next.kind === 'bare') {
      shortPair = closedBy(text, next, next.length, end)
    } else if (next.kind === 'glued') {
      glued = next
    } else if (next.length >= fence.length) {
      if (next.kind === 'open') depth++
      else if (depth > 0) depth--
      else if (next.kind === 'bare') {
        first ??= next
        // Two bare fences in a row are the content's own pair; the one that is left over is the block's.
        unpaired = unpaired === undefined ? next : undefined
      }
    }
  }

  if (pair !== undefined) return { ...pair, uneven: true }
  const bare = unpaired ?? first
  if (bare !== undefined) return closedBy(text, bare, bare.length)
  if (shortPair !== undefined) return shortPair
  if (glued !== undefined) return { to: glued.at, after: afterLine(text, glued.end), how: 'glued' }
  return { to: stop, after: stop, how: 'open' }
}

/**
 * Finds the end of a block without START: the first bare fence outside of inner ones.
 *
 * Only in a block that may be a file do inner fences nest. A START or a control block is never inside of it.
 */
export function findPlainEnd(block: Begun, mayBeFile: boolean): BlockEnd {
  const { text, nextFence, fence, patience } = block
  const nesting = mayBeFile && patience.left > 0
  let depth = 0
  let first: Fence | undefined
  let glued: Fence | undefined
  let foreign: Fence | undefined
  let stop = text.length

  for (let next = nextFence(fence.end); next !== undefined; next = nextFence(next.end)) {
    if (next.kind === 'glued') glued ??= depth === 0 && next.start < stop ? next : undefined
    if (next.sign !== fence.sign && foreign === undefined && surelyOpens(text, next)) foreign = next
    const own = next.sign === fence.sign && next.length >= fence.length
    if (!own || next.kind === 'glued') continue

    const file = seemsToOpenFile(text, next)
    if (file || surelyOpens(text, next)) {
      if (next.length >= fence.length + 3 && next.at === next.start) return closedBy(text, next, fence.length)
      stop = Math.min(stop, next.start)
      if (!nesting || !file || startMarker(text, next.end + 1) !== undefined) break
    }
    const deeper = next.at - next.start > fence.at - fence.start + 3
    if (next.kind === 'open') {
      if (nesting) depth++
    } else if (depth > 0) {
      if (next.start < stop && next.kind === 'bare') first ??= next
      depth--
    } else if (next.kind === 'bare' && !deeper) return closedBy(text, next, fence.length)
  }

  if (nesting) patience.left -= text.length - fence.end
  // Nothing closes it: then what begins below is no part of it, whatever its fence.
  stop = Math.min(stop, foreign?.start ?? stop, bareControlBelow(block))
  if (glued !== undefined && glued.start < (first?.start ?? stop)) {
    return { to: glued.at, after: afterLine(text, glued.end), how: 'glued' }
  }
  if (first !== undefined) return { ...closedBy(text, first, fence.length), uneven: true }
  return { to: stop, after: stop, how: 'open' }
}

/** Where a control block without a fence begins below a block that is none itself. */
function bareControlBelow({ text, fence, nextBareControl }: Begun): number {
  const control = nextBareControl(fence.end)
  const isOwn = control - fence.end < 4000 && text.slice(fence.end, control).split('\n').every(isBeforeId)
  return isOwn || beginsControl(text, fence.end + 1) ? text.length : control
}

/** What may stand in a control block above its `projectId`: other keys, what they hold, comments. */
function isBeforeId(line: string): boolean {
  return line === '' || /^(?:[ \t{]|---|#|\/\/|[-*] |["']?[A-Za-z_][\w-]{0,60}["']? ?[:\uff1a])/.test(line)
}

/** The END line above a fence, or in front of it where the two were run together: `// END` and the fence in one line. */
function endAbove(text: string, fence: Fence, from: number, bareMarkers: boolean): Line | undefined {
  if (fence.kind !== 'glued') return endMarkerAbove(text, fence.start, from, bareMarkers)
  const line = { start: fence.start, end: fence.at }
  return isMarker(text, line, 'END', bareMarkers) ? line : undefined
}

/** Below END a fence closes when nothing stands behind it, or when it is run together with the next opening one. */
function closes(fence: Fence, length: number): boolean {
  if (fence.kind === 'bare' || fence.kind === 'glued') return true
  return fence.kind === 'open' && fence.length >= length + 3 && fence.at === fence.start
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
