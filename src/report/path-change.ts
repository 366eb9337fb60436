import type { Change, PathState } from '../model.ts'

/** What stood at a path and what will; a plan's changes are such. Paths are relative to the project's root. */
export interface PathChange {
  readonly path: string
  /** Where it really is, when links lead the path elsewhere. */
  readonly target?: string
  readonly before: PathState
  readonly after: PathState
  /** What a plan knows already; else the two states tell it. */
  readonly effect?: Change['effect']
}

export function effectOf({ before, after, effect }: PathChange): Change['effect'] {
  if (effect !== undefined) return effect
  if (before === null) return after === null ? 'none' : 'create'
  if (after === null) return 'delete'
  return isSame(before, after) ? 'none' : 'modify'
}

function isSame(before: NonNullable<PathState>, after: NonNullable<PathState>): boolean {
  if (before.kind === 'link') return after.kind === 'link' && before.to === after.to
  return after.kind === 'file' && before.mode === after.mode && Buffer.compare(before.bytes, after.bytes) === 0
}
