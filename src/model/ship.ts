/** What to do with a branch when all of its tasks are done. */
export const waysAfterRun = ['merge', 'pr', 'leave'] as const

export type AfterRun = (typeof waysAfterRun)[number]

/** What was done with a branch at the end. */
export type Shipped =
  /** The branch stays as it is; `why` if something else was asked for, and `next` what the user can do about that. */
  | { readonly kind: 'left'; readonly branch: string; readonly why: string | undefined; readonly next?: string }
  /** `commit` and `undo`, git's command that takes the merge back, are `undefined` if the branch had been merged before. */
  | {
      readonly kind: 'merged'
      readonly branch: string
      readonly into: string
      readonly commit: string | undefined
      readonly undo: string | undefined
    }
  | {
      readonly kind: 'pull-request'
      readonly branch: string
      readonly url: string
      readonly isNew: boolean
      /** Secrets in its title or text were replaced. */
      readonly isMasked: boolean
    }
  /** The branch was pushed, but no pull request was opened. `isFailed`: one was wished for, and this host has them. */
  | { readonly kind: 'pushed'; readonly branch: string; readonly why: string; readonly isFailed: boolean }

/** A merge that relay made, which git takes back and `relay undo` does not. */
export interface MergeNote {
  readonly at: string
  readonly branch: string
  readonly into: string
  /** A command of git. */
  readonly undo: string
}
