import type { Flag } from '../model.ts'
import { type LineBag, lineBag } from './line-bag.ts'
import { addedLines, difference, type TextChange } from './text-changes.ts'

/**
 * Flags files that lose more than half of their lines, as they do when a model leaves out what it did not change.
 *
 * Lines that the same patch adds to other files were moved, not lost, and each added line can stand for one lost line
 * only. Files of fewer than ten lines are too small to tell.
 */
export function shrunkenFiles(texts: readonly TextChange[]): Flag[] {
  const suspects = texts.filter(
    ({ before, after }) => lineCount(before) >= SMALLEST && lineCount(after) < lineCount(before),
  )
  if (suspects.length === 0) return []

  const added = addedLines(texts)
  return suspects.flatMap(({ path, before, after }) => {
    const was = lineBag(before)
    const is = lineBag(after)
    const lost = size(was) - size(is) - takeMoved(difference(was, is), added)
    if (lost * 2 <= size(was)) return []
    return [{ flag: 'shrink', path, reason: `goes from ${lineCount(before)} lines to ${lineCount(after)}` }]
  })
}

const SMALLEST = 10

function lineCount(text: string): number {
  if (text === '') return 0
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) count++
  return count
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
