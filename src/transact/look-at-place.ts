import type { PathState } from '../model.ts'
import type { Files } from '../ports.ts'

/** What stands at a place now; what no entry could hold is only named. */
export type PlaceState = PathState | { readonly kind: 'folder' } | { readonly kind: 'other' }

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
