import { diffArrays } from 'diff'
import { hasWord } from './bare-text.ts'
import { longestRise } from './longest-rise.ts'
import { onlyOnes } from './only-ones.ts'

/** Positions, from 0, of a line that stays. */
export type Match = readonly [before: number, after: number]

/**
 * Which lines of two texts stay, in order.
 *
 * Lines that only one side has are set aside first: they cannot stay, and a total rewrite consists of them. A long rest
 * is cut into short ones at lines that stand exactly once on either side. What is left goes to the library, which may
 * do so much for one comparison and no more; where it gives up, everything counts as replaced.
 */
export function matchLines(before: readonly string[], after: readonly string[]): readonly Match[] {
  const known = new Map<string, number>()
  for (const line of before) if (!known.has(line)) known.set(line, known.size)
  const shared = new Set<number>()
  const right: Line[] = []
  for (const [at, line] of after.entries()) {
    const name = known.get(line)
    if (name === undefined) continue
    shared.add(name)
    right.push({ at, name })
  }
  const left: Line[] = []
  const words = new Set<number>()
  for (const [at, line] of before.entries()) {
    const name = known.get(line) ?? -1
    if (!shared.has(name)) continue
    left.push({ at, name })
    if (!words.has(name) && hasWord(line)) words.add(name)
  }
  return new Matcher(left, right, words).all()
}

/** A line by its place, and a number in place of its text; equal lines have equal numbers. */
interface Line {
  readonly at: number
  readonly name: number
}

/** A stretch of either side, ends exclusive. */
interface Part {
  readonly left: number
  readonly leftEnd: number
  readonly right: number
  readonly rightEnd: number
}

/** More lines than that are cut up before the library sees them. */
const LONG = 400
/** How often a part of a part is cut up again. */
const DEPTH = 12
/** Milliseconds for one search of the library's among many lines; few are no matter of time, however slow the machine. */
const TIME = 200
const MANY = 5000
const MOST_EDITS = 500
/** For all searches of a comparison: their cost grows with the square of the edits found. */
const EFFORT = 2 * MOST_EDITS ** 2

class Matcher {
  readonly #left: readonly Line[]
  readonly #right: readonly Line[]
  readonly #words: ReadonlySet<number>
  readonly #found: Match[] = []
  #effort = EFFORT

  constructor(left: readonly Line[], right: readonly Line[], words: ReadonlySet<number>) {
    this.#left = left
    this.#right = right
    this.#words = words
  }

  all(): readonly Match[] {
    // Blank lines and lone brackets alone would only tear a rewritten text to shreds.
    if (this.#words.size > 0) {
      this.#match({ left: 0, leftEnd: this.#left.length, right: 0, rightEnd: this.#right.length }, 0)
    }
    return this.#found
  }

  #match(part: Part, depth: number): void {
    let { left, right, leftEnd, rightEnd } = part
    while (left < leftEnd && right < rightEnd && this.#name('left', left) === this.#name('right', right)) {
      this.#add(left++, right++)
    }
    let tail = 0
    while (
      left < leftEnd &&
      right < rightEnd &&
      this.#name('left', leftEnd - 1) === this.#name('right', rightEnd - 1)
    ) {
      leftEnd--
      rightEnd--
      tail++
    }
    if (left < leftEnd && right < rightEnd) this.#matchMiddle({ left, right, leftEnd, rightEnd }, depth)
    for (let n = 0; n < tail; n++) this.#add(leftEnd + n, rightEnd + n)
  }

  #matchMiddle(part: Part, depth: number): void {
    const isLong = part.leftEnd - part.left + part.rightEnd - part.right > LONG
    const anchors = isLong && depth < DEPTH ? this.#anchors(part) : []
    if (anchors.length === 0) this.#search(part)
    else this.#matchBetween(part, anchors, depth)
  }

  #matchBetween(part: Part, anchors: readonly Match[], depth: number): void {
    let { left, right } = part
    for (const [leftEnd, rightEnd] of anchors) {
      this.#match({ left, leftEnd, right, rightEnd }, depth + 1)
      this.#add(leftEnd, rightEnd)
      left = leftEnd + 1
      right = rightEnd + 1
    }
    this.#match({ ...part, left, right }, depth + 1)
  }

  /** Lines that stand once on either side and in the same order on both, as many as there can be. */
  #anchors({ left, leftEnd, right, rightEnd }: Part): readonly Match[] {
    const places = onlyOnes(namesOf(this.#right, right, rightEnd))
    const single = [...onlyOnes(namesOf(this.#left, left, leftEnd))].flatMap(([name, at]): Match[] => {
      const other = places.get(name)
      return other === undefined ? [] : [[left + at, right + other]]
    })
    return longestRise(single, ([, right]) => right)
  }

  #search({ left, leftEnd, right, rightEnd }: Part): void {
    const names = namesOf(this.#left, left, leftEnd)
    const others = namesOf(this.#right, right, rightEnd)
    const maxEditLength = Math.min(MOST_EDITS, Math.floor(Math.sqrt(this.#effort)))
    if (maxEditLength === 0 || !names.some(name => this.#words.has(name))) return
    const limits = names.length + others.length > MANY ? { maxEditLength, timeout: TIME } : { maxEditLength }
    const runs = diffArrays(names, others, limits)
    if (runs === undefined) {
      this.#effort -= maxEditLength ** 2
      return
    }
    let edits = 0
    let [l, r] = [left, right]
    for (const { added, removed, count } of runs) {
      if (added) r += count
      else if (removed) l += count
      else for (let n = 0; n < count; n++) this.#add(l++, r++)
      if (added || removed) edits += count
    }
    this.#effort = Math.max(0, this.#effort - edits ** 2)
  }

  #name(side: 'left' | 'right', at: number): number {
    return (side === 'left' ? this.#left : this.#right)[at]?.name ?? -1
  }

  #add(left: number, right: number): void {
    this.#found.push([this.#left[left]?.at ?? 0, this.#right[right]?.at ?? 0])
  }
}

function namesOf(lines: readonly Line[], from: number, end: number): number[] {
  return lines.slice(from, end).map(({ name }) => name)
}
