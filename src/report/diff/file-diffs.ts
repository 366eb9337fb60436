import { findRenames } from '../../lines/find-renames.ts'
import type { Change } from '../../model/plan.ts'
import { visibleLine } from '../text/visible.ts'
import { compareFiles, type FileComparison } from './compare-files.ts'

export interface FileDiff extends Pick<Change, 'path' | 'before' | 'after' | 'edits' | 'merged' | 'isYours'> {
  /** The real target of the path, when it is somewhere else. */
  readonly leads: string | undefined
  /** The former path of a moved file. */
  readonly from: string | undefined
  readonly effect: Change['effect']
  readonly compared: FileComparison
}

/**
 * `followed`: a moved file is shown once, with only its differences. `apart`: one file goes and another comes, and
 * all lines of the new one count.
 */
export type Moves = 'followed' | 'apart'

/** A renamed file comes once, by its new name. */
export function fileDiffs(changes: readonly Change[], moves: Moves = 'followed'): readonly FileDiff[] {
  const renames: ReturnType<typeof findRenames> = moves === 'apart' ? new Map() : findRenames(changes)
  const gone = new Set(renames.values())
  return changes.flatMap(change => (gone.has(change) ? [] : [fileDiff(change, renames.get(change))]))
}

function fileDiff(change: Change, from: Change | undefined): FileDiff {
  const { path, target, after, edits, merged, isYours } = change
  const { before } = from ?? change
  return {
    path,
    leads: target === path ? undefined : target,
    from: from?.path,
    before,
    after,
    edits,
    merged,
    isYours,
    effect: from === undefined ? change.effect : 'modify',
    compared: compareFiles(before, after),
  }
}

/** Changes of a file that its lines do not show. */
export function notesOf({ from, compared: { added, removed, notes } }: FileDiff): readonly string[] {
  if (from === undefined) return notes
  const isAll = added + removed + notes.length === 0
  return [`renamed from ${from}${isAll ? ', nothing else changed' : ''}`, ...notes]
}

/** The path as the response names it, and its target when that is somewhere else. */
export function nameOf({ path, leads }: FileDiff): string {
  return visibleLine(leads === undefined ? path : `${path} -> ${leads}`)
}
