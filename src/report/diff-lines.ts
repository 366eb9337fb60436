import type { Change } from '../model.ts'
import { compareFiles, type FileComparison } from './compare-files.ts'
import type { Difference } from './compare-lines.ts'
import { describeSize } from './describe-size.ts'

/** One line of a diff before it is painted; texts are still as they came. */
export type DiffLine =
  | { readonly kind: 'file'; readonly change: Change; readonly compared: FileComparison }
  | { readonly kind: 'note'; readonly text: string }
  /** Lines that are the same on both sides are left out here. */
  | { readonly kind: 'gap' }
  /** `number` counts from 1: in the old file for what is removed, in the new one for the rest. */
  | { readonly kind: 'same' | 'added' | 'removed'; readonly number: number; readonly text: string }
  | { readonly kind: 'blank' }

/** The diff of all changes: a head for each file, then each stretch that differs with three lines around it. */
export function diffLines(changes: readonly Change[]): readonly DiffLine[] {
  const real = changes.filter(change => change.effect !== 'none')
  return real.flatMap((change, index) => [...(index > 0 ? [BLANK] : []), ...fileLines(change)])
}

const BLANK: DiffLine = { kind: 'blank' }
const CONTEXT = 3

/** Past so many bytes a file is named, not shown: nobody reads it, and a pager chokes on it. */
const HUGE = 4_194_304

function fileLines(change: Change): readonly DiffLine[] {
  const compared = compareFiles(change.before, change.after)
  const head: DiffLine[] = [
    { kind: 'file', change, compared },
    ...compared.notes.map((text): DiffLine => ({ kind: 'note', text })),
  ]
  if (compared.lines === undefined) return head
  const bytes = Math.max(
    change.before?.kind === 'file' ? change.before.bytes.length : 0,
    change.after?.kind === 'file' ? change.after.bytes.length : 0,
  )
  if (bytes > HUGE) return [...head, { kind: 'note', text: `too large to show: ${describeSize(bytes)}` }]
  return head.concat(hunkLines(compared.lines, compared.differences))
}

function hunkLines(
  { before, after }: { readonly before: readonly string[]; readonly after: readonly string[] },
  differences: readonly Difference[],
): DiffLine[] {
  const lines: DiffLine[] = []
  /** How much of the new file has been shown or left out. */
  let at = 0
  const show = (kind: 'same' | 'added' | 'removed', from: number, to: number) => {
    const texts = kind === 'removed' ? before : after
    for (let n = from; n < to; n++) lines.push({ kind, number: n + 1, text: texts[n] ?? '' })
  }
  differences.forEach((difference, index) => {
    const first = Math.max(at, difference.afterStart - CONTEXT)
    if (index > 0 && first > at) lines.push({ kind: 'gap' })
    show('same', first, difference.afterStart)
    show('removed', difference.beforeStart, difference.beforeEnd)
    show('added', difference.afterStart, difference.afterEnd)
    const next = differences[index + 1]?.afterStart ?? after.length
    at = Math.min(difference.afterEnd + CONTEXT, next)
    show('same', difference.afterEnd, at)
  })
  return lines
}
