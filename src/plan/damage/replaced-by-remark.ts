import { hasWord } from '../../lines/bare-text.ts'
import { compareLines } from '../../lines/compare-lines.ts'
import { isDocument } from '../../lines/is-document.ts'
import { onlyOnes } from '../../lines/only-ones.ts'
import { isComment, type Remark, remarkIn, tellsOfGone } from '../../lines/remark.ts'
import type { Flag } from '../../model/response.ts'
import { difference, type LineBag, lineBag, takeLine } from './line-bag.ts'
import { addedLines, type TextChange } from './text-changes.ts'

/**
 * Flags new remarks (`// Your existing routes here`, `...`) that stand where code of the old file stood, by what the file on
 * disk shows: words that a complete file may hold as well, such as `existing` or `as is`, mean something left out where
 * lines are gone and none came.
 *
 * What a remark stands for is what was between the nearest lines above and below it that both texts have exactly once. In
 * whatever language it is, one is enough that stands exactly where three lines or more went and nothing else came.
 */
export function replacedByRemark(texts: readonly TextChange[]): Flag[] {
  let moved: LineBag | undefined
  return texts.flatMap(text => {
    const suspects = newRemarks(text)
    if (suspects.length === 0) return []
    moved ??= addedLines(texts)
    const lostLines = difference(difference(lineBag(text.before), lineBag(text.after)), moved)
    const found = firstReplacement(text, suspects, lostLines) ?? loneComment(text, suspects, lostLines)
    if (found === undefined) return []
    const { line, number, lost } = found
    const reason = `line ${number} of it is a remark in place of ${lost} lines of code that were left out`
    return [{ flag: 'placeholder', path: text.path, text: line, reason }]
  })
}

interface Suspect {
  readonly at: number
  readonly remark: Remark
}

/** The comments and dots that the old file has not; what stood there uncommented was taken out on purpose. */
function newRemarks({ path, before, after }: TextChange): readonly Suspect[] {
  if (before === '') return []
  const old = new Set(linesOf(before))
  const lines = linesOf(after)
  const remarks = lines.map(line => {
    const bare = line.replace(/^\P{L}+/u, '')
    if (line === '' || old.has(line) || (bare !== '' && old.has(bare))) return undefined
    return remarkIn(line, path)
  })
  return remarks.flatMap((remark, at) => {
    if (remark === undefined) return []
    // A comment of several lines explains something.
    const isPart = remarks[at - 1] === 'other' || remarks[at + 1] === 'other'
    return remark === 'maybe' && isPart ? [] : [{ at, remark }]
  })
}

function firstReplacement({ path, before, after }: TextChange, suspects: readonly Suspect[], lostLines: LineBag) {
  const remarks = suspects.filter(({ remark }) => remark !== 'other').slice(0, MOST)
  if (remarks.length === 0) return undefined
  const [old, lines] = [linesOf(before), linesOf(after)]
  const anchors = sharedOnce(old, lines)
  const was = lineBag(before)
  const rows = lines.flatMap((line, at) => (anchors.has(line) ? [at] : []))
  const ofCode = (part: readonly string[]) => part.filter(line => isCode(line, path))
  for (const { at, remark } of remarks) {
    const line = lines[at] ?? ''
    const top = rows.findLast(row => row < at) ?? -1
    const end = rows.find(row => row > at) ?? lines.length
    const from = anchors.get(lines[top] ?? '') ?? -1
    const to = anchors.get(lines[end] ?? '') ?? old.length
    const lost = countIn(lostLines, ofCode(old.slice(from + 1, to)))
    const added = ofCode([...lines.slice(top + 1, at), ...lines.slice(at + 1, end)]).filter(
      line => !was.has(line),
    ).length
    const isAlone = isEmpty(lines[at - 1]) && isEmpty(lines[at + 1])
    const isTooFew = addsTooFew(added, lost, remark, path) || (isAlone && isApart(added, lost, remark, line))
    if (lost >= fewestFor(remark, path) && isTooFew) return { line, number: at + 1, lost }
  }
  return undefined
}

const FEWEST = 2

/** A text may have dots of its own. */
function fewestFor(remark: Remark, path: string): number {
  return remark === 'dots' && isDocument(path) ? FEWEST_BY_ONE : FEWEST
}

/** A comment that alone stands where lines of code went; one that says where they went knows that they are gone. */
function loneComment({ path, before, after }: TextChange, suspects: readonly Suspect[], lostLines: LineBag) {
  if (lostLines.size === 0) return undefined
  const places = new Set(suspects.map(({ at }) => at))
  const [old, now] = [filledLines(before), filledLines(after)]
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of compareLines(
    old.map(({ line }) => line),
    now.map(({ line }) => line),
  )) {
    const { line, at } = now[afterStart] ?? { line: '', at: -1 }
    if (afterEnd !== afterStart + 1 || !places.has(at) || tellsOfGone(line)) continue
    const code = old.slice(beforeStart, beforeEnd).flatMap(({ line }) => (isCode(line, path) ? [line] : []))
    const lost = countIn(lostLines, code)
    if (lost >= FEWEST_BY_ONE) return { line, number: at + 1, lost }
  }
  return undefined
}

const FEWEST_BY_ONE = 3

/** A remark between empty lines heads nothing, whatever came in the same place; unless it may head what was rewritten. */
function isApart(added: number, lost: number, remark: Suspect['remark'], line: string): boolean {
  const mayHead = remark === 'maybe' && (added >= lost || heading.test(line))
  return lost >= FEWEST_APART && !mayHead
}

const FEWEST_APART = 4
const heading = /^\W*(?:(?:more|other|additional|further)\b|(?:\w+ )?(?:logic|implementation)\W*$)/i

/** So many remarks are looked at in one file; who writes more does not write code. */
const MOST = 100

function isEmpty(line: string | undefined): boolean {
  return line === undefined || line === ''
}

/** How many of the lines are in a bag, each as often as the bag has it. */
function countIn(bag: LineBag, lines: readonly string[]): number {
  // Not of a copy of the bag: that would be made anew for each remark of a file.
  const left: LineBag = new Map(lines.map(line => [line, bag.get(line) ?? 0]))
  return lines.filter(line => takeLine(left, line)).length
}

function addsTooFew(added: number, lost: number, remark: Suspect['remark'], path: string): boolean {
  if (remark === 'dots' && !dotsAreCode.test(path)) return true
  return added === 0 || (remark !== 'maybe' && added * 4 <= lost)
}

/** Languages in which a line of dots has a meaning, or a text that may be shortened. */
const dotsAreCode = /\.(?:pyi?|pyx|p[lm]|ya?ml|mdx?|markdown|txt|rst|adoc)$/i

/** The lines with a word that both texts have exactly once, with their place in the old one. */
function sharedOnce(old: readonly string[], lines: readonly string[]): ReadonlyMap<string, number> {
  const inNew = onlyOnes(lines)
  return new Map([...onlyOnes(old)].filter(([line]) => inNew.has(line) && hasWord(line)))
}

function isCode(line: string, path: string): boolean {
  return hasWord(line) && !isComment(line, path)
}

function filledLines(text: string): readonly { readonly line: string; readonly at: number }[] {
  return linesOf(text).flatMap((line, at) => (line === '' ? [] : [{ line, at }]))
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').map(line => line.trim())
}
