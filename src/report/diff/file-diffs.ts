import { findRenames } from '../../lines/find-renames.ts'
import type { Change } from '../../model/plan.ts'
import { visibleLine } from '../text/visible.ts'
import { compareFiles, type FileComparison } from './compare-files.ts'

/** What becomes of one file. */
export interface FileDiff extends Pick<Change, 'path' | 'before' | 'after' | 'edits' | 'merged' | 'isYours'> {
  /** Where the path really leads, when that is somewhere else. */
  readonly leads: string | undefined
  /** Where the file was, when it moved. */
  readonly from: string | undefined
  readonly effect: Change['effect']
  readonly compared: FileComparison
}

/**
 * Whether a file that moved is shown once, as far as it differs, or as one that goes and one that comes: what counts is
 * then all that stands in the new one.
 */
export type Moves = 'followed' | 'apart'

/** Each file with what becomes of it; a renamed one once, by its new name. */
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

/** What lines do not show of a file, in words. */
export function notesOf({ from, compared: { added, removed, notes } }: FileDiff): readonly string[] {
  if (from === undefined) return notes
  const isAll = added + removed + notes.length === 0
  return [`renamed from ${from}${isAll ? ', nothing else changed' : ''}`, ...notes]
}

/** The path as the response names it, and where it leads when that is somewhere else. */
export function nameOf({ path, leads }: FileDiff): string {
  return visibleLine(leads === undefined ? path : `${path} -> ${leads}`)
}
