import type { Change, PathFact } from '../model.ts'

/** A change beside what the look at the disk told of its path. */
export interface FoundChange {
  readonly change: Change
  readonly fact: PathFact
}
