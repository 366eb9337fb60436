import type { Entry } from '../../model/entry.ts'
import { hashOperations } from './hash.ts'

/** The entry without the operations, snapshot, flags and folders of the files that were left out. */
export function entryWithout(leftOut: ReadonlySet<string>, entry: Entry): Entry {
  if (leftOut.size === 0) return entry
  const operations = entry.operations.filter(({ path }) => !leftOut.has(path))
  const targetOf = (path: string) => entry.snapshot.get(path)?.target ?? path
  const targets = operations.map(({ path }) => targetOf(path))
  return {
    ...entry,
    flags: entry.flags.filter(({ path }) => path === undefined || !leftOut.has(path)),
    // The same response, when it is copied again, must be recognised.
    asked: entry.asked ?? hashOperations(entry.operations),
    operations,
    snapshot: new Map([...entry.snapshot].filter(([path]) => !leftOut.has(path))),
    removedFolders: entry.removedFolders && removedWithout([...leftOut].map(targetOf), entry.removedFolders),
    createdFolders: entry.createdFolders.filter(folder => targets.some(target => target.startsWith(`${folder}/`))),
  }
}

/** A folder was not removed if it still holds a file that was left out. */
function removedWithout(out: readonly string[], removed: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...removed].filter(([folder]) => !out.some(target => target.startsWith(`${folder}/`))))
}
