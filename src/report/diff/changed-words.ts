import { type ChangeObject, diffArrays } from 'diff'
import { sameEnd, sameStart } from '../../lines/same-ends.ts'
import { lengthWithoutBlanks } from './blanks.ts'

/** A part of a line: from where to where, in code units, the end exclusive. */
export type Span = readonly [from: number, to: number]

/** A line of code as it can be printed, and which parts of it changed. */
export interface CodeLine {
  readonly text: string
  readonly changed: readonly Span[]
  /** About how many characters of it that are not the same on both sides are left out. */
  readonly unseen: number
}

export interface ChangedWords {
  readonly before: readonly Span[]
  readonly after: readonly Span[]
}

/**
 * The words in which two lines differ; `undefined` when so much differs that marking it would say nothing.
 *
 * @param mostWords of more between its ends, a line is marked from end to end
 */
export function changedWords(before: string, after: string, mostWords = MOST_WORDS): ChangedWords | undefined {
  const [start, tail] = commonEnds(before, after)
  const [old, now] = [before.slice(start, before.length - tail), after.slice(start, after.length - tail)]
  const words = compareWords(old, now, mostWords)
  const changed = {
    before: joined(words.before, old).map(([from, to]): Span => [from + start, to + start]),
    after: joined(words.after, now).map(([from, to]): Span => [from + start, to + start]),
  }
  return saysMuch(changed.before, before, after) ? changed : undefined
}

/** What is the same at the beginning and at the end, in whole words. */
function commonEnds(before: string, after: string): readonly [start: number, tail: number] {
  let start = sameStart(before, after)
  while (start > 0 && (isInWord(before, start) || isInWord(after, start))) start--
  let tail = sameEnd(before, after, start)
  while (isInWord(before, before.length - tail) || isInWord(after, after.length - tail)) tail--
  return [start, tail]
}

/** Whether a word, or a sign of two halves, goes on over a place. */
function isInWord(text: string, at: number): boolean {
  const [left, right] = [text.charAt(at - 1), text.charAt(at)]
  return (WORD.test(left) && WORD.test(right)) || /\u200d|\ufe0f|[\udc00-\udfff]|\p{M}/u.test(right)
}

const WORD = /[\p{L}\p{N}_]/u
const WORDS = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]\p{M}*/gu

const MOST_WORDS = 400
const MOST_EDITS = 60

function compareWords(before: string, after: string, mostWords: number): ChangedWords {
  const whole = { before: [[0, before.length]], after: [[0, after.length]] } as const
  if (before === '' || after === '' || before.length + after.length > 20 * mostWords) return whole
  const [old, now] = [before.match(WORDS) ?? [], after.match(WORDS) ?? []]
  const words = old.length + now.length
  // One word for another is the usual change.
  if (words === 2 || words > mostWords) return whole
  const runs = diffArrays(old, now, { maxEditLength: MOST_EDITS })
  if (runs === undefined) return whole
  return { before: spansOf(runs, 'removed'), after: spansOf(runs, 'added') }
}

/** Where the words that only one side has stand in it. */
function spansOf(runs: readonly ChangeObject<string[]>[], own: 'added' | 'removed'): readonly Span[] {
  const others = own === 'added' ? 'removed' : 'added'
  const spans: Span[] = []
  let at = 0
  for (const run of runs) {
    if (run[others]) continue
    const end = at + run.value.join('').length
    if (run[own]) spans.push([at, end])
    at = end
  }
  return spans
}

/** Spans with nothing but blanks between them are one. */
function joined(spans: readonly Span[], text: string): readonly Span[] {
  const long: Span[] = []
  for (const [from, to] of spans) {
    if (from === to) continue
    const last = long.at(-1)
    if (last !== undefined && text.slice(last[1], from).trim() === '') long[long.length - 1] = [last[0], to]
    else long.push([from, to])
  }
  return long
}

/** What has to be the same, as a part of the shorter line; an indentation in common is nothing in common. */
const ENOUGH = 0.3

function saysMuch(spans: readonly Span[], before: string, after: string): boolean {
  const marked = spans.reduce((sum, [from, to]) => sum + lengthWithoutBlanks(before.slice(from, to)), 0)
  const all = lengthWithoutBlanks(before)
  return all - marked >= ENOUGH * Math.min(all, lengthWithoutBlanks(after))
}
