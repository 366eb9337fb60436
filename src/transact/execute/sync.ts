import { dirname, join } from 'node:path'
import type { Files } from '../../ports.ts'
import { inFlight } from '../disk/in-flight.ts'
import type { Move } from '../entry/moves.ts'
import type { Layout } from '../layout/layout.ts'
import type { Stage } from '../layout/stage.ts'

/**
 * Syncs the files that will be taken out of their places. A file that was saved a moment ago may not be on the disk
 * yet: after a power cut the stage would hold an empty file, or an older text, instead of the original. Their folders
 * are synced too, so that a failure shows before any file is touched. After `signal` aborts no further file is synced,
 * and the caller must not take any out of its place.
 */
export async function syncOriginals(
  moves: readonly Move[],
  changedFolders: readonly string[],
  { root, files }: Layout,
  signal: AbortSignal,
): Promise<void> {
  const bringToDisk = async ({ before, target }: Move) => {
    const place = join(root, target)
    // If something else is there by now, the swap finds the conflict.
    const isThere = async () => (await files.stat(place))?.kind === 'file'
    if (before.kind !== 'file' || !(await isThere())) return
    await files.sync(place).catch(async error => {
      if (await isThere()) throw error
    })
  }
  await inFlight(moves, bringToDisk, signal)
  // A folder that the user may change but not read cannot be synced, now or in a rollback.
  await inFlight(touchedFolders(moves, changedFolders, root), folder => syncIfThere(folder, files), signal)
}

async function syncIfThere(folder: string, files: Files): Promise<void> {
  if ((await files.stat(folder)) !== null) await files.sync(folder)
}

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
 * Syncs the changed names: in the touched folders, in the stage, and those of the folders themselves. The stage comes
 * first: on btrfs a power cut can lose a moved file, with its new name not yet on the disk and its old one gone.
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
