import type { Files } from '../ports.ts'

/** So many looks, so many milliseconds apart. */
const [looks, apartMs] = [10, 15]

/**
 * Whether nothing is at a path, and not only for a moment: a folder that somebody moves away and back, or exchanges for
 * another one, is there again soon, and must not be made anew meanwhile.
 */
export async function isGone(path: string, files: Files): Promise<boolean> {
  for (let look = 0; look < looks; look++) {
    if ((await files.stat(path)) !== null) return false
    await new Promise(resolve => setTimeout(resolve, apartMs))
  }
  return true
}
