import { type ArrayChange, diffArrays } from 'diff'

/** A part of a line in code units, with an exclusive end. */
export type Span = readonly [from: number, to: number]

/** The places of a removed line and of the added line that replaces it, and the changed parts of each. */
export interface ChangedLine {
  readonly removed: number
  readonly added: number
  readonly before: readonly Span[]
  readonly after: readonly Span[]
  /** Only blanks differ, so they have to be shown. */
  readonly inBlanks: boolean
}

/** In a longer block a reader does not follow word by word how one line became another. */
const MOST_LINES = 100
/** How far below the last pair the next one is looked for. */
const AHEAD = 5

/** Pairs removed lines with added ones, in order: each with the first that has enough in common with it. */
export function changedLines(removed: readonly string[], added: readonly string[]): readonly ChangedLine[] {
  if (removed.length > MOST_LINES || added.length > MOST_LINES) return []
  const [old, now] = [removed.map(wordsOf), added.map(wordsOf)]
  const pairs: ChangedLine[] = []
  let next = 0
  for (const [left, words] of old.entries()) {
    for (const [ahead, others] of now.slice(next, next + AHEAD).entries()) {
      const changed = compareWords(words, others)
      if (changed === undefined) continue
      pairs.push({ removed: left, added: next + ahead, ...changed })
      next += ahead + 1
      break
    }
  }
  return pairs
}

/** The library's own words are of Latin letters only. */
function wordsOf(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]\p{M}*/gu) ?? []
}

const MOST_EDITS = 60
/** How much has to be the same, as a part of the longer line. A common indentation does not count. */
const ENOUGH = 0.3

function compareWords(old: string[], now: string[]): Omit<ChangedLine, 'removed' | 'added'> | undefined {
  const shared = new Set(now)
  // Most lines have little in common, which this tells without a search.
  const longest = Math.max(lengthOf(old), lengthOf(now))
  if (lengthOf(old.filter(word => shared.has(word))) < ENOUGH * longest) return undefined
  const runs = diffArrays(old, now, { maxEditLength: MOST_EDITS })
  if (runs === undefined) return undefined
  const same = lengthOf(runs.flatMap(({ added, removed, value }) => (added || removed ? [] : value)))
  if (same < ENOUGH * longest) return undefined
  return {
    before: spansOf(runs.filter(run => !run.added)),
    after: spansOf(runs.filter(run => !run.removed)),
    inBlanks: same === longest,
  }
}

/** Without blanks. */
function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.trim().length, 0)
}

/** The words that only one side has, as parts of its line. Words with nothing but blanks between them are one part. */
function spansOf(runs: readonly ArrayChange<string>[]): readonly Span[] {
  const spans: Span[] = []
  let at = 0
  let isOpen = false
  for (const { added, removed, value } of runs) {
    const text = value.join('')
    const end = at + text.length
    if (added || removed) {
      const from = isOpen ? spans.pop()?.[0] : undefined
      spans.push([from ?? at, end])
      isOpen = true
    } else if (text.trim() !== '') isOpen = false
    at = end
  }
  return spans
}
