import { dirname, join } from 'node:path'
import type { Files } from '../../ports.ts'
import { inFlight } from '../disk/in-flight.ts'
import type { Move } from '../entry/moves.ts'
import type { Layout } from '../layout/layout.ts'
import type { Stage } from '../layout/stage.ts'

/**
 * Brings what will be taken out of its place to the disk. What somebody saved a moment ago may not be there yet: after a
 * power cut the stage would hold an empty file, or an older text, for the original. Their folders are brought there as
 * well, for whether that can be done must show before anything is touched. After `signal` aborts no further one, and none
 * may be taken out of its place.
 */
export async function syncOriginals(
  moves: readonly Move[],
  changedFolders: readonly string[],
  { root, files }: Layout,
  signal: AbortSignal,
): Promise<void> {
  const bringToDisk = async ({ before, target }: Move) => {
    const place = join(root, target)
    // Whatever else is there by now is a conflict, which the swap finds.
    const isThere = async () => (await files.stat(place))?.kind === 'file'
    if (before.kind !== 'file' || !(await isThere())) return
    await files.sync(place).catch(async error => {
      if (await isThere()) throw error
    })
  }
  await inFlight(moves, bringToDisk, signal)
  // One that this user may change and not read can be brought to the disk neither then nor on the way back.
  await inFlight(touchedFolders(moves, changedFolders, root), folder => syncIfThere(folder, files), signal)
}

async function syncIfThere(folder: string, files: Files): Promise<void> {
  if ((await files.stat(folder)) !== null) await files.sync(folder)
}

/** The folders in which names change. */
function touchedFolders(moves: readonly Move[], changedFolders: readonly string[], root: string): readonly string[] {
  const folders = new Set<string>()
  for (const { target, aside } of moves) {
    folders.add(dirname(join(root, target)))
    if (aside !== undefined) folders.add(join(root, aside))
  }
  for (const folder of changedFolders) folders.add(dirname(join(root, folder)))
  return [...folders]
}

/**
 * Brings the names that were changed to the disk: those in the touched folders, in the stage, and the folders' own. Where
 * the originals went comes before where they were: of a file that moved, a power cut on btrfs can take the new name and
 * leave the old one gone.
 */
export async function syncTouched(
  moves: readonly Move[],
  changedFolders: readonly string[],
  stage: Stage,
  originalsWent: 'into the stage' | 'into their places' = 'into the stage',
): Promise<void> {
  const { root, files } = stage.layout
  const order = [[stage.folder], touchedFolders(moves, changedFolders, root)]
  for (const some of originalsWent === 'into the stage' ? order : order.toReversed()) {
    await inFlight(some, folder => syncIfThere(folder, files))
  }
}
