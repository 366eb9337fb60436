import type { Files } from '../../ports.ts'

/** Whether nothing is at a path, for longer than a moment: what is only on its way must not be made anew meanwhile. */
export function isGone(path: string, files: Files): Promise<boolean> {
  return files.stays(path, found => found === null)
}

/** Whether something that is no folder has taken a folder's place, for longer than a moment. */
export function isTaken(folder: string, files: Files): Promise<boolean> {
  return files.stays(folder, found => found !== null && found.kind !== 'folder')
}
