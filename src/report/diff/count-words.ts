import type { Style } from '../text/style.ts'
import type { FileComparison } from './compare-files.ts'

/** Lines that a change adds and removes. */
export interface Counts {
  readonly added: number
  readonly removed: number
  /** Files that are no text, or too large to compare. */
  readonly uncounted: number
}

export function countsOf(files: readonly { readonly compared: FileComparison }[]): Counts {
  return {
    added: files.reduce((sum, { compared }) => sum + compared.added, 0),
    removed: files.reduce((sum, { compared }) => sum + compared.removed, 0),
    uncounted: files.filter(({ compared }) => !compared.counted).length,
  }
}

/** `+19 -3`, `+19 -3, 1 not counted`; with a style, in its colours. */
export function countWords({ added, removed, uncounted }: Counts, style?: Style): string {
  const [plus, minus] = [`+${added}`, `-${removed}`]
  const counts = style === undefined ? `${plus} ${minus}` : `${style.paint.ok(plus)} ${style.paint.fail(minus)}`
  if (uncounted === 0) return counts
  return added + removed === 0 ? 'not counted' : `${counts}, ${uncounted} not counted`
}
