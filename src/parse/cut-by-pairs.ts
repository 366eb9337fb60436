import { type Fence, fencesOf } from './fence.ts'
import { type Block, type Cut, findBlocks } from './find-blocks.ts'
import { beginningOfKeys, type FoundControl, findControls } from './find-control.ts'
import { findEnd } from './find-end.ts'
import { afterLine, lineStart, nextFilledLine, previousFilledLine, trimmed } from './lines.ts'
import { endMarkerAbove, isDeleteDirective, isMarker, startMarker } from './marker.ts'
import { isControlKey } from './opening.ts'
import { pathFromInfo } from './path.ts'
import { fullPath } from './read-files.ts'
import type { Summary } from './read-summary.ts'

/** An opening that the change summary names, and the last END with a fence below it, or the fence of a delete. */
interface Pair {
  readonly fence: Fence
  readonly path: string
  /** Where its text begins; for a delete right below the opening line. */
  readonly from: number
  readonly isDelete: boolean
  close?: { readonly to: number; readonly fence: Fence }
}

/**
 * Cuts an answer whose fences do not come out: the control block is its last, and each file reaches from the opening that
 * the change summary names to the last END with a fence before the next one.
 *
 * Only where every promised file is there once and nothing is left over that may belong to a file or to another answer.
 * What the fences alone would have told otherwise stays in doubt.
 */
export function cutByPairs(text: string, from: number, projectId: string): Cut | undefined {
  const tail = lastControl(text, from, projectId)
  if (tail === undefined) return undefined
  const { summary } = tail.control.control
  const pairs = pairsOf(text, from, tail.start, summary)
  if (pairs === undefined || !summary.promises.every(isAmong(pairs))) return undefined

  const blocks: Block[] = []
  let at = from
  for (const pair of pairs) {
    const block = blockOf(text, pair, blocks.length + 1)
    if (block === undefined || holdsParts(text, at, block.start)) return undefined
    blocks.push(block)
    at = block.after
  }
  if (blocks.length === 0 || holdsParts(text, at, tail.start)) return undefined
  const isSure = blocks.every(({ uneven }) => !uneven)
  return {
    ...tail.cut,
    blocks: [...blocks.map(block => (isSure ? { ...block, uneven: true } : block)), ...tail.cut.blocks],
  }
}

interface Tail {
  readonly start: number
  readonly cut: Cut
  readonly control: FoundControl
}

/** This project's control block, where it is the last thing in the text but for prose. */
function lastControl(text: string, from: number, projectId: string): Tail | undefined {
  let at = text.lastIndexOf('projectId')
  // Its own commit message may hold the word once more.
  for (let tries = 0; at >= from && tries < 3; tries++, at = text.lastIndexOf('projectId', at - 1)) {
    const line = lineStart(text, at, 40)
    if (line === undefined || !isControlKey(text, line, at + 80)) continue
    const start = openingAbove(text, Math.max(from, beginningOfKeys(text, line)), from)
    const cut = findBlocks(text, start)
    const controls = findControls(text, cut)
    const [control] = controls
    if (control === undefined || controls.length > 1 || !control.control.readings.includes(projectId)) return undefined
    const isLast = fencesOf(text)(control.to) === undefined && cut.blocks.every(block => block === control.block)
    return isLast ? { start, cut, control } : undefined
  }
  return undefined
}

/** The fence above the keys, if there is one: a brace or a comment may stand between. */
function openingAbove(text: string, keys: number, from: number): number {
  let line = previousFilledLine(text, keys, from)
  for (let lines = 0; line !== undefined && lines < 3; lines++) {
    if (fencesOf(text)(line.start)?.start === line.start) return line.start
    if (!/^(?:\{|---|#.*|\/\/.*)$/.test(trimmed(text, line.start, Math.min(line.end, line.start + 200)))) break
    line = previousFilledLine(text, line.start, from)
  }
  return keys
}

function pairsOf(text: string, from: number, to: number, summary: Summary): readonly Pair[] | undefined {
  const nextFence = fencesOf(text)
  const pairs: Pair[] = []
  const paths = new Set<string>()
  for (let fence = nextFence(from); fence !== undefined && fence.start < to; fence = nextFence(fence.end)) {
    const opened = openedBy(text, fence, summary)
    if (opened !== undefined) {
      // A file that is there twice may be an example of itself.
      if (paths.has(opened.path)) return undefined
      paths.add(opened.path)
      pairs.push(opened)
      continue
    }
    const pair = pairs.at(-1)
    if (pair === undefined || fence.kind !== 'bare') continue
    if (fence.sign !== pair.fence.sign || fence.length < pair.fence.length) continue
    const end = pair.isDelete ? undefined : endMarkerAbove(text, fence.start, pair.from, false)
    if (end !== undefined) pair.close = { to: end.start, fence }
    else if (pair.isDelete) pair.close ??= { to: fence.start, fence }
  }
  return pairs
}

function openedBy(text: string, fence: Fence, summary: Summary): Pair | undefined {
  const said = fence.kind === 'open' ? pathFromInfo(fence.info) : undefined
  const path = said === undefined ? undefined : fullPath(said, summary)
  if (path === undefined || !summary.names(path)) return undefined
  const start = startMarker(text, fence.end + 1)
  if (start !== undefined) return { fence, path, from: afterLine(text, start.end), isDelete: false }
  const line = nextFilledLine(text, fence.end + 1)
  if (line === undefined || !isDeleteDirective(text, line.start, line.end)) return undefined
  return { fence, path, from: afterLine(text, fence.end), isDelete: true }
}

function blockOf(text: string, { fence, path, from, isDelete, close }: Pair, number: number): Block | undefined {
  if (close === undefined || (isDelete && !isDeleteDirective(text, from, close.to))) return undefined
  const after = afterLine(text, close.fence.end)
  const body = { from: afterLine(text, fence.end), to: close.to }
  const block: Block = {
    number,
    start: fence.start,
    after,
    info: fence.info,
    indent: fence.at - fence.start,
    path,
    guesses: [],
    body,
    content: { from, to: Math.max(from, close.to) },
    hasStart: !isDelete,
    how: isDelete ? 'bare' : 'end',
    unsure: false,
    uneven: false,
    isDelete,
    mayBeControl: false,
  }
  if (isDelete) return block
  const head = text.slice(0, after)
  const usual = findEnd({
    text: head,
    nextFence: fencesOf(head),
    fence,
    from,
    bareMarkers: false,
    nextBareControl: () => head.length,
    patience: { left: 4 * head.length },
  })
  const isClear = usual.how === 'end' && usual.unsure !== true && usual.uneven !== true
  // Its fences come out at an earlier END: what follows that may be another file.
  if (isClear && usual.to !== close.to) return undefined
  return { ...block, uneven: !isClear }
}

function isAmong(pairs: readonly Pair[]): (readings: readonly string[]) => boolean {
  const paths = new Set(pairs.map(({ path }) => path.replace(/^\//, '')))
  return readings => readings.some(each => paths.has(each))
}

/** Lines of markers or keys of a control block stand in what would be prose. */
function holdsParts(text: string, from: number, to: number): boolean {
  for (let line = nextFilledLine(text, from, to); line !== undefined; line = nextFilledLine(text, line.end + 1, to)) {
    if (isMarker(text, line, 'START') || isMarker(text, line, 'END')) return true
    if (isControlKey(text, line.start, Math.min(line.end, line.start + 200))) return true
  }
  return false
}
