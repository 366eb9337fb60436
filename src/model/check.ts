import type { Ended } from './entry.ts'
import type { Flag } from './response.ts'

export interface LintError {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** The linter's code, `TS2322`; empty when it gives none. */
  readonly code: string
  readonly message: string
  /**
   * Why a test failed. It may hold addresses and times that differ from run to run, so it is ignored when errors are compared.
   */
  readonly why?: string
}

/**
 * A failed part of the linter's command, as the program that ran it reports it: `lint` of `make: ***
 * [Makefile:3: lint] Error 2`.
 */
export interface FailedStep {
  readonly name: string
  readonly code: number
}

/** Whether a check ran tests, as far as their runner says so. Passed tests prove something only where there were some. */
export type Ran = 'some' | 'none'

export type Check =
  /** No linter is configured. */
  | { readonly kind: 'unchecked' }
  | {
      readonly kind: 'counted'
      readonly errors: number
      /** Each error, if the linter's lines were understood; otherwise only the count is known. */
      readonly list: readonly LintError[] | undefined
      /** The exit code. Also 0 if warnings, or errors in relay's own folder, are the only reason for another code. */
      readonly code: number
      /** The parts that failed, if several ran to their end; empty when `code` is 0. */
      readonly failed: readonly FailedStep[]
      readonly tests?: Ran | undefined
      readonly output: string
    }
  /** The linter could not run, or its errors could not be counted. */
  | { readonly kind: 'uncounted'; readonly why: string; readonly tests?: Ran | undefined; readonly output: string }

export interface Comparison {
  readonly new: number
  readonly fixed: number
  readonly same: number
  /** The new errors, if they are known. */
  readonly newErrors: readonly LintError[]
}

export interface Checks {
  readonly before: Check
  readonly after: Check
  /** `undefined` when one of the two could not be counted. */
  readonly comparison: Comparison | undefined
}

export type Reason =
  | { readonly kind: 'approval-no' }
  | { readonly kind: 'new-errors'; readonly count: number; readonly limit: number }
  | { readonly kind: 'uncounted'; readonly check: 'before' | 'after'; readonly why: string }
  /** Test runners ran, and found no test; before the change there were some, or nobody knows. */
  | { readonly kind: 'no-test' }
  | { readonly kind: 'flag'; readonly flag: Flag }
  | { readonly kind: 'post-command'; readonly why: string }
  | { readonly kind: 'reused-uuid'; readonly number: number; readonly state: Ended }
  /** The response was damaged, and the patch holds only its sound files. */
  | { readonly kind: 'partial'; readonly problems: number }
  /** The response had no control block, and the user applied it anyway. */
  | { readonly kind: 'no-control' }
  /** The user's edits were merged into these files, and no linter checks the result. */
  | { readonly kind: 'merged'; readonly paths: readonly string[] }
  /** Files that hold two texts between conflict markers. */
  | { readonly kind: 'marked'; readonly paths: readonly string[] }
  /** Files that relay wrote and that are gone: a command or someone else has removed them. */
  | { readonly kind: 'missing'; readonly paths: readonly string[] }
  /** Files that someone edited after the last check. */
  | { readonly kind: 'unchecked-edits'; readonly paths: readonly string[] }

export type Verdict =
  | { readonly kind: 'approve' }
  | { readonly kind: 'ask'; readonly reasons: readonly [Reason, ...Reason[]] }

export interface CommandResult {
  readonly end:
    | { readonly kind: 'exit'; readonly code: number }
    | { readonly kind: 'signal'; readonly signal: string }
    | { readonly kind: 'time-limit' }
    | { readonly kind: 'aborted' }
  /** Both streams in the order of their arrival, as text, at most 10 MB. */
  readonly output: string
  /** The output was longer: its middle is missing. */
  readonly cut: boolean
  /** The whole output is in the file that `whole` named. */
  readonly whole?: boolean
}
