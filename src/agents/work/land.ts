import type { RelayOptions } from '../../flows/understood-answer.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { Shipped } from '../../model/ship.ts'
import type { Outcome } from '../../model/talk.ts'
import type { Committed, Stopped } from '../../model/task.ts'
import type { System, Talk } from '../../ports.ts'
import type { Checkout } from '../checkout/checkout.ts'
import type { Uncommitted } from '../checkout/commit-landed.ts'
import type { Doors } from '../checkout/program.ts'

/** The work of an accepted attempt, ready to land. */
export interface ToLand {
  readonly changes: readonly AgentChange[]
  readonly title: string
  /** The agent's own words about the work. */
  readonly reasoning: string
  readonly agent: string
  /** Identifies this landing. One that is settled already is not done again. */
  readonly uuid: string
  readonly message: string
  readonly attempt: LandingAttempt
}

/** What a landing has to know of the attempt whose work it is. */
export interface LandingAttempt {
  /** Whether no further attempt follows where the work does not count for this reason. */
  isLast(why: string): boolean
  /** The user's edits were in the way of the turn before as well. */
  readonly isSecondOverlap: boolean
}

export type LandingEnd =
  | {
      readonly kind: 'landed'
      readonly number: number | undefined
      readonly files: number
      /** Landed paths that include uncommitted edits, which the user made meanwhile. */
      readonly mixed?: readonly string[]
    }
  /**
   * - `overlap`: the paths in which the user's edits are in the way, which is not the agent's fault.
   * - `isUnanswered`: only a person could have said yes, and nobody has answered. Another attempt would not change that.
   * - `option`: the command line option that would have been that answer.
   */
  | {
      readonly kind: 'no'
      readonly why: string
      readonly overlap?: readonly string[]
      readonly isFinal?: true
      readonly isUnanswered?: boolean
      readonly option?: string | undefined
      /** Packages that the work adds and that no check could find. */
      readonly missing?: readonly string[]
    }
  /** The work was accepted, but the branch is elsewhere now. */
  | { readonly kind: 'moved' }
  /** The user left the question open. */
  | { readonly kind: 'held' }
  | { readonly kind: 'interrupted' }

/** The place where agents' work lands, and the checkout in which they work. */
export interface LandingPlace {
  /** The owner of the books and their locks: the project's root, or the top of a repository. */
  readonly root: string
  /** Time limit of a project command, in seconds. */
  readonly commandTimeout: number
  /** The secrets that the project's commands get, although they run an agent's work (`checkout.env`). */
  readonly keptVariables: readonly string[]
  /** Ships the landed work, unless that is done already. Absent where there is nothing to ship. */
  readonly ship?: () => Promise<Shipped>
  /** Called once at the end of a run, after all else. Absent where there is nothing to do then. */
  readonly close?: (stopped: Stopped) => Promise<void>
  /** Makes the checkout in a folder of relay's state, or opens the one that an earlier relay run left there. */
  openCheckout(folder: string): Promise<Checkout>
  /**
   * Throws `usage` where the project's checks cannot run in the checkout, as no work could ever land from there. Called before
   * the first turn is paid. Absent where the checks do not run in the checkout.
   */
  readonly preflight?: (checkout: Checkout) => Promise<void>
  /** Those of these paths with uncommitted edits; `undefined` where nothing will be committed. */
  uncommitted(paths: readonly string[]): Promise<Uncommitted | undefined>
  land(what: ToLand, checkout: Checkout): Promise<LandingEnd>
  /** Commits the landed work, unless that is done already. `number` is the transaction, where there is one. */
  commit(paths: readonly string[], message: string, number: number | undefined): Promise<Committed>
}

/** How a landing talks with the user. */
export interface LandingTalk {
  readonly system: System & Pick<Doors, 'patience'>
  readonly talk: Talk
  /** Takes the work with one set of options after another until it is settled, and shows how that ended. */
  settle(take: (way: RelayOptions) => Promise<Outcome>, attempt: LandingAttempt): Promise<Outcome>
  /** The text for the agent about an outcome that was not kept: errors first. */
  whyNot(outcome: Outcome): Promise<string>
  /** The command line option that answers what only a person can agree to; `undefined` where that was not in question. */
  optionFor?(outcome: Outcome): string | undefined
}
