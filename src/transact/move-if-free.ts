import type { Files } from '../ports.ts'

/**
 * Moves a file to a place only while nothing is there; `false` when something is.
 *
 * It gets the place as a second name first, which cannot overwrite. File systems without hard links leave a look
 * followed by a rename: a window of two system calls that nothing on them can close.
 */
export async function moveIfFree(from: string, to: string, files: Files): Promise<boolean> {
  const linked = await files.link(from, to)
  if (linked === 'exists') return false
  if (linked === 'linked') {
    await files.remove(from)
    return true
  }
  if ((await files.stat(to)) !== null) return false
  await files.rename(from, to)
  return true
}
