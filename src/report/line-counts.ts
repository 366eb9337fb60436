import type { PathState } from '../model.ts'
import { compareFiles } from './compare-files.ts'

/** How many lines a change adds and removes; for what is no text, that it is not. */
export function lineCounts(
  before: PathState,
  after: PathState,
): { readonly added: number; readonly removed: number; readonly binary: boolean } {
  const { lines, added, removed } = compareFiles(before, after)
  return { added, removed, binary: lines === undefined }
}
