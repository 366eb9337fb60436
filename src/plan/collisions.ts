import { groupBy } from '../ground/collections.ts'
import type { Change } from '../model/plan.ts'
import type { Problem } from '../model/response.ts'
import type { FoundChange } from './change-file.ts'
import { foldPath } from './fold-path.ts'

/** An operation and where it is carried out. */
export interface Placed {
  readonly op: Change['op']
  /** As the response names it. */
  readonly path: string
  readonly place: string
}

/**
 * Finds operations that get in each other's way: two that are one file on some file system, and a file where another
 * needs a folder. Deleting a file and writing it again with other capitals is a rename, and the one pair that may.
 *
 * In a sorted list everything below a path follows it directly, so that one walk with the open folders at hand is enough.
 */
export function collisions(operations: readonly Placed[]): Problem[] {
  const problems: Problem[] = []
  const sorted = operations
    .map(operation => ({ ...operation, folded: `${foldPath(operation.place)}/` }))
    .sort((a, b) => (a.folded < b.folded ? -1 : a.folded > b.folded ? 1 : 0))
  const open: typeof sorted = []
  for (const [folded, group] of groupBy(sorted, each => each.folded)) {
    const [first, second] = group
    if (first === undefined) continue
    while (!folded.startsWith(open.at(-1)?.folded ?? '')) open.pop()
    const above = open.at(-1)
    if (above !== undefined) problems.push(fileAndFolder(above, first))
    if (second !== undefined && !(group.length === 2 && isCaseRename(first, second))) {
      problems.push(...group.slice(1).map(twin => oneFile(first, twin)))
    }
    open.push(first)
  }
  return problems
}

/**
 * Finds changes that meet in one file although their paths differ: by a link, a hard link, or a file system that tells
 * neither case nor Unicode forms apart.
 */
export function oneFileTwice(found: readonly FoundChange[]): Problem[] {
  const problems = collisions(found.map(({ change: { op, path, target } }) => ({ op, path, place: target })))
  const known = new Set(problems.map(({ path }) => path))
  const byIdentity = new Map<string, Change>()
  for (const { change, fact } of found) {
    const { identity } = fact
    // A link that is removed is not the file that it leads to.
    if (identity === undefined || change.before?.kind === 'link') continue
    const first = byIdentity.get(identity)
    if (first === undefined) byIdentity.set(identity, change)
    else if (!known.has(change.path) && !known.has(first.path)) problems.push(sameOnThisDisk(first, change))
  }
  return problems
}

function isCaseRename(one: Placed, other: Placed): boolean {
  return one.op !== other.op && one.place !== other.place && one.place.toLowerCase() === other.place.toLowerCase()
}

function oneFile(first: Placed, twin: Placed): Problem {
  if (first.place === twin.place && first.path.toLowerCase() === twin.path.toLowerCase()) {
    return {
      code: 'same-file',
      path: twin.path,
      message: `On this disk ${first.path} is the same file: only its capitals differ. Rename it with git mv first, then copy the answer again.`,
    }
  }
  const where = first.place === twin.place ? '' : ' on systems that ignore case or Unicode forms'
  return {
    code: 'same-file',
    path: twin.path,
    message: `This path and ${first.path} are one file${where}. Ask for one block for one file, under one name.`,
  }
}

function fileAndFolder(file: Placed, inside: Placed): Problem {
  const remedy =
    file.op === inside.op ? 'Ask for names that do not clash' : 'Ask for the deletion alone, and then for the new file'
  return {
    code: 'file-and-folder',
    path: inside.path,
    message: `This path needs a folder where the answer has the file ${file.path}. ${remedy}.`,
  }
}

function sameOnThisDisk(first: Change, { path }: Change): Problem {
  return {
    code: 'same-file',
    path,
    message: `On this disk ${first.path} is the same file. Ask for one block for one file, under one name.`,
  }
}
