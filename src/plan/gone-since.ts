import type { Entry } from '../model/entry.ts'
import type { Flag } from '../model/response.ts'
import { isOf } from './base-of.ts'
import type { FoundChange } from './change-file.ts'
import { changesOf } from './entry-changes.ts'

/**
 * Flags whole files for paths at which relay left a file that is not there any more: the model answers to a project as it was,
 * and would bring back what the user removed, or a second one beside what was renamed.
 *
 * @param entries those about each path, the newest first
 * @param again the uuid of the answer, where it is taken once more: then its file is wanted back
 */
export function goneSince(
  found: readonly FoundChange[],
  entries: ReadonlyMap<string, readonly Entry[]>,
  again: string | undefined,
): Flag[] {
  return found.flatMap(({ change: { path, effect } }) => {
    if (effect !== 'create') return []
    const newest = entries.get(path)?.find(entry => !isOf(entry, again))
    const reason = newest && whyGone(path, newest)
    return reason === undefined ? [] : [{ flag: 'summary-mismatch', path, reason }]
  })
}

/** Nothing of what an answer deletes, for the model knows of that, nor of what goes as its answer is taken back. */
function whyGone(path: string, entry: Entry): string | undefined {
  const { number, source } = entry
  const changes = changesOf(entry)
  const left = changes.find(change => change.path === path)?.after
  if (left !== null) return left && `you removed or moved ${path} since #${number}`
  const to = changes.find(({ renamedFrom }) => renamedFrom === path)?.path
  const isTakenBack = source === 'undo' || source === 'revert'
  return to === undefined || isTakenBack ? undefined : `${path} no longer exists (renamed to ${to} in #${number})`
}
