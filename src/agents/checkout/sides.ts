import { dirname, join } from 'node:path'
import type { Doors } from './program.ts'

/** The user's folder, and the copy of it in which the agent works. */
export interface Sides {
  readonly top: string
  readonly work: string
}

/** Links a path of the checkout to the user's file or folder. Gives `false` where something exists there already. */
export async function linkAt(path: string, real: string, { work }: Sides, { files }: Doors): Promise<boolean> {
  return (await makeFolders(dirname(path), work, files)) && (await files.symlink(real, join(work, path))) === 'linked'
}

/** Makes a folder below `within`, with its parents. Gives `false` where a file or a link is in the way. */
export async function makeFolders(path: string, within: string, files: Doors['files']): Promise<boolean> {
  if (path === '.') return true
  if (!(await makeFolders(dirname(path), within, files))) return false
  const folder = join(within, path)
  return (await files.makeFolder(folder)) || (await files.stat(folder))?.kind === 'folder'
}
