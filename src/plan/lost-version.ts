import { digest } from '../ground/bytes.ts'
import type { LostVersion } from '../model/entry.ts'
import type { Change } from '../model/plan.ts'
import type { Flag } from '../model/response.ts'
import { difference, lineBag } from './damage/line-bag.ts'
import type { Base } from './merge-stale.ts'

/**
 * A whole file, or a delete, that takes lines away from a file that relay wrote once and somebody changed since, where the
 * entry is gone that told what the model knows of it: those lines may be the user's.
 *
 * @param known what the model is known to have seen of the file; with that the two are merged
 * @param lost what is left of the entries that are gone, by path
 */
export function lostVersion(
  { path, before, after, edits }: Change,
  known: readonly Base[],
  lost: ReadonlyMap<string, LostVersion> | undefined,
): readonly Flag[] {
  const version = lost?.get(path)
  if (version === undefined || known.length > 0 || before?.kind !== 'file' || edits !== undefined) return []
  const { number, left } = version
  if (left !== '' && digest('sha256', before.bytes).startsWith(left)) return []
  const [was, is] = [before, after].map(state =>
    lineBag(state?.kind === 'file' ? Buffer.from(state.bytes).toString() : ''),
  )
  if (was === undefined || is === undefined || difference(was, is).size === 0) return []
  const reason = `takes lines away that may be yours: ${path} was changed since #${number}, which is no longer stored`
  return [{ flag: 'older-version', path, reason }]
}
