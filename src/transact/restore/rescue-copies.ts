import { basename, dirname, join } from 'node:path'
import type { Change } from '../../model/plan.ts'
import type { Rescue } from '../../model/talk.ts'
import type { Layout } from '../layout/layout.ts'

/**
 * Puts copies of files that are about to be replaced aside, synced, before anything replaces them. Answers where each
 * is, relative to the root.
 */
export async function rescueCopies(
  changes: readonly Change[],
  uuid: string,
  layout: Layout,
): Promise<readonly Rescue[]> {
  const { files } = layout
  const rescued: Rescue[] = []
  for (const { path, before } of changes) {
    if (before?.kind !== 'file') continue
    const home = layout.rescue(uuid)
    const place = rescuePlace(path, uuid, layout)
    for (const folder of foldersDown(home, dirname(path))) {
      if (await files.makeFolder(folder, 0o700)) await files.sync(dirname(folder))
    }
    await files.create(place, before.bytes, { mode: 0o600 })
    await files.sync(dirname(place))
    rescued.push({ path, rescue: place.slice(layout.root.length + 1) })
  }
  return rescued
}

/** Removes the copies again: their originals are back in their places. */
export async function removeRescued(rescued: readonly Rescue[], uuid: string, layout: Layout): Promise<void> {
  const { files } = layout
  const home = layout.rescue(uuid)
  for (const { rescue } of rescued) await files.remove(join(layout.root, rescue))
  for (const { path } of rescued) {
    for (const folder of foldersDown(home, dirname(path)).toReversed()) await files.removeFolder(folder)
  }
}

/** What the name of a version that was put aside ends in. */
export const rescueEnding = '.rescued'

/**
 * The place of a version that is put aside, in the rescue folder. Its ending keeps test runners and linters, which enter
 * hidden folders too, from taking it for a file of the project; a name that is too long for that goes without.
 */
export function rescuePlace(path: string, uuid: string, layout: Layout): string {
  const isTooLong = Buffer.byteLength(basename(path)) + rescueEnding.length > 255
  return join(layout.rescue(uuid), isTooLong ? path : `${path}${rescueEnding}`)
}

/** A folder and those below it on the way down a path, outermost first. */
export function foldersDown(home: string, path: string): string[] {
  const folders = [home]
  for (const part of path.split('/')) if (part !== '.') folders.push(join(folders.at(-1) ?? home, part))
  return folders
}
