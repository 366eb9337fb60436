import { type ArrayChange, diffArrays } from 'diff'

/** A part of a line: from where to where, in code units, the end exclusive. */
export type Span = readonly [from: number, to: number]

/** A removed line and the added one that came of it, by their places, and which parts of each changed. */
export interface ChangedLine {
  readonly removed: number
  readonly added: number
  readonly before: readonly Span[]
  readonly after: readonly Span[]
  /** Only blanks differ: they have to be shown. */
  readonly inBlanks: boolean
}

/** Longer rows are no edit of each other that a reader would follow word by word. */
const MOST_LINES = 100
/** How far below the last pair the next one is looked for. */
const AHEAD = 5

/** Which removed lines were changed into which added ones, in order: each into the first with which it has enough in common. */
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
/** What has to be the same, as a part of the longer line; an indentation in common is nothing in common. */
const ENOUGH = 0.3

function compareWords(old: string[], now: string[]): Omit<ChangedLine, 'removed' | 'added'> | undefined {
  const shared = new Set(now)
  // Most lines have little in common, and that is told without a search.
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

/** Where the words that only one side has stand in it; what has nothing but blanks between is one. */
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
