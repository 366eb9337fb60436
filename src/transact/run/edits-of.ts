import type { Edits } from '../../check/compare-checks.ts'
import { remembered } from '../../ground/collections.ts'
import { compareLines } from '../../lines/compare-lines.ts'
import { isTooLarge, readText } from '../../lines/file-text.ts'
import { findRenames } from '../../lines/find-renames.ts'
import type { Change, PathState } from '../../model/plan.ts'
import type { Move } from '../entry/moves.ts'
import { changesOf, type Places } from '../survey/places.ts'

/** Compares nothing before it is asked for. */
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
  /** The new names of moved files, by their old names. */
  readonly names: ReadonlyMap<string, string>
  /** The states of a file before and after, by its path and by its real place. */
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

/** `undefined` for a state that is no text, or too large to compare. */
function linesOf(state: PathState): readonly string[] | undefined {
  return state?.kind !== 'file' || isTooLarge(state) ? undefined : readText(state.bytes)?.lines
}
