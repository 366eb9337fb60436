import { basename, dirname, join } from 'node:path'
import type { Change } from '../../model/plan.ts'
import type { Rescue } from '../../model/talk.ts'
import type { Layout } from '../layout/layout.ts'

/** Puts synced copies of files aside before these are replaced. Answers where each copy is, relative to the root. */
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

/** Call this when the originals are back in their places. */
export async function removeRescued(rescued: readonly Rescue[], uuid: string, layout: Layout): Promise<void> {
  const { files } = layout
  const home = layout.rescue(uuid)
  for (const { rescue } of rescued) await files.remove(join(layout.root, rescue))
  for (const { path } of rescued) {
    for (const folder of foldersDown(home, dirname(path)).toReversed()) await files.removeFolder(folder)
  }
}

export const rescueEnding = '.rescued'

/**
 * Test runners and linters enter hidden folders too: the ending keeps them from taking a rescued version for a file of
 * the project. A name that is too long gets no ending.
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
