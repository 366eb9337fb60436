import type { Change, Flag } from '../model.ts'
import { type LineBag, lineBag } from './line-bag.ts'

/**
 * Flags files that lose more than half of their lines, as they do when a model leaves out what it did not change.
 *
 * Lines that the same patch adds to other files were moved, not lost, and each added line can stand for one lost line
 * only. Files of fewer than ten lines are too small to tell.
 */
export function shrunkenFiles(changes: readonly Change[]): Flag[] {
  // What only makes new files loses no lines.
  if (changes.every(({ before }) => before === null)) return []
  const texts = changes.flatMap(change => {
    const text = textsOf(change)
    return text === undefined ? [] : [text]
  })
  const suspects = texts.filter(
    ({ before, after }) => lineCount(before) >= SMALLEST && lineCount(after) < lineCount(before),
  )
  if (suspects.length === 0) return []

  const added: LineBag = new Map()
  for (const { before, after } of texts) {
    for (const [line, count] of difference(lineBag(after), lineBag(before))) {
      added.set(line, (added.get(line) ?? 0) + count)
    }
  }
  return suspects.flatMap(({ path, before, after }) => {
    const was = lineBag(before)
    const is = lineBag(after)
    const lost = size(was) - size(is) - takeMoved(difference(was, is), added)
    if (lost * 2 <= size(was)) return []
    return [{ flag: 'shrink', path, reason: `goes from ${lineCount(before)} lines to ${lineCount(after)}` }]
  })
}

const SMALLEST = 10

interface Texts {
  readonly path: string
  readonly before: string
  readonly after: string
}

function textsOf({ path, op, effect, before, after }: Change): Texts | undefined {
  if (op !== 'write' || effect === 'none' || after?.kind !== 'file') return undefined
  // A binary file has no lines.
  if (after.bytes.includes(0) || (before?.kind === 'file' && before.bytes.includes(0))) return undefined
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  return { path, before: before?.kind === 'file' ? decode(before.bytes) : '', after: decode(after.bytes) }
}

function lineCount(text: string): number {
  if (text === '') return 0
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) count++
  return count
}

function difference(bag: LineBag, without: LineBag): LineBag {
  const rest: LineBag = new Map()
  for (const [line, count] of bag) {
    const more = count - (without.get(line) ?? 0)
    if (more > 0) rest.set(line, more)
  }
  return rest
}

/** How many of the lines gone from a file turn up among the added ones, which are used up by it. */
function takeMoved(gone: LineBag, added: LineBag): number {
  let moved = 0
  for (const [line, count] of gone) {
    const found = Math.min(count, added.get(line) ?? 0)
    if (found === 0) continue
    added.set(line, (added.get(line) ?? 0) - found)
    moved += found
  }
  return moved
}

function size(bag: LineBag): number {
  let total = 0
  for (const count of bag.values()) total += count
  return total
}
