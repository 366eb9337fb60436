import type { Flag } from '../model/response.ts'
import type { FoundChange } from './change-file.ts'

/**
 * Flags files that the change summary calls new, while a file with another text is there that no model is known to have seen:
 * the user made it meanwhile, or the model does not know the project.
 *
 * @param called the paths that the summary calls so, and not edited
 * @param isKnown whether it is known what the model saw of a path: what the user did to that since is merged
 */
export function newButThere(
  found: readonly FoundChange[],
  called: ReadonlySet<string>,
  isKnown: (path: string) => boolean,
): Flag[] {
  return found.flatMap(({ change: { path, op, effect, before, edits } }) => {
    if (op !== 'write' || effect !== 'modify' || edits !== undefined || !called.has(path) || isKnown(path)) return []
    if (before?.kind !== 'file' || before.bytes.length === 0) return []
    const reason = 'the change summary calls it new, but it exists with another text'
    return [{ flag: 'summary-mismatch', path, reason }]
  })
}
