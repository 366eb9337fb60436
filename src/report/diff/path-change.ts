import type { Change, PathState } from '../../model.ts'
import { effectBetween } from '../../path-state.ts'

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
  return effect ?? effectBetween(before, after)
}
