import type { Files } from '../../ports.ts'

/** Nothing is at the path for longer than a moment: a file that is only being moved must not be made again. */
export function isGone(path: string, files: Files): Promise<boolean> {
  return files.stays(path, found => found === null)
}

/** Something else is in the place of a folder for longer than a moment. */
export function isTaken(folder: string, files: Files): Promise<boolean> {
  return files.stays(folder, found => found !== null && found.kind !== 'folder')
}
