import { remembered } from '../../ground/collections.ts'
import { bareText } from '../../lines/bare-text.ts'
import type { Flag } from '../../model/response.ts'
import { difference, type LineBag, lineBag, takeLine } from './line-bag.ts'
import { addedLines, type TextChange } from './text-changes.ts'

/**
 * Flags files that lose more than half of their lines, as they do when a model leaves out what it did not change, and those
 * of which nothing stays: another file's text has come under this path, or none at all.
 *
 * Lines that the same patch adds to other files were moved, not lost, and each added line can stand for one lost line
 * only. Files of fewer than ten lines are too small to tell how much is lost, but not that all is.
 */
export function* shrunkenFiles(texts: readonly TextChange[]): Generator<readonly Flag[]> {
  const added = remembered(addedLines)
  for (const text of texts) {
    const reason = whyShrunken(text, () => added(texts))
    yield reason === undefined ? [] : [{ flag: 'shrink', path: text.path, reason }]
  }
}

/** @param added what the patch adds to any file; each line of it once for all files */
function whyShrunken({ path, before, after }: TextChange, added: () => LineBag): string | undefined {
  const [was, is] = [lineCount(before), lineCount(after)]
  if (after.trim() === '' && before.trim() !== '' && !mayBeEmpty.test(path)) {
    return `none of its ${counted(was)} is left`
  }
  const isSmaller = was >= SMALLEST && is < was
  const isNew = was >= SMALLEST_NEW && (was >= SMALLEST || is * 2 < was) && !keepsAny(before, after)
  if (!isNew && !isSmaller) return undefined
  const [old, now] = [lineBag(before), lineBag(after)]
  const moved = takeMoved(difference(old, now), added())
  if (isNew && moved * 2 < size(old)) return `none of its ${counted(was)} stays`
  const isHalved = isSmaller && (size(old) - size(now) - moved) * 2 > size(old)
  // What a formatter joins is in fewer lines, but not gone.
  const isJoined = () => bareText(after).length * 4 >= bareText(before).length * 3
  return isHalved && !isJoined() ? `goes from ${counted(was)} to ${is}` : undefined
}

/** Python needs the file more than what is in it. */
const mayBeEmpty = /(?:^|\/)__init__\.pyi?$/

const SMALLEST = 10
const SMALLEST_NEW = 5

/** Whether any line that says something is still there, be it in the form that a formatter gives it. */
function keepsAny(before: string, after: string): boolean {
  const lines = before.split('\n').map(line => line.trim())
  const there = lineBag(after)
  if (lines.some(line => there.has(line) && bareText(line) !== '')) return true
  const bareLines = new Set(after.split('\n').map(bareText))
  const bareAfter = bareText(after)
  const bare = lines.map(bareText).filter(line => line !== '')
  if (bare.some(line => bareLines.has(line))) return true
  return tellingRuns(bare)
    .slice(0, MOST_SEARCHED)
    .some(run => bareAfter.includes(run))
}

/** The lines, short ones with what follows: a formatter may have joined them. */
function tellingRuns(bare: readonly string[]): readonly string[] {
  const runs: string[] = []
  let run = ''
  for (const line of bare) {
    run += line
    if (run.length < TELLING) continue
    runs.push(run)
    run = ''
  }
  return runs
}

/** A text of which so many lines are nowhere is another one. */
const MOST_SEARCHED = 200

/** So many letters are not by chance in another text. */
const TELLING = 12

function counted(lines: number): string {
  return lines === 1 ? 'one line' : `${lines} lines`
}

function lineCount(text: string): number {
  if (text === '') return 0
  let count = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) count++
  return count
}

/** How many of the lines gone from a file turn up among the added ones, which are used up by it. */
function takeMoved(gone: LineBag, added: LineBag): number {
  let moved = 0
  for (const [line, count] of gone) for (let n = 0; n < count && takeLine(added, line); n++) moved++
  return moved
}

function size(bag: LineBag): number {
  return [...bag.values()].reduce((total, count) => total + count, 0)
}
