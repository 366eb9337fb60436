import type { Change } from '../../model/plan.ts'
import { lineCounts } from '../diff/compare-files.ts'

/** A content that is no text has no lines to count. */
export function fileJson({ path, target, effect, before, after }: Change) {
  return { path, target, effect, ...lineCounts(before, after) }
}
