import { join } from 'node:path'
import type { System } from '../../ports.ts'
import { isOwn, makeFolders } from '../../state-files.ts'
import { makeMark } from '../disk/mark.ts'
import { retryOnce } from '../disk/retry-once.ts'
import { sha256 } from '../entry/hash.ts'
import type { Layout } from '../layout/layout.ts'

/**
 * Which unfinished transactions this user began on this machine, in this folder.
 *
 * A clone, a copy or a backup can bring a pending entry. What it says must change no file unasked, so each transaction
 * leaves a mark outside the project before its entry is there, and takes it away after its end.
 */
type Doors = Pick<System, 'files' | 'stateFolder' | 'uid'>

/** Never fails: without the mark a recovery asks. */
export async function markStarted(uuid: string, layout: Layout, { stateFolder }: Doors): Promise<void> {
  if (stateFolder === undefined) return
  const { files } = layout
  const mark = async () => {
    const folder = await makeFolders(begunFolder(stateFolder), files)
    await makeMark(join(folder, markName(uuid, layout)), files, 'name')
  }
  await retryOnce(mark).catch(() => undefined)
}

/** Only a mark that nobody but this user could have made counts. */
export async function wasStartedHere(uuid: string, layout: Layout, doors: Doors): Promise<boolean> {
  try {
    const path = await markPath(uuid, layout, doors)
    return path !== undefined && (await isOwn(path, doors))
  } catch {
    return false
  }
}

/** To be called once nothing is left to recover. Never fails: a mark without an entry says nothing. */
export async function forgetBegun(uuid: string, layout: Layout, doors: Doors): Promise<void> {
  try {
    const path = await markPath(uuid, layout, doors)
    if (path !== undefined) await layout.files.remove(path)
  } catch {
    // See above.
  }
}

/** `undefined` where no mark was ever made. */
async function markPath(uuid: string, layout: Layout, { stateFolder }: Doors): Promise<string | undefined> {
  const folder = stateFolder === undefined ? null : await layout.files.realPath(begunFolder(stateFolder))
  return folder === null ? undefined : join(folder, markName(uuid, layout))
}

function begunFolder(stateFolder: string): string {
  return join(stateFolder, 'begun')
}

function markName(uuid: string, { root }: Layout): string {
  return `${sha256(root).slice(0, 32)}.${uuid}`
}
