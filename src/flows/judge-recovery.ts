import type { Change } from '../model/plan.ts'
import type { Flag } from '../model/response.ts'
import { type DoubtRules, sensitiveFlags } from '../plan/doubts.ts'
import { isSafePlace } from '../plan/undone-files.ts'

/**
 * Judges the changes of a recovery that was not begun here like those of a patch. Returns the sensitive changes as flags, or
 * `undefined` when a change reaches a place that no patch may touch.
 */
export function judgeRecovery(rules: DoubtRules): (changes: readonly Change[]) => readonly Flag[] | undefined {
  return changes => {
    const isSafe = changes.every(({ path, target }) => isSafePlace(path) && isSafePlace(target))
    return isSafe ? sensitiveFlags(changes, rules) : undefined
  }
}
