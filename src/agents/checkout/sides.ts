import { dirname, join } from 'node:path'
import type { Doors } from './program.ts'

/** A folder and what stands for it: the user's, and the one in which the agent works. */
export interface Sides {
  readonly top: string
  readonly work: string
}

/** Links a path of the checkout to a place of the user's; `false` where something stands there already. */
export async function linkAt(path: string, real: string, { work }: Sides, { files }: Doors): Promise<boolean> {
  return (await makeFolders(dirname(path), work, files)) && (await files.symlink(real, join(work, path))) === 'linked'
}

/** Makes a folder in another one, with those between; `false` where a file or a link stands on the way. */
export async function makeFolders(path: string, within: string, files: Doors['files']): Promise<boolean> {
  if (path === '.') return true
  if (!(await makeFolders(dirname(path), within, files))) return false
  const folder = join(within, path)
  return (await files.makeFolder(folder)) || (await files.stat(folder))?.kind === 'folder'
}
