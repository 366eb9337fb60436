import type { Change, Problem } from '../model.ts'
import { collisions } from './collisions.ts'
import type { FoundChange } from './found-change.ts'

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

function sameOnThisDisk(first: Change, { path }: Change): Problem {
  return {
    code: 'same-file',
    path,
    message: `On this disk ${first.path} is the same file. Ask for one block for one file, under one name.`,
  }
}
