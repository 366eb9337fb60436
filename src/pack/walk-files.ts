import { join } from 'node:path'
import { toolFolders } from '../ground/paths.ts'
import { protectedPlace } from '../ground/protected-place.ts'
import type { Files } from '../ports.ts'
import { type IgnoreRules, ignoreRules } from './git-ignore.ts'

export interface FoundFile {
  readonly path: string
  readonly bytes: number
}

/**
 * All files that people wrote: without links, ignored files, and folders that tools fill. Enters only folders that are
 * wanted, whose paths end with a slash. Folders that cannot be read are passed over.
 */
export async function* walkFiles(
  root: string,
  files: Files,
  isWanted: (folder: string) => boolean,
): AsyncGenerator<FoundFile> {
  const folders: (readonly [folder: string, rules: IgnoreRules])[] = [['', await ignoreRules(root, files)]]
  for (const [folder, rules] of folders) {
    const found = (await namesIn(folder, root, files)).filter(({ path }) => !rules.ignores(path))
    for (const { path, isFolder } of found) {
      if (isFolder && isWanted(path)) folders.push([path, await rules.enter(path)])
    }
    for (const { path, isFolder } of found) {
      const stat = isFolder ? null : await files.stat(join(root, path)).catch(() => null)
      if (stat?.kind === 'file') yield { path, bytes: stat.size }
    }
  }
}

async function namesIn(folder: string, root: string, files: Files) {
  const at = join(root, folder)
  const names = (await files.list(at).catch(() => null)) ?? []
  const kinds = await files.listKinds(at).catch(() => null)
  const [links, folders] = [new Set(kinds?.links), new Set(kinds?.folders)]
  return names
    .filter(name => !links.has(name) && protectedPlace(name) === undefined)
    .filter(name => !folders.has(name) || !toolFolders.test(name))
    .map(name => ({ path: folder + name + (folders.has(name) ? '/' : ''), isFolder: folders.has(name) }))
}
