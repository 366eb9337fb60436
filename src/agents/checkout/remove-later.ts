import { basename, join } from 'node:path'
import { makeFolders } from '../../state-files.ts'
import type { Doors } from './program.ts'
import { removeAll } from './remove-all.ts'

/** The folder of the state folder in which lies what is still to be removed. */
export function removedFolder(stateFolder: string): string {
  return join(stateFolder, 'removed')
}

/**
 * Takes relay's own files and folders away: their names are free afterwards, and the rest is done when the command has said its
 * last word (`removeForGood`). What cannot be removed stays, and is no failure of the work: a later run tries again.
 */
export async function removeLater(paths: readonly string[], system: Doors): Promise<void> {
  const { files, stateFolder } = system
  const there: string[] = []
  for (const path of paths) if ((await files.stat(path)) !== null) there.push(path)
  if (there.length === 0) return
  const into = stateFolder === undefined ? undefined : await newFolder(stateFolder, system).catch(() => undefined)
  for (const path of there) {
    const moved = into !== undefined && (await moveInto(into, path, system))
    // On another disk, or a folder that an agent left without write permission.
    if (!moved) await removeAll([path], '/', system).catch(() => undefined)
  }
}

async function newFolder(stateFolder: string, { files }: Doors): Promise<string> {
  const above = await makeFolders(removedFolder(stateFolder), files)
  for (let number = 1; ; number++) {
    const folder = join(above, String(number))
    if (await files.makeFolder(folder, 0o700)) return folder
  }
}

async function moveInto(folder: string, path: string, { files }: Doors): Promise<boolean> {
  try {
    await files.rename(path, join(folder, basename(path)))
    return true
  } catch {
    return false
  }
}
