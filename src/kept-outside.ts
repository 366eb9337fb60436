/** What relay keeps for its user outside every project, where nothing that a project brings can reach it. */
import { basename, dirname, join } from 'node:path'
import type { Files, Stat, System } from './ports.ts'

/** Makes a folder where it is missing, and answers where it really is: people keep parts of their home elsewhere. */
export async function makeFolders(folder: string, files: Files): Promise<string> {
  const real = await files.realPath(folder)
  if (real !== null || dirname(folder) === folder) return real ?? folder
  const above = await makeFolders(dirname(folder), files)
  const made = join(above, basename(folder))
  if (await files.makeFolder(made, 0o700)) await files.sync(above)
  return made
}

/** Written by this user (or root), and by nobody else since: a real file in a real folder that are theirs alone. */
export async function isOwn(path: string, { files, uid }: Pick<System, 'files' | 'uid'>): Promise<boolean> {
  const folder = (await files.realPath(dirname(path))) ?? dirname(path)
  const all = [
    [await files.stat(path), 'file'],
    [await files.stat(folder), 'folder'],
    [await files.stat(dirname(folder)), 'folder'],
  ] as const
  return all.every(([stat, kind]) => stat?.kind === kind && isPrivate(stat, uid))
}

function isPrivate({ uid, mode }: Stat, own: number | undefined): boolean {
  return own === undefined || ((uid === own || uid === 0) && (mode & 0o022) === 0)
}
