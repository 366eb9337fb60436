import type { Edits } from '../../check/compare-checks.ts'
import { remembered } from '../../ground/collections.ts'
import { compareLines } from '../../lines/compare-lines.ts'
import { isTooLarge, readText } from '../../lines/file-text.ts'
import { findRenames } from '../../lines/find-renames.ts'
import type { Change, PathState } from '../../model/plan.ts'
import type { Move } from '../entry/moves.ts'
import { changesOf, type Places } from '../survey/places.ts'

/** What a patch made of its files, as they stand in their places; nothing is compared before it is asked for. */
export function editsOf(moves: readonly Move[], places: Places): Edits {
  let known: Known | undefined
  const look = () => {
    known ??= lookUp(changesOf(moves, places))
    return known
  }
  return {
    nameNow: file => look().names.get(file) ?? file,
    linesWritten: remembered(file => {
      const sides = look().sides.get(file)
      return sides === undefined ? new Set() : linesBetween(sides.before, sides.after)
    }),
  }
}

interface Known {
  /** Of the files that moved, by the names that they had. */
  readonly names: ReadonlyMap<string, string>
  /** What was and is in a file, by the name that it has, and by that of where it really is. */
  readonly sides: ReadonlyMap<string, Pick<Change, 'before' | 'after'>>
}

function lookUp(changes: readonly Change[]): Known {
  const renames = findRenames(changes)
  const sides = changes.map(change => {
    const { path, target, before, after } = change
    return { path, target, before: renames.get(change)?.before ?? before, after }
  })
  return {
    names: new Map([...renames].map(([to, from]) => [from.path, to.path])),
    sides: new Map(sides.flatMap(file => [[file.target, file] as const, [file.path, file] as const])),
  }
}

function linesBetween(before: PathState, after: PathState): ReadonlySet<number> {
  const [was, is] = [linesOf(before), linesOf(after)]
  const written = new Set<number>()
  if (was === undefined || is === undefined) return written
  for (const { afterStart, afterEnd } of compareLines(was, is)) {
    for (let line = afterStart + 1; line <= afterEnd; line += 1) written.add(line)
  }
  return written
}

/** Nothing for what is no text, or one that nobody compares. */
function linesOf(state: PathState): readonly string[] | undefined {
  return state?.kind !== 'file' || isTooLarge(state) ? undefined : readText(state.bytes)?.lines
}
