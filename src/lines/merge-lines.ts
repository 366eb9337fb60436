import { diff3MergeRegions } from 'node-diff3'
import { longestRise } from './longest-rise.ts'
import { onlyOnes } from './only-ones.ts'

/** A stretch of a merge: lines that are certain, or a place where both sides changed the same lines of the base. */
export type MergePart =
  /** `by`: which sides changed it, both alike; `none`: it is as in the base. */
  | { readonly kind: 'certain'; readonly by: 'none' | 'ours' | 'theirs' | 'both'; readonly lines: readonly string[] }
  | OverlapPart

export interface OverlapPart {
  readonly kind: 'overlap'
  readonly ours: readonly string[]
  readonly base: readonly string[]
  readonly theirs: readonly string[]
  /** Where the place begins in our lines, from 0. */
  readonly at: number
}

/**
 * Merges two changes of one text, line by line.
 *
 * Lines that each of the three texts has exactly once, in the same order, hold them together; what lies between two of
 * them is merged by itself. Mostly only one side changed there, which needs no library; and the library, whose effort
 * grows with the square of the lines that are alike, never sees more than a few.
 */
export function mergeLines(base: readonly string[], ours: readonly string[], theirs: readonly string[]): MergePart[] {
  const parts: MergePart[] = []
  // Certain stretches of one kind beside each other are one; also one without lines tells of a change.
  let certain: { by: Certain['by']; lines: string[] } | undefined
  const settle = () => {
    if (certain !== undefined) parts.push({ kind: 'certain', ...certain })
    certain = undefined
  }
  let from: Position = [0, 0, 0]
  for (const to of [...anchors(base, ours, theirs), [base.length, ours.length, theirs.length] as const]) {
    const piece = [base.slice(from[0], to[0]), ours.slice(from[1], to[1]), theirs.slice(from[2], to[2])] as const
    for (const part of mergePiece(...piece, from[1])) {
      if (part.kind === 'overlap') {
        settle()
        parts.push(part)
        continue
      }
      if (certain?.by !== part.by) settle()
      certain ??= { by: part.by, lines: [] }
      for (const line of part.lines) certain.lines.push(line)
    }
    from = to
  }
  settle()
  return parts
}

type Certain = Extract<MergePart, { readonly kind: 'certain' }>

/** A line's place in the base, in ours and in theirs. */
type Position = readonly [base: number, ours: number, theirs: number]

function mergePiece(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  at: number,
): readonly MergePart[] {
  if (isSame(ours, base)) return [{ kind: 'certain', by: isSame(theirs, base) ? 'none' : 'theirs', lines: theirs }]
  if (isSame(ours, theirs)) return [{ kind: 'certain', by: 'both', lines: theirs }]
  if (isSame(theirs, base)) return [{ kind: 'certain', by: 'ours', lines: ours }]
  // Only a text with hardly a line of its own comes to this, and the user can tell what is meant.
  if (base.length * Math.max(ours.length, theirs.length) > MOST_PAIRS)
    return [{ kind: 'overlap', ours, base, theirs, at }]
  return diff3MergeRegions([...ours], [...base], [...theirs]).map((region): MergePart => {
    if (region.stable) return { kind: 'certain', by: sides[region.buffer], lines: region.bufferContent }
    const { aContent, oContent, bContent, aStart } = region
    if (isSame(aContent, bContent)) return { kind: 'certain', by: 'both', lines: aContent }
    return { kind: 'overlap', ours: aContent, base: oContent, theirs: bContent, at: at + aStart }
  })
}

const sides = { a: 'ours', o: 'none', b: 'theirs' } as const

const MOST_PAIRS = 250_000

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, at) => line === other[at])
}

function anchors(base: readonly string[], ours: readonly string[], theirs: readonly string[]): readonly Position[] {
  const [inOurs, inTheirs] = [onlyOnes(ours), onlyOnes(theirs)]
  const shared: Position[] = []
  for (const [line, at] of onlyOnes(base)) {
    const [our, their] = [inOurs.get(line), inTheirs.get(line)]
    if (our !== undefined && their !== undefined) shared.push([at, our, their])
  }
  shared.sort((a, b) => a[0] - b[0])
  const inOrder = longestRise(shared, ([, our]) => our)
  return longestRise(inOrder, ([, , their]) => their)
}
