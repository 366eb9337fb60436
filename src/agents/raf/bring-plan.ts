import { join } from 'node:path'
import type { System } from '../../ports.ts'
import { removeAll } from '../checkout/remove-all.ts'
import { findRaf, rafFolderIn } from './find-raf.ts'
import { freeProjectId } from './ids.ts'
import { projectOf } from './names.ts'
import { rafBranchNames } from './raf-branches.ts'

/** The texts of a RAF project by path, relative to the project's folder. */
export type PlanTexts = ReadonlyMap<string, string>

const encoder = new TextEncoder()

/** Gives `<id>-<name>` with an id that no RAF project here and no branch of one uses. */
export async function freeFolder(root: string, name: string, system: System): Promise<string> {
  const { projects } = await findRaf(root, system.files)
  const taken = new Set([...projects, ...(await rafBranchNames(root, system))].map(each => projectOf(each)?.id ?? ''))
  return `${freeProjectId(system.clock.now().getTime() / 1000, taken)}-${name}`
}

/**
 * Puts a new project into `RAF/`, whole or not at all: relay writes it under another name, and the rename is the commit. Gives
 * the name of its folder. The id in it is a new one where a second relay run took the first id meanwhile.
 */
export async function bringNewPlan(root: string, folder: string, texts: PlanTexts, system: System): Promise<string> {
  const { files } = system
  const raf = rafFolderIn(root)
  const staged = join(raf, `.${folder}.relay-new`)
  await files.makeFolder(raf)
  await removeAll([staged], '/', system)
  for (const below of ['', 'plans', 'outcomes']) await files.makeFolder(join(staged, below))
  for (const [path, text] of texts) await files.create(join(staged, path), encoder.encode(text))
  for (let name = folder; ; ) {
    if (await hasIdOf(name, raf, system)) {
      name = await freeFolder(root, projectOf(folder)?.name ?? '', system)
      continue
    }
    await files.rename(staged, join(raf, name))
    // Of two runs that rename at the same moment, at least one sees the other.
    if (!(await hasIdOf(name, raf, system))) {
      await files.sync(raf)
      return name
    }
    await files.rename(join(raf, name), staged)
  }
}

/** Whether another project has the id of this project. */
async function hasIdOf(folder: string, raf: string, { files }: System): Promise<boolean> {
  const { projects } = await findRaf(join(raf, '..'), files)
  return projects.some(each => each !== folder && projectOf(each)?.id === projectOf(folder)?.id)
}

/**
 * The plain files below a folder, by path relative to it. Follows no link. The value is `undefined` for anything but a plain
 * file and for a file over `mostBytes`.
 */
export async function filesBelow(
  folder: string,
  { files }: Pick<System, 'files'>,
): Promise<Map<string, Uint8Array | undefined>> {
  const found = new Map<string, Uint8Array | undefined>()
  const folders = ['']
  for (let below = folders.pop(); below !== undefined && found.size < mostFiles; below = folders.pop()) {
    for (const name of (await files.list(join(folder, below))) ?? []) {
      const path = join(below, name)
      const stat = await files.stat(join(folder, path))
      if (stat?.kind === 'folder') folders.push(path)
      else found.set(path, await plainBytes(join(folder, path), stat?.size ?? 0, files))
    }
  }
  return found
}

async function plainBytes(path: string, size: number, files: System['files']): Promise<Uint8Array | undefined> {
  const found = size > mostBytes ? null : await files.inspect(path)
  return found?.kind === 'file' ? found.bytes : undefined
}

/** Bounds against a folder that an agent filled: no plan has more files, or larger ones. */
const mostFiles = 5_000
const mostBytes = 5_000_000
