import type { PathState } from '../model.ts'
import { compareFiles } from './compare-files.ts'

/** How many lines a change adds and removes; `binary`: it is no text, or too large to be read as one. */
export function lineCounts(
  before: PathState,
  after: PathState,
): { readonly added: number; readonly removed: number; readonly binary: boolean } {
  const { lines, added, removed } = compareFiles(before, after)
  return { added, removed, binary: lines === undefined }
}
