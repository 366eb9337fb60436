import type { Change } from '../model/plan.ts'
import type { Flag } from '../model/response.ts'
import { type Base, takesBack } from './merge-stale.ts'

/**
 * A whole file that looks made from an older version than the model was given last, as in another chat: it takes back what
 * the user changed between the two, and has nothing of it. It is merged with the older one, and asked about: the model may
 * mean what it takes back.
 *
 * @param known the versions that the model was given, the newest first; what relay wrote since the last pack is no edit
 */
export function olderVersion(
  { path, before, after, edits }: Change,
  [newest, older]: readonly Base[],
): readonly Flag[] {
  if (newest?.isPack !== true || older === undefined) return []
  if (before?.kind !== 'file' || after?.kind !== 'file' || edits !== undefined) return []
  if (!takesBack(after.bytes, older, newest)) return []
  const version = older.isPack ? `that relay packed at ${timeOf(older.at)}` : `from ${older.since}`
  const reason = `looks based on the version ${version}: what you changed between that and the last pack stays`
  return [{ flag: 'older-version', path, reason }]
}

function timeOf(at: Date): string {
  return [at.getHours(), at.getMinutes()].map(each => `${each}`.padStart(2, '0')).join(':')
}
