import { dirname } from 'node:path'

/** A folder and those that it lies in, the nearest first. */
export function foldersFrom(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...foldersFrom(above)]
}
