import { delimiter, isAbsolute, join } from 'node:path'
import { foldersFrom, insideOf } from '../ground/paths.ts'
import type { System } from '../ports.ts'
import { findProjectFolder } from './load-project.ts'

/**
 * The same system with a PATH without this folder and the project or repository around it: relay never starts a program
 * for itself that came with them.
 *
 * The user's home, and the folders above it, stay in the PATH: the user's own programs are there.
 */
export async function outsideProject(folder: string, system: System): Promise<System> {
  const { env, files } = system
  if (env['PATH'] === undefined) return system
  const roots = await rootsOf(folder, system)
  const isOutside = async (path: string) => {
    if (!isAbsolute(path)) return false
    const both = [path, (await files.realPath(path).catch(() => null)) ?? path]
    return !roots.some(root => both.some(each => insideOf(root, each) !== undefined))
  }
  const all = env['PATH'].split(delimiter)
  const are = await Promise.all(all.map(isOutside))
  return { ...system, env: { ...env, PATH: all.filter((_, at) => are[at]).join(delimiter) } }
}

async function rootsOf(folder: string, { files, home }: System): Promise<readonly string[]> {
  const real = (await files.realPath(folder)) ?? folder
  const top = (home === undefined ? null : await files.realPath(home).catch(() => null)) ?? home ?? '/'
  const project = await findProjectFolder({ cwd: real, files })
  const repository = await firstOf(foldersFrom(real), async each => (await files.stat(join(each, '.git'))) !== null)
  const found = [folder, real, project, repository].flatMap(each => each ?? [])
  return found.filter(each => insideOf(each, top) === undefined)
}

async function firstOf(
  folders: readonly string[],
  isIt: (folder: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const folder of folders) if (await isIt(folder)) return folder
  return undefined
}
