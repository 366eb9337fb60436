import type { RelayOptions } from '../flows/draft.ts'
import type { MadeChange } from '../model/made.ts'
import type { Shipped } from '../model/ship.ts'
import type { Outcome } from '../model/talk.ts'
import type { Committed, Stopped } from '../model/task.ts'
import type { System, Talk } from '../ports.ts'
import type { Checkout } from './checkout/checkout.ts'

/** What an accepted attempt brings home. */
export interface ToLand {
  readonly changes: readonly MadeChange[]
  readonly title: string
  /** What the agent said about it. */
  readonly reasoning: string
  readonly agent: string
  /** Names this landing for good: one that was settled under it is not done again. */
  readonly uuid: string
  readonly message: string
}

export type LandingEnd =
  | {
      readonly kind: 'landed'
      readonly number: number | undefined
      readonly files: number
      /** What of it holds edits of the user's that were not committed: they came up meanwhile. */
      readonly mixed?: readonly string[]
    }
  /**
   * `isOverlap`: the edits of the user are in the way, which is no fault of the agent's. `option`: what it would have been taken
   * with, where no check speaks against it and only nobody was there to say yes.
   */
  | {
      readonly kind: 'no'
      readonly why: string
      readonly isOverlap?: true
      readonly isFinal?: true
      readonly option?: string | undefined
    }
  /** The user left the question open. */
  | { readonly kind: 'held' }
  | { readonly kind: 'interrupted' }

/** Where what agents make comes home, and the checkout in which they make it. */
export interface LandingPlace {
  /** Where books and their locks belong to: the project's root, or the top of a repository. */
  readonly root: string
  /** Seconds that a command of the project's may take. */
  readonly commandTimeout: number
  /** Whether the checkout stays when the run has ended in this way. */
  keepsCheckout(stopped: Stopped): boolean
  /** Does with what has landed what is wished at the end, unless that is done; without it there is nothing to do. */
  readonly ship?: () => Promise<Shipped>
  /** Makes the checkout in a folder of relay's, or opens the one that an earlier relay left there. */
  openCheckout(folder: string): Promise<Checkout>
  /** Which of these paths have edits that are not committed; `undefined`: nothing will be committed. */
  uncommitted(paths: readonly string[]): Promise<readonly string[] | undefined>
  land(what: ToLand, checkout: Checkout): Promise<LandingEnd>
  /** Commits what has landed, unless that is done; `number` is the transaction, where there is one. */
  commit(paths: readonly string[], message: string, number: number | undefined): Promise<Committed>
}

/** How a landing speaks with a person. */
export interface LandingTalk {
  readonly system: System
  readonly talk: Talk
  /** Takes it in one way after the other until it is settled, and shows how that ended. */
  settle(take: (way: RelayOptions) => Promise<Outcome>): Promise<Outcome>
  /** What an agent is told of an outcome that was not kept: errors first. */
  whyNot(outcome: Outcome): Promise<string>
  /** The words on the command line that would have answered, where nothing but an answer was missing. */
  optionFor?(outcome: Outcome): string | undefined
}
