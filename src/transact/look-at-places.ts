import { join } from 'node:path'
import type { PathState } from '../model.ts'
import type { Files } from '../ports.ts'
import { inFlight } from './in-flight.ts'

/** What stands at a place now; what no entry could hold is only named. */
export type PlaceState = PathState | { readonly kind: 'folder' } | { readonly kind: 'other' }

/** What stands at each of some places, which are relative to the root; links are not followed. */
export async function lookAtPlaces(places: readonly string[], root: string, files: Files): Promise<PlaceState[]> {
  return inFlight(places, async (place): Promise<PlaceState> => {
    const path = join(root, place)
    // Where a folder on the way has become a file, nothing is at the place.
    const found = await files.stat(path).catch(() => null)
    if (found === null) return null
    if (found.kind === 'link') return { kind: 'link', to: await files.readLink(path) }
    if (found.kind === 'folder' || found.kind === 'other') return { kind: found.kind }
    const bytes = await files.read(path)
    return bytes === null ? null : { kind: 'file', bytes, mode: found.mode }
  })
}
