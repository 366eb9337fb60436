import type { LintError } from './check.ts'
import type { BackSource, EntryOperation } from './entry.ts'
import type { Change } from './plan.ts'
import type { Flag, Operation } from './response.ts'
import type { OverlapPlace } from './stale.ts'
import type { RollbackReason } from './talk.ts'

/** A transaction as people refer to it. */
export interface Named {
  readonly number: number
  readonly title: string
}

/**
 * A file that was changed again in the places that taking a transaction back has to change: only a
 * person can say what is meant.
 */
export interface Overlap {
  readonly path: string
  readonly why: OverlapWhy
  /** The overlapping places of a text file. */
  readonly places: readonly OverlapPlace[]
  /** The change that writes both texts into the file, between conflict markers. */
  readonly markers: Change | undefined
  /** The change that replaces the present file with the old one. */
  readonly old: Change
}

export type OverlapWhy =
  | 'text'
  /** The file is not text, so nothing can be merged. */
  | 'binary'
  | 'deleted-since'
  /** Taking back would delete the file, but it was edited since. */
  | 'edited-since'
  /** The transaction deleted the file, and another one is there now. */
  | 'there-again'

/** A person's decision about an overlap. `old`: relay saves a copy of the present file first. */
export type OverlapChoice = 'markers' | 'skip' | 'old'

/** A preview of what taking a transaction back will do. */
export interface BackView {
  readonly kind: BackSource
  readonly of: Named
  /** When the transaction was kept; ISO 8601. */
  readonly at: string
  /** The git commit that holds its files. */
  readonly commit?: string | undefined
  readonly changes: readonly Change[]
  /** Paths whose later edits are kept by a merge. */
  readonly merged: readonly string[]
  /** Paths that will hold both texts between conflict markers. */
  readonly marked: readonly string[]
  /** Paths whose present file is saved elsewhere before the old one replaces it. */
  readonly replaced: readonly string[]
  /** Paths that stay as they are because of a decision. */
  readonly skipped: readonly string[]
  /** Paths that already are as they were before the transaction. */
  readonly done: readonly string[]
}

/** A response that was rolled back: the material for a prompt that asks the model to try again. */
export interface Attempt {
  readonly number: number
  readonly title: string
  readonly why: RollbackReason['kind']
  /** What the user says is wrong with it. */
  readonly reason?: string
  readonly operations: readonly { readonly op: (EntryOperation | Operation)['op']; readonly path: string }[]
  /** Paths that were not part of the last check: the user left them out, or did not allow the patch to change them. */
  readonly leftOut?: readonly string[]
  /** It ended before any file was written. */
  readonly unwritten?: true
  /** The files that someone changed while relay worked, if that ended it. */
  readonly conflicts?: readonly string[]
  readonly flags: readonly Flag[]
  /** At most a few dozen; empty when only their number is known. */
  readonly newErrors: readonly ErrorInPlace[]
  readonly newErrorCount: number
  /** The command that failed, and how: `post command: exit 1`. Also the linter, if its errors could not be counted. */
  readonly failed?: string
  /** The command of the configuration that found the errors or failed. */
  readonly command?: string
  /** The end of that command's output, or of the linter's when its lines were not understood. */
  readonly output: string
  /** The number of this attempt at the same work, from 1. */
  readonly attempt: number
  /** One hash of the new errors per recent attempt, the newest last; empty when there were none. */
  readonly errorSets: readonly string[]
}

export interface ErrorInPlace extends LintError {
  /** The lines around the error in the patched file. */
  readonly around?: { readonly first: number; readonly lines: readonly string[] }
}
