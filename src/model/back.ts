import type { LintError } from './check.ts'
import type { BackSource, EntryOperation } from './entry.ts'
import type { Change } from './plan.ts'
import type { Flag, Operation } from './response.ts'
import type { OverlapPlace } from './stale.ts'
import type { RollbackReason } from './talk.ts'

/** A transaction by the name that people know it by. */
export interface Named {
  readonly number: number
  readonly title: string
}

/** What changed since is also what has to be taken back: only a person can tell what is meant. */
export interface Overlap {
  readonly path: string
  readonly why: OverlapWhy
  /** The places themselves, for a text. */
  readonly places: readonly OverlapPlace[]
  /** What puts both texts into the file, between conflict markers. */
  readonly markers: Change | undefined
  /** What puts the old file into the place of the present one. */
  readonly old: Change
}

export type OverlapWhy =
  | 'text'
  /** No text, so nothing can be merged. */
  | 'binary'
  /** The file is gone. */
  | 'deleted-since'
  /** The file would go, but is not as it was left. */
  | 'edited-since'
  /** The file was deleted, and another one is there now. */
  | 'there-again'

/** What somebody decides about an overlap; with `old` the present file is put aside first. */
export type OverlapChoice = 'markers' | 'skip' | 'old'

/** What taking a transaction back will do, before it is done. */
export interface BackView {
  readonly kind: BackSource
  readonly of: Named
  /** When that one was kept; ISO 8601. */
  readonly at: string
  /** The commit of git in which its files are. */
  readonly commit?: string | undefined
  readonly changes: readonly Change[]
  /** Of the changes: those that keep what changed since. */
  readonly merged: readonly string[]
  /** Those that hold both texts between markers. */
  readonly marked: readonly string[]
  /** Those whose present file is put aside before the old one replaces it. */
  readonly replaced: readonly string[]
  /** Files that stay as they are. */
  readonly skipped: readonly string[]
  /** Files that are as before already. */
  readonly done: readonly string[]
}

/** What a response that was rolled back came to: what a prompt for the model to try again is made of. */
export interface Attempt {
  /** The transaction's. */
  readonly number: number
  readonly title: string
  readonly why: RollbackReason['kind']
  readonly operations: readonly { readonly op: (EntryOperation | Operation)['op']; readonly path: string }[]
  /** The paths of them that the user left out before, and the rest alone was checked; or did not let the patch change. */
  readonly leftOut?: readonly string[]
  /** It came to its end before anything was written. */
  readonly unwritten?: true
  /** The files that somebody changed while relay worked, where it ended for that. */
  readonly conflicts?: readonly string[]
  readonly flags: readonly Flag[]
  /** At most a few dozen of them, and none where only their number is known. */
  readonly newErrors: readonly ErrorInPlace[]
  readonly newErrorCount: number
  /** The command that failed, and how: `post command: exit 1`; the linter, too, where its errors could not be counted. */
  readonly failed?: string
  /** The end of what that command printed, or the linter where its lines were not understood. */
  readonly output: string
  /** How often in a row this work was tried, from 1. */
  readonly attempt: number
  /** One hash for the new errors of each of the last tries, the newest last; empty for none. */
  readonly errorSets: readonly string[]
}

export interface ErrorInPlace extends LintError {
  /** The lines around it, as the patch had them. */
  readonly around?: { readonly first: number; readonly lines: readonly string[] }
}
