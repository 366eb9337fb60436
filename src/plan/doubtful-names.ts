import { groupBy, remembered } from '../ground/collections.ts'
import type { Flag } from '../model/response.ts'
import type { FoundChange } from './change-file.ts'
import { differenceOf, disguiseIn, foldLookAlikes } from './look-alike.ts'

/**
 * Doubts about the names of new files and folders: one that is there already, or comes with the same patch, differs in
 * capitals, Unicode form or look-alike letters alone, a word mixes alphabets, or a character looks like a slash.
 *
 * On one system both stand side by side and nobody sees that a third of the project uses the wrong one; on another the
 * one is overwritten by the other. What the patch moves from the one name to the other is meant.
 */
export function doubtfulNames(found: readonly FoundChange[]): Flag[] {
  const deleted = new Set(found.flatMap(({ change }) => (change.effect === 'delete' ? [change.target] : [])))
  // One list serves all new files of a folder.
  const byLooks = remembered((names: readonly string[]) => groupBy(names, foldLookAlikes))
  /** The new names themselves, by folder and looks. */
  const known = new Map<string, string>()
  const told = new Set<string>()
  return found.flatMap(each => {
    const { effect, path, target } = each.change
    if (effect !== 'create') return []
    const reasons = newParts(each).flatMap(part => doubtAbout(part, target) ?? [])
    return reasons.map(reason => ({ flag: 'look-alike' as const, path, reason }))
  })

  function doubtAbout({ kind, folder, name, names }: NewPart, target: string): string | undefined {
    const path = joined(folder, name)
    // A folder is new with each of its files.
    if (told.has(path)) return undefined
    told.add(path)
    const looks = foldLookAlikes(name)
    const key = `${folder}/${looks}`
    const first = known.get(key)
    if (first === undefined) known.set(key, name)

    const rest = target.slice(path.length)
    const alike = byLooks(names).get(looks) ?? []
    const twin = alike.find(it => it !== name && !deleted.has(joined(folder, it) + rest))
    const what = kind === 'folder' ? `the folder ${path}` : path
    if (twin !== undefined)
      return `${what} is new, and ${joined(folder, twin)} already exists: ${differenceOf(name, twin)}`
    if (first !== undefined && first !== name) {
      return `${what} is new, and so is ${joined(folder, first)}: ${differenceOf(name, first)}`
    }
    const disguise = disguiseIn(name)
    return disguise === undefined ? undefined : `${what} is new, and its name ${disguise}`
  }
}

/** A part of a path that is not there yet: a folder to be made, or the file itself. */
interface NewPart {
  readonly kind: 'folder' | 'file'
  /** The folder that it lies in, relative to the root; empty for the root. */
  readonly folder: string
  readonly name: string
  /** What stands beside it. */
  readonly names: readonly string[]
}

function newParts({ change: { target }, fact: { missingFolders, beside = [] } }: FoundChange): readonly NewPart[] {
  return [...missingFolders, target].map((path, index): NewPart => {
    const end = path.lastIndexOf('/')
    return {
      kind: path === target ? 'file' : 'folder',
      folder: path.slice(0, Math.max(0, end)),
      name: path.slice(end + 1),
      // Below a folder that is not there yet, nothing is.
      names: index === 0 ? beside : [],
    }
  })
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}
