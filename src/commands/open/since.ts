import { isSameContent, isSameState } from '../../model/path-state.ts'
import type { Change, PathState } from '../../model/plan.ts'
import type { Files } from '../../ports.ts'
import { lineCounts } from '../../report/diff/compare-files.ts'

/** What became of a file since: a fact about its content, not a guess about who it was. */
export interface Since {
  readonly kind: 'as-kept' | 'as-before' | 'changed' | 'deleted' | 'other-kind'
  /** Empty: it is as it was kept. */
  readonly words: string
}

/** Compares what stands there now with what one change left, then with what was before it. */
export function sinceOf({ before, after }: Change, now: PlaceState): Since {
  if (now?.kind === 'folder' || now?.kind === 'other') {
    return { kind: 'other-kind', words: now.kind === 'folder' ? 'a folder now' : 'no regular file now' }
  }
  if (isSameState(after, now) || isSameContent(after, now)) return { kind: 'as-kept', words: '' }
  if (isSameState(before, now) || isSameContent(before, now)) return { kind: 'as-before', words: 'as before it' }
  if (now === null) return { kind: 'deleted', words: 'deleted since' }
  if (now.kind === 'link') return { kind: 'other-kind', words: 'a link now' }
  if (after === null) return { kind: 'changed', words: 'there again' }
  const { added, removed } = lineCounts(after, now)
  return { kind: 'changed', words: added === null ? 'changed since' : `changed since +${added} -${removed}` }
}

/** What stands at a place now; what no entry could hold is only named. */
type PlaceState = PathState | { readonly kind: 'folder' } | { readonly kind: 'other' }

/** What stands at a place; a link is not followed. */
export async function lookAtPlace(path: string, files: Files): Promise<PlaceState> {
  // Where a folder on the way has become a file, nothing is at the place.
  const found = await files.stat(path).catch(() => null)
  if (found === null) return null
  if (found.kind === 'link') return { kind: 'link', to: await files.readLink(path) }
  if (found.kind === 'folder' || found.kind === 'other') return { kind: found.kind }
  const bytes = await files.read(path)
  return bytes === null ? null : { kind: 'file', bytes, mode: found.mode }
}
