import { hasWord } from '../../lines/bare-text.ts'
import { onlyOnes } from '../../lines/only-ones.ts'
import { isComment, type Remark, remarkIn } from '../../lines/remark.ts'
import type { Flag } from '../../model/response.ts'
import { difference, type LineBag, lineBag, takeLine } from './line-bag.ts'
import { addedLines, type TextChange } from './text-changes.ts'

/**
 * Flags new remarks (`// Your existing routes here`, `...`) that stand where code of the old file stood, by what the file on
 * disk shows: words that a complete file may hold as well, such as `existing` or `as is`, mean something left out where
 * lines are gone and none came.
 *
 * What a remark stands for is what was between the nearest lines above and below it that both texts have exactly once.
 */
export function replacedByRemark(texts: readonly TextChange[]): Flag[] {
  let moved: LineBag | undefined
  return texts.flatMap(text => {
    const suspects = newRemarks(text)
    if (suspects.length === 0) return []
    moved ??= addedLines(texts)
    const found = firstReplacement(text, suspects, moved)
    if (found === undefined) return []
    const { line, number, lost } = found
    const reason = `line ${number} of it stands where ${lost} lines of code stood, as a remark for what was left out`
    return [{ flag: 'placeholder', path: text.path, text: line, reason }]
  })
}

interface Suspect {
  readonly at: number
  readonly remark: Exclude<Remark, 'other'>
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
    if (remark === undefined || remark === 'other') return []
    // A comment of several lines explains something.
    const isPart = remarks[at - 1] === 'other' || remarks[at + 1] === 'other'
    return remark === 'maybe' && isPart ? [] : [{ at, remark }]
  })
}

function firstReplacement({ path, before, after }: TextChange, suspects: readonly Suspect[], moved: LineBag) {
  const [old, lines] = [linesOf(before), linesOf(after)]
  const anchors = sharedOnce(old, lines)
  const was = lineBag(before)
  const lostLines = difference(difference(was, lineBag(after)), moved)
  const rows = lines.flatMap((line, at) => (anchors.has(line) ? [at] : []))
  const ofCode = (part: readonly string[]) => part.filter(line => isCode(line, path))
  for (const { at, remark } of suspects.slice(0, MOST)) {
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
    if (lost >= FEWEST && isTooFew) return { line, number: at + 1, lost }
  }
  return undefined
}

const FEWEST = 2

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

function linesOf(text: string): readonly string[] {
  return text.split('\n').map(line => line.trim())
}
