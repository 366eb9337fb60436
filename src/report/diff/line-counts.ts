import type { PathState } from '../../model.ts'
import { compareFiles } from './compare-files.ts'

/** How many lines a change adds and removes; `null` where nobody counts them: no text, or too large to be compared. */
export function lineCounts(
  before: PathState,
  after: PathState,
): { readonly added: number | null; readonly removed: number | null } {
  const { added, removed, counted } = compareFiles(before, after)
  return counted ? { added, removed } : { added: null, removed: null }
}
