import { join } from 'node:path'
import { insideOf, toolFolders } from '../../ground/paths.ts'
import type { Files } from '../../ports.ts'
import { inFlight } from '../disk/in-flight.ts'
import { joined, parentOf } from './folders.ts'

/** The paths of links by the place to which they lead, all relative to the root. */
export type Links = ReadonlyMap<string, readonly string[]>

/** More folders are not searched: a link that makes commands run is near the top, or in a tool's folder. */
const mostFolders = 2000

/**
 * Finds the symbolic links of a project that lead to something inside it, the outer folders first. Folders that tools fill
 * (`node_modules`) are not entered, and one that cannot be listed is passed over.
 */
export async function findLinks(root: string, files: Files, signal: AbortSignal): Promise<Links> {
  const links = new Map<string, string[]>()
  const look = async (folder: string): Promise<readonly string[]> => {
    const listed = await files.listKinds(join(root, folder)).catch(() => null)
    for (const name of listed?.links ?? []) {
      const path = joined(folder, name)
      const real = await files.realPath(join(root, path)).catch(() => null)
      const target = real === null ? undefined : insideOf(root, real)
      if (target !== undefined) links.set(target, [...(links.get(target) ?? []), path])
    }
    return (listed?.folders ?? []).filter(name => !toolFolders.test(name)).map(name => joined(folder, name))
  }
  let looked = 0
  for (let level: readonly string[] = ['']; level.length > 0 && looked < mostFolders; ) {
    const now = level.slice(0, mostFolders - looked)
    looked += now.length
    level = (await inFlight(now, look, signal)).flat()
    signal.throwIfAborted()
  }
  return links
}

/** More names of one place are left out. */
const mostNames = 50

/** The other paths by which links lead to a place; through several links, in whatever order they are followed. */
export function otherNames(place: string, links: Links): readonly string[] {
  const names = new Set([place])
  for (const name of names) {
    for (const above of [name, ...foldersAbove(name)]) {
      const below = above === '' ? `/${name}` : name.slice(above.length)
      for (const link of links.get(above) ?? []) if (names.size <= mostNames) names.add(`${link}${below}`)
    }
  }
  names.delete(place)
  return [...names]
}

function foldersAbove(path: string): readonly string[] {
  return path === '' ? [] : [parentOf(path), ...foldersAbove(parentOf(path))]
}
