import { isUtf8 } from 'node:buffer'
import { bufferOf } from '../ground/bytes.ts'
import type { OverlapPlace } from '../model/stale.ts'
import { type MergePart, mergeLines, type OverlapPart } from './merge-lines.ts'

export type MergedFile =
  | { readonly kind: 'clean'; readonly bytes: Uint8Array; readonly sides: MergedSides }
  | {
      readonly kind: 'overlap'
      readonly places: readonly OverlapPlace[]
      /** Ours and theirs one below the other at each place, between conflict markers as git has them. */
      readonly marked: Uint8Array
    }
  /** One of them is no text. */
  | { readonly kind: 'binary' }

/** How many stretches only we changed, and how many both changed alike. */
export interface MergedSides {
  readonly ours: number
  readonly both: number
}

/**
 * Merges two changes of one file: what each of them changed alone is taken, byte order mark and line ends as well. `settle`
 * may decide about a place that both changed.
 */
export function mergeFiles(
  files: { readonly base: Uint8Array; readonly ours: Uint8Array; readonly theirs: Uint8Array },
  labels: { readonly ours: string; readonly theirs: string },
  settle: (part: OverlapPart) => MergePart = part => part,
): MergedFile {
  const [base, ours, theirs] = [readLines(files.base), readLines(files.ours), readLines(files.theirs)]
  if (base === undefined || ours === undefined || theirs === undefined) return { kind: 'binary' }
  const mark = pick(base.mark, ours.mark, theirs.mark)
  const crlf = ends(base, ours, theirs)
  const texts = [base, ours, theirs].map(({ lines }) => (crlf === undefined ? lines : lines.map(withoutReturn)))
  const parts = mergeLines(texts[0] ?? [], texts[1] ?? [], texts[2] ?? []).map(part =>
    part.kind === 'overlap' ? settle(part) : part,
  )
  const print = (lines: readonly string[]) => {
    const text = lines.join('')
    return new TextEncoder().encode((mark ? '\ufeff' : '') + (crlf === true ? text.replaceAll('\n', '\r\n') : text))
  }
  const overlaps = parts.filter(part => part.kind === 'overlap')
  const count = (by: 'ours' | 'both') => parts.filter(part => part.kind === 'certain' && part.by === by).length
  const sides = { ours: count('ours'), both: count('both') }
  if (overlaps.length === 0) {
    return { kind: 'clean', sides, bytes: print(parts.flatMap(part => (part.kind === 'certain' ? part.lines : []))) }
  }
  return {
    kind: 'overlap',
    places: overlaps.map(part => ({ line: part.at + 1, ours: part.ours.map(bare), theirs: part.theirs.map(bare) })),
    marked: print(parts.flatMap(part => markedLines(part, labels, crlf === undefined && ours.isCrlf !== false))),
  }
}

interface Lines {
  /** With their ends. */
  readonly lines: readonly string[]
  readonly mark: boolean
  /** `undefined`: both kinds of line ends, or no line has one. */
  readonly isCrlf: boolean | undefined
}

function readLines(bytes: Uint8Array): Lines | undefined {
  if (bytes.includes(0) || !isUtf8(bytes)) return undefined
  const whole = bufferOf(bytes).toString('utf8')
  const mark = whole.startsWith('\ufeff')
  const text = mark ? whole.slice(1) : whole
  const lines = text === '' ? [] : text.split(/(?<=\n)/)
  const all = lines.filter(line => line.endsWith('\n')).length
  const crlf = lines.filter(line => line.endsWith('\r\n')).length
  return { lines, mark, isCrlf: all === 0 || (crlf > 0 && crlf < all) ? undefined : crlf > 0 }
}

/** Whoever differs from the base decides. */
function pick<T>(base: T, ours: T, theirs: T): T {
  return ours === base ? theirs : ours
}

/**
 * The line ends of the result where each of the three has but one kind (or none), so that a whole file converted from
 * one kind to the other still merges line by line; `undefined` where line ends have to be merged with their lines.
 */
function ends(base: Lines, ours: Lines, theirs: Lines): boolean | undefined {
  const known = [base, ours, theirs]
  if (known.some(({ lines, isCrlf }) => isCrlf === undefined && lines.length > 1)) return undefined
  const [any] = known.flatMap(({ isCrlf }) => isCrlf ?? [])
  const kind = ({ isCrlf }: Lines) => isCrlf ?? any ?? false
  return pick(kind(base), kind(ours), kind(theirs))
}

function withoutReturn(line: string): string {
  return line.endsWith('\r\n') ? `${line.slice(0, -2)}\n` : line
}

function bare(line: string): string {
  return line.replace(/\r?\n$/, '')
}

function markedLines(
  part: MergePart,
  labels: { readonly ours: string; readonly theirs: string },
  isMixed: boolean,
): readonly string[] {
  if (part.kind === 'certain') return part.lines
  const end = isMixed && [...part.ours, ...part.theirs].some(line => line.endsWith('\r\n')) ? '\r\n' : '\n'
  const closed = (lines: readonly string[]) => lines.map(line => (line.endsWith('\n') ? line : line + end))
  return [
    `<<<<<<< ${labels.ours}${end}`,
    ...closed(part.ours),
    `=======${end}`,
    ...closed(part.theirs),
    `>>>>>>> ${labels.theirs}${end}`,
  ]
}
