import type { Files, Stat } from '../ports.ts'

/** So many looks, so many milliseconds apart. */
const [looks, apartMs] = [10, 15]

/**
 * Whether nothing is at a path, and not only for a moment: a folder that somebody moves away and back, or exchanges for
 * another one, is there again soon, and must not be made anew meanwhile.
 */
export function isGone(path: string, files: Files): Promise<boolean> {
  return stays(path, files, found => found === null)
}

/** Whether something that is no folder has taken a folder's place, and not only for a moment. */
export function isTaken(folder: string, files: Files): Promise<boolean> {
  return stays(folder, files, found => found !== null && found.kind !== 'folder')
}

async function stays(path: string, files: Files, isSo: (found: Stat | null) => boolean): Promise<boolean> {
  for (let look = 0; look < looks; look++) {
    if (!isSo(await files.stat(path))) return false
    await new Promise(resolve => setTimeout(resolve, apartMs))
  }
  return true
}
