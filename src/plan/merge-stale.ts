import { diffArrays } from 'diff'
import { mergeFiles } from '../lines/merge-files.ts'
import type { OverlapPart } from '../lines/merge-lines.ts'
import type { AnswerChoice, OverlapPlace } from '../model/stale.ts'

/** What the model is known to have seen of a file last. */
export interface Base {
  /** Its text as the model knows it. */
  readonly seen: Uint8Array
  /** What commands made of that, which the model was not told: a formatter's work. */
  readonly left: Uint8Array
  /** When that was. */
  readonly at: Date
  /** As it is said: `#42`, or `the last pack`. */
  readonly since: string
  /** A pack gave it. */
  readonly isPack?: true
}

export type MergedAnswer =
  /** The answer was made from the file as it is, or nothing of the user's is left beside it: it is taken as it is. */
  | { readonly kind: 'current' }
  /** `isYours`: nothing of the answer is in it that the file had not. `formatted`: the answer with what commands left. */
  | { readonly kind: 'merged'; readonly bytes: Uint8Array; readonly isYours: boolean; readonly formatted: Uint8Array }
  /** Both changed the same lines, or one of them is no text. `marked`: both texts, between conflict markers. */
  | {
      readonly kind: 'overlap'
      readonly places: readonly OverlapPlace[]
      readonly marked: Uint8Array | undefined
      readonly formatted?: Uint8Array | undefined
    }

/**
 * Merges a whole file of an answer with what the user did to it since the model saw it, line by line.
 *
 * Where all of the user's changes stand in the answer it was made from the file as it is. One that is missing makes it stale:
 * then what one side changed is taken, what both changed alike once.
 *
 * A formatter's work comes first: it is brought into the answer, which wins where the two meet.
 *
 * @param choice whose text stands where both changed the same lines
 */
export function mergeStale(
  { seen, left, since }: Base,
  ours: Uint8Array,
  answer: Uint8Array,
  choice?: AnswerChoice,
): MergedAnswer {
  if (isSame(ours, left)) return { kind: 'current' }
  const theirs = isSame(seen, left) ? answer : withFormat(seen, left, answer)
  if (isSame(ours, theirs)) return { kind: 'merged', bytes: ours, isYours: false, formatted: theirs }
  const labels = { ours: `your edit, after ${since}`, theirs: 'the answer' }
  const merged = mergeFiles({ base: left, ours, theirs }, labels, part => {
    if (holdsYours(part)) return { kind: 'certain', by: 'both', lines: part.theirs }
    if (choice === 'model') return { kind: 'certain', by: 'theirs', lines: part.theirs }
    return choice === 'mine' ? { kind: 'certain', by: 'ours', lines: part.ours } : part
  })
  if (merged.kind === 'binary') return { kind: 'overlap', places: [], marked: undefined }
  if (merged.kind === 'clean') {
    const { bytes, sides } = merged
    const isWhole = sides.ours === 0 && sides.both > 0
    return isWhole || isSame(bytes, theirs)
      ? { kind: 'current' }
      : { kind: 'merged', bytes, isYours: isSame(bytes, ours), formatted: theirs }
  }
  return { kind: 'overlap', places: merged.places, marked: merged.marked, formatted: theirs }
}

/** Whether an answer takes back some of the changes from an older text to a newer one, and has none of them. */
export function takesBack(answer: Uint8Array, older: Base, newer: Base): boolean {
  if (isSame(older.left, newer.left)) return false
  const theirs = withFormat(older.seen, older.left, answer)
  const labels = { ours: '', theirs: '' }
  let isBack = false
  const merged = mergeFiles({ base: older.left, ours: newer.left, theirs }, labels, part => {
    isBack ||= bringsBack(part)
    return { kind: 'certain', by: holdsYours(part) ? 'both' : 'theirs', lines: part.theirs }
  })
  return merged.kind === 'clean' && (isBack || merged.sides.ours > 0) && merged.sides.both === 0
}

/** Whether the answer has lines that the user took away, and none of those that the user put there. */
function bringsBack({ ours, base, theirs }: OverlapPart): boolean {
  const [was, is] = [new Set(base), new Set(ours)]
  return theirs.some(line => was.has(line) && !is.has(line)) && !theirs.some(line => is.has(line) && !was.has(line))
}

/** The answer, with what a command made of the text that it was made from. */
export function withFormat(seen: Uint8Array, left: Uint8Array, answer: Uint8Array): Uint8Array {
  const merged = mergeFiles({ base: seen, ours: left, theirs: answer }, { ours: '', theirs: '' }, part => {
    return { kind: 'certain', by: 'theirs', lines: formatted(part) }
  })
  return merged.kind === 'clean' ? merged.bytes : answer
}

/** The lines of the answer; those that it leaves alone as they were formatted, where each line was by itself. */
function formatted({ ours, base, theirs }: OverlapPart): readonly string[] {
  const isByLine = ours.length === base.length
  const changes = isByLine ? diffArrays([...base], [...theirs], { maxEditLength: mostChanges }) : undefined
  if (changes === undefined) return theirs
  let at = 0
  return changes.flatMap(({ value, added, removed }) => {
    if (added) return value
    const from = at
    at += value.length
    return removed ? [] : ours.slice(from, at)
  })
}

/** Beyond so many changes of one place nobody knows what stays. */
const mostChanges = 1000

/**
 * Whether the answer has all words and signs that the user put into a place, and none that they took away: then it was made
 * from what the user wrote, and goes on from there.
 */
function holdsYours({ ours, base, theirs }: OverlapPart): boolean {
  const [was, is, now] = [signsIn(base), signsIn(ours), signsIn(theirs)]
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter(sign => was.get(sign) !== is.get(sign))
  return (
    changed.length > 0 &&
    changed.every(sign => {
      const [before, mine, its] = [was, is, now].map(bag => bag.get(sign) ?? 0) as [number, number, number]
      return mine > before ? its >= mine : its <= mine
    })
  )
}

/** How often each word and sign is in some lines. */
function signsIn(lines: readonly string[]): ReadonlyMap<string, number> {
  const signs = new Map<string, number>()
  for (const line of lines) {
    for (const [sign] of line.matchAll(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)) signs.set(sign, (signs.get(sign) ?? 0) + 1)
  }
  return signs
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}
