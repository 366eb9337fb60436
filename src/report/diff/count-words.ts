import type { Style } from '../text/style.ts'
import type { FileComparison } from './compare-files.ts'

/** Lines that a change adds and removes. */
export interface Counts {
  readonly added: number
  readonly removed: number
  /** Files whose lines nobody counts: no text, or too large to be compared. */
  readonly uncounted: number
}

/** What the files come to together. */
export function countsOf(compared: readonly FileComparison[]): Counts {
  return {
    added: compared.reduce((sum, { added }) => sum + added, 0),
    removed: compared.reduce((sum, { removed }) => sum + removed, 0),
    uncounted: compared.filter(({ counted }) => !counted).length,
  }
}

/** `+19 -3`, `+19 -3, 1 not counted`; with a style in its colours. */
export function countWords({ added, removed, uncounted }: Counts, style?: Style): string {
  const [plus, minus] = [`+${added}`, `-${removed}`]
  const counts = style === undefined ? `${plus} ${minus}` : `${style.paint.ok(plus)} ${style.paint.fail(minus)}`
  if (uncounted === 0) return counts
  return added + removed === 0 ? 'not counted' : `${counts}, ${uncounted} not counted`
}
