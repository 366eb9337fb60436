import type { Ended } from './entry.ts'
import type { Flag } from './response.ts'

/** One error that a linter reported. */
export interface LintError {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** The linter's own name for it, `TS2322`; empty when it gives none. */
  readonly code: string
  readonly message: string
  /** Why a test failed. It may hold addresses and times, which differ from run to run: no part of what makes two the same. */
  readonly why?: string
}

/** A part of the linter's command that failed, as the program that ran it said: `lint` of `make: *** [Makefile:3: lint] Error 2`. */
export interface FailedStep {
  readonly name: string
  readonly code: number
}

/** One run of the linter. */
export type Check =
  /** No linter is configured. */
  | { readonly kind: 'unchecked' }
  | {
      readonly kind: 'counted'
      readonly errors: number
      /** Each error, when the linter's lines were understood; else only the count is known. */
      readonly list: readonly LintError[] | undefined
      /** The exit code; 0 as well where warnings, or errors in relay's own folder alone, explain another one. */
      readonly code: number
      /** Which parts of it failed, when several ran to their end; none where `code` is 0. */
      readonly failed: readonly FailedStep[]
      readonly output: string
    }
  /** It could not run, or its result could not be counted. */
  | { readonly kind: 'uncounted'; readonly why: string; readonly output: string }

/** How two checks differ. */
export interface Comparison {
  readonly new: number
  readonly fixed: number
  readonly same: number
  /** The new errors themselves, when they are known. */
  readonly newErrors: readonly LintError[]
}

export interface Checks {
  readonly before: Check
  readonly after: Check
  /** Absent when one of the two could not be counted. */
  readonly comparison: Comparison | undefined
}

/** Why a person has to be asked. */
export type Reason =
  | { readonly kind: 'approval-no' }
  | { readonly kind: 'new-errors'; readonly count: number; readonly limit: number }
  | { readonly kind: 'uncounted'; readonly check: 'before' | 'after'; readonly why: string }
  | { readonly kind: 'flag'; readonly flag: Flag }
  | { readonly kind: 'post-command'; readonly why: string }
  | { readonly kind: 'reused-uuid'; readonly number: number; readonly state: Ended }
  /** Only the sound files of a damaged response are in it. */
  | { readonly kind: 'partial'; readonly problems: number }
  /** The response had no control block; the user took it all the same. */
  | { readonly kind: 'no-control' }
  /** The user's edits were merged into files, and no linter looks at what came of it. */
  | { readonly kind: 'merged'; readonly paths: readonly string[] }
  /** Files that hold two texts between conflict markers. */
  | { readonly kind: 'marked'; readonly paths: readonly string[] }
  /** Files that were written, and are gone since: a command has removed them, or who knows who. */
  | { readonly kind: 'missing'; readonly paths: readonly string[] }
  /** Files that somebody changed by hand after the last check. */
  | { readonly kind: 'unchecked-edits'; readonly paths: readonly string[] }

export type Verdict =
  | { readonly kind: 'approve' }
  | { readonly kind: 'ask'; readonly reasons: readonly [Reason, ...Reason[]] }

/** How a command ended, and what it printed. */
export interface CommandResult {
  readonly end:
    | { readonly kind: 'exit'; readonly code: number }
    | { readonly kind: 'signal'; readonly signal: string }
    | { readonly kind: 'time-limit' }
    | { readonly kind: 'aborted' }
  /** Both streams in the order they came, as text, at most 10 MB. */
  readonly output: string
  /** The output was longer, and its middle is missing. */
  readonly cut: boolean
  /** All of it is in the file that `whole` named. */
  readonly whole?: boolean
}
