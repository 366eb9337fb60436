/** What is done with a branch when all of its tasks are done. */
export const shipWishes = ['merge', 'pr', 'leave'] as const

export type ShipWish = (typeof shipWishes)[number]

/** What became of a branch at the end. */
export type Shipped =
  /** It stays as it is; `why`, where something else was wished. */
  | { readonly kind: 'left'; readonly branch: string; readonly why: string | undefined }
  /** Without a commit it was merged before. */
  | { readonly kind: 'merged'; readonly branch: string; readonly into: string; readonly commit: string | undefined }
  | { readonly kind: 'pull-request'; readonly branch: string; readonly url: string; readonly isNew: boolean }
  /** It is pushed, and no pull request was opened. */
  | { readonly kind: 'pushed'; readonly branch: string; readonly why: string }
