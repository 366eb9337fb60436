import { RelayError } from '../../errors.ts'
import { projectOf } from './names.ts'

/** The project that an identifier means. */
export type Meant =
  | { readonly kind: 'project'; readonly folder: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'ambiguous'; readonly folders: readonly string[] }

/**
 * Finds a project by its folder, its id, its name or a part of its name; the first of these with a match
 * decides. Case does not matter.
 */
export function findProject(identifier: string, folders: readonly string[]): Meant {
  // Shells complete a folder as a path.
  const wanted = (
    /(?:^|\/)RAF\/([^/]+)\/*$/i.exec(identifier.trim())?.[1] ?? identifier.trim().replace(/\/+$/, '')
  ).toLowerCase()
  if (wanted === '') return { kind: 'none' }
  const nameOf = (folder: string) => projectOf(folder)?.name.toLowerCase() ?? ''
  const ways: readonly ((folder: string) => boolean)[] = [
    folder => folder.toLowerCase() === wanted,
    folder => projectOf(folder)?.id === wanted,
    folder => nameOf(folder) === wanted,
    folder => nameOf(folder).includes(wanted),
  ]
  for (const isMeant of ways) {
    const [folder, ...others] = folders.filter(isMeant)
    if (folder === undefined) continue
    return others.length === 0 ? { kind: 'project', folder } : { kind: 'ambiguous', folders: [folder, ...others] }
  }
  return { kind: 'none' }
}

/** The folder of the project that is meant. Throws `usage` when there is none, or more than one. */
export function projectFolder(identifier: string, folders: readonly string[]): string {
  const meant = findProject(identifier, folders)
  switch (meant.kind) {
    case 'project':
      return meant.folder
    case 'ambiguous':
      throw new RelayError('usage', `"${identifier}" may be any of ${meant.folders.join(', ')}`, {
        hint: 'Name one of them by its id or its whole folder.',
      })
    case 'none':
      throw new RelayError('usage', `There is no plan "${identifier}" in RAF/`, {
        hint:
          folders.length === 0
            ? 'Make one: `relay plan <name>`'
            : `There ${folders.length === 1 ? 'is' : 'are'} ${shortList(folders)}.`,
      })
  }
}

const mostListed = 10

/** The newest folders, which sort last. */
function shortList(folders: readonly string[]): string {
  const more = folders.length - mostListed
  return [...(more > 0 ? [`${more} older ones`] : []), ...folders.slice(-mostListed)].join(', ')
}
