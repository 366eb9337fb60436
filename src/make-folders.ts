import { basename, dirname, join } from 'node:path'
import type { Files } from './ports.ts'

/** Makes a folder where it is missing, and answers where it really is: people keep parts of their home elsewhere. */
export async function makeFolders(folder: string, files: Files): Promise<string> {
  const real = await files.realPath(folder)
  if (real !== null || dirname(folder) === folder) return real ?? folder
  const above = await makeFolders(dirname(folder), files)
  const made = join(above, basename(folder))
  if (await files.makeFolder(made, 0o700)) await files.sync(above)
  return made
}
