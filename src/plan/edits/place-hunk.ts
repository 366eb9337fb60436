import { diffArrays } from 'diff'
import type { Hunk } from '../../model/response.ts'
import { type Finder, mostPlaces, type Place } from './find-place.ts'

/** What one edit does to the lines of a file. */
export interface PlacedHunk {
  readonly hunk: Hunk
  /** The lines that it names, from a 0-based line on; only to look for overlaps. */
  readonly from: number
  readonly to: number
  /** In order, and apart from each other. */
  readonly swaps: readonly Swap[]
}

/** Lines that go, from a 0-based line on, and those that come in their place. */
export interface Swap {
  readonly at: number
  readonly gone: number
  readonly come: readonly string[]
}

export type Placing =
  | { readonly kind: 'placed'; readonly placed: PlacedHunk }
  /**
   * Its result stands there: to apply it again would be once too often. No other edit may change that. `unless`: what it is
   * where others of its file apply, for nothing but the lines that it brings tells of the place.
   */
  | { readonly kind: 'already'; readonly placed: PlacedHunk; readonly unless?: Nowhere }
  | Nowhere
  /** The lines stand at several of the file's places; 0-based. */
  | { readonly kind: 'several'; readonly at: readonly number[] }
  /** It says nothing about where it goes. */
  | { readonly kind: 'placeless' }

/** The lines stand at none of the file's places; 0-based. */
interface Nowhere {
  readonly kind: 'nowhere'
  readonly nearest: number | undefined
}

/**
 * Finds the one place of an edit in the lines of a file.
 *
 * The old lines must stand at one place on the strictest rung on which they stand at all. Where they stand at several, lines
 * named as above it may leave one. Numbers, order and likeness never do.
 */
export function placeHunk(hunk: Hunk, lines: readonly string[], finder: Finder): Placing {
  const loose = hunk.looseBlanks ?? 0
  const placing = placeLines(hunk, hunk.lines, lines, finder)
  if (placing.kind !== 'nowhere' || loose === 0) return placing
  // Blank lines at its end may only set it apart from what follows.
  return placeLines(hunk, hunk.lines.slice(0, -loose), lines, finder)
}

function placeLines(hunk: Hunk, signed: readonly string[], lines: readonly string[], finder: Finder): Placing {
  const steps = stepsOf(signed)
  const old = without('+', steps)
  if (old.length === 0 && (hunk.atEnd === true || lines.length === 0)) {
    return placedAt(hunk, steps, { at: lines.length, shift: line => line }, lines, finder)
  }
  if (old.every(line => line.trim() === '')) return { kind: 'placeless' }

  const found = finder.find(old)
  if (found.kind === 'none') return madeAlready(hunk, steps, { kind: 'nowhere', nearest: finder.nearest(old) }, finder)
  const all = found.kind === 'one' ? [found.place] : found.places
  const [place, ...others] = narrowed(all, old.length, hunk, lines)
  if (place === undefined || others.length > 0) return { kind: 'several', at: all.map(({ at }) => at) }
  // Where the old lines stand just so and some of them are to go, the edit was not made yet.
  if (found.rung === 'exact') return placedAt(hunk, steps, place, lines, steps.some(goes) ? undefined : finder)
  const other = otherPlace(steps, place, finder)
  return other === undefined ? placedAt(hunk, steps, place, lines, finder) : { kind: 'several', at: [place.at, other] }
}

/** An edit whose old lines stand nowhere: its new ones may, in one place. */
function madeAlready(hunk: Hunk, steps: readonly Step[], nowhere: Nowhere, finder: Finder): Placing {
  const now = without('-', steps)
  const there = showsWhole(steps) ? finder.find(now) : undefined
  if (there?.kind !== 'one') return nowhere
  const found = already(hunk, there.place.at, now)
  return keepsLine(steps) ? found : { ...found, unless: nowhere }
}

function already(hunk: Hunk, from: number, now: readonly string[]): Extract<Placing, { kind: 'already' }> {
  return { kind: 'already', placed: { hunk, from, to: from + now.length, swaps: [] } }
}

/** Whether a line that says something is in the old lines and in the new ones: it tells the place of both. */
function keepsLine(steps: readonly Step[]): boolean {
  return steps.some(({ sign, text }) => sign === ' ' && text.trim() !== '')
}

/** Where the result of an edit stands just so, while its old lines stand elsewhere only nearly: which was meant is not certain. */
function otherPlace(steps: readonly Step[], place: Place, finder: Finder): number | undefined {
  if (!showsWhole(steps)) return undefined
  const result = finder.find(without('-', steps))
  return result.kind === 'one' && result.rung === 'exact' && result.place.at !== place.at ? result.place.at : undefined
}

function without(sign: '-' | '+', steps: readonly Step[]): readonly string[] {
  return steps.flatMap(step => (step.sign === sign ? [] : [step.text]))
}

interface Step {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** How many changes are looked for between the lines that go and those that come; beyond that all are changed. */
const mostChanges = 500

/** The lines of an edit. What goes and comes back just so stays: it keeps the bytes that it has in the file. */
function stepsOf(signed: readonly string[]): readonly Step[] {
  const steps: Step[] = []
  for (let at = 0; at < signed.length; ) {
    const line = signed[at] ?? ''
    if (line.startsWith(' ')) {
      steps.push({ sign: ' ', text: line.slice(1) })
      at++
      continue
    }
    const from = at
    while (at < signed.length && !signed[at]?.startsWith(' ')) at++
    const run = signed.slice(from, at)
    const [gone, come] = ['-', '+'].map(sign => run.flatMap(each => (each.startsWith(sign) ? [each.slice(1)] : [])))
    steps.push(...between(gone ?? [], come ?? []))
  }
  return steps
}

function between(gone: readonly string[], come: readonly string[]): readonly Step[] {
  const known = new Set(gone)
  const changes = come.some(line => known.has(line))
    ? diffArrays([...gone], [...come], { maxEditLength: mostChanges })
    : undefined
  if (changes === undefined) {
    return [...gone.map((text): Step => ({ sign: '-', text })), ...come.map((text): Step => ({ sign: '+', text }))]
  }
  return changes.flatMap(({ value, added, removed }) =>
    value.map((text): Step => ({ sign: added ? '+' : removed ? '-' : ' ', text })),
  )
}

/**
 * Whether the result tells by itself that the edit was made: something comes that holds a word, or what goes has lines that
 * stay on both sides.
 */
function showsWhole(steps: readonly Step[]): boolean {
  const isFilled = ({ text }: Step) => text.trim() !== ''
  if (steps.some(step => step.sign === '+' && isFilled(step))) return true
  const staying = steps.flatMap((step, at) => (step.sign === ' ' && isFilled(step) ? [at] : []))
  const going = steps.flatMap((step, at) => (step.sign === '-' ? [at] : []))
  const [first = Number.POSITIVE_INFINITY, last = -1] = [staying[0], staying.at(-1)]
  return going.length > 0 && going.every(at => first < at && at < last)
}

function goes({ sign }: Step): boolean {
  return sign === '-'
}

/** @param finder to look whether the edit was made already; without it, it was not */
function placedAt(
  hunk: Hunk,
  steps: readonly Step[],
  place: Place,
  lines: readonly string[],
  finder: Finder | undefined,
): Placing {
  const swaps: { at: number; gone: number; come: string[] }[] = []
  let at = place.at
  let isOpen = false
  for (const { sign, text } of steps) {
    if (sign === ' ') {
      at++
      isOpen = false
      continue
    }
    if (!isOpen) swaps.push({ at, gone: 0, come: [] })
    isOpen = true
    const swap = swaps.at(-1)
    if (swap === undefined) continue
    if (sign === '-') {
      swap.gone++
      at++
      continue
    }
    const come = place.shift(text)
    if (come === undefined) return { kind: 'nowhere', nearest: place.at }
    swap.come.push(come)
  }
  const now = steps.flatMap(step => (step.sign === '-' ? [] : [place.shift(step.text) ?? step.text]))
  const there = finder && standsAlready(steps, now, place, lines, finder)
  if (there !== undefined) return already(hunk, there, now)
  return { kind: 'placed', placed: { hunk, from: place.at, to: at, swaps } }
}

/** Where what an edit adds stands already around the lines that stay. */
function standsAlready(
  steps: readonly Step[],
  now: readonly string[],
  place: Place,
  lines: readonly string[],
  finder: Finder,
): number | undefined {
  if (steps.every(({ sign }) => sign !== '+')) return undefined
  const staying: number[] = []
  let [inOld, inNew] = [0, 0]
  for (const { sign } of steps) {
    if (sign === ' ') staying.push(inOld - inNew)
    if (sign !== '+') inOld++
    if (sign !== '-') inNew++
  }
  // The old lines stand in a row here, so that the new ones can stand only in front of them, behind, or around all.
  const offsets = new Set(staying.slice(0, 1).concat(staying.slice(-1)))
  // At the end of the file nothing stays: there its lines are the last ones.
  if (place.at === lines.length) offsets.add(-now.length)
  // Where nothing but blanks at the ends changes, the old lines would pass for the new ones.
  const old = without('+', steps)
  if (now.length === old.length && old.every((line, index) => lines[place.at + index] === line)) offsets.delete(0)
  return [...offsets].map(offset => place.at + offset).find(at => finder.standsAt(now, at))
}

/**
 * The places that the lines named above leave: those within what stands below such a line, or at the end of the file. Where
 * none is within, those that stand anywhere below the first one.
 */
function narrowed(places: readonly Place[], length: number, hunk: Hunk, lines: readonly string[]): readonly Place[] {
  // Of very many, more were not looked for.
  if (places.length === 1 || places.length === mostPlaces) return places
  const left = hunk.atEnd === true ? places.filter(({ at }) => at + length === lines.length) : places
  let within: readonly Range[] = [{ from: 0, to: lines.length }]
  for (const name of hunk.below ?? []) {
    const ranges = within.flatMap(range => rangesBelow(name, range, lines))
    if (ranges.length === 0) break
    within = ranges
  }
  const inside = left.filter(({ at }) => within.some(({ from, to }) => from <= at && at < to))
  return inside.length > 0 ? inside : left.filter(({ at }) => at >= (within[0]?.from ?? 0))
}

interface Range {
  readonly from: number
  readonly to: number
}

/**
 * What stands below a line: up to the next one that is indented no more and that git would name in its stead. It names none
 * that begin with a sign, a number or a letter beyond ASCII.
 */
function rangesBelow(name: string, { from, to }: Range, lines: readonly string[]): readonly Range[] {
  const wanted = name.trim()
  const ranges: Range[] = []
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? ''
    // git cuts the line that it names.
    if (!line.trimStart().startsWith(wanted)) continue
    const indent = line.length - line.trimStart().length
    const begins = new RegExp(`^[ \\t]{0,${Math.min(indent, 1000)}}[A-Za-z_$]`)
    let end = at + 1
    while (end < to && !begins.test(lines[end] ?? '')) end++
    ranges.push({ from: at, to: end })
    at = end - 1
  }
  return ranges
}
