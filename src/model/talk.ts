import type { AskedChange } from './asked-change.ts'
import type { Check, Checks, Comparison, Reason } from './check.ts'
import type { Ended } from './entry.ts'
import type { Change } from './plan.ts'
import type { Config } from './project.ts'
import type { Flag, IgnoredWhy, Problem } from './response.ts'
import type { AnswerOverlap } from './stale.ts'
import type { Committed } from './task.ts'

/** The steps of a transaction that take time, by the names that the screen uses. */
export type Step = 'pre' | 'base' | 'write' | 'post' | 'lint'

/** The short number that people type; `undefined` when the work lands on a branch, where it has no entry. */
type EntryNumber = number | undefined

export type Progress =
  /** Another relay process works in this project; `owner` describes it, and `question` is what it asks its user about. */
  | { readonly kind: 'waiting'; readonly owner: string; readonly question?: AskedChange }
  /** The history is missing or damaged, so that relay reads this number of entries instead; reported when that takes long. */
  | { readonly kind: 'history-lost'; readonly entries: number }
  | { readonly kind: 'recovered'; readonly recovery: Recovery }
  | {
      readonly kind: 'begun'
      readonly number: EntryNumber
      readonly uuid: string
      readonly title: string
      readonly changes: readonly Change[]
      /** When a copied or pasted response arrived; a user who types a command knows the time. */
      readonly at: Date | undefined
    }
  | { readonly kind: 'step-started'; readonly step: Step; readonly command: string }
  | {
      readonly kind: 'command-ended'
      readonly step: 'pre' | 'post'
      /** The command line, for the screen. */
      readonly command: string
      readonly end: CommandEnd
      readonly ms: number
      readonly alsoChanged: readonly string[]
      /** Not every file was checked: there may be more. */
      readonly alsoPart?: true
      /** It failed, and these variables were not handed to it. */
      readonly without?: readonly string[]
    }
  | {
      readonly kind: 'checked'
      readonly step: 'base' | 'lint'
      readonly check: Check
      /** The project is in the same state as at an earlier check, so that check's result was used. */
      readonly known?: boolean
      readonly comparison: Comparison | undefined
      readonly ms: number
      /** It found new errors or could not be counted, and these variables were not handed to it. */
      readonly without?: readonly string[]
    }
  | { readonly kind: 'written'; readonly files: number; readonly ms: number }
  /** The user chose which files stay. `blocked`: files that could not be restored because they were changed meanwhile. */
  | {
      readonly kind: 'chosen'
      readonly files: number
      readonly of: number
      readonly rescued: readonly Rescue[]
      readonly blocked: readonly string[]
    }
  /**
   * The patch's files that the user edited since the last check. With a linter that also fixes files, anyone may have done it.
   */
  | { readonly kind: 'edited'; readonly paths: readonly string[]; readonly whileChecked?: 'by-user' | 'by-whomever' }
  /** A transaction that had been left open has ended. */
  | { readonly kind: 'resumed'; readonly outcome: Outcome }

/** The end of one of the project's commands. */
export interface CommandEnd {
  readonly ok: boolean
  /** `exit 1`, `signal SIGKILL`, `no end within 600 s`, `not found`. */
  readonly why: string
  /** Both streams in order, cut to a limit. */
  readonly output: string
}

/** A question to a person. */
export type Question =
  /** Asked before anything runs: the files could make commands run or weaken security. */
  | {
      readonly kind: 'sensitive'
      readonly number: EntryNumber
      readonly changes: readonly Change[]
      readonly flags: readonly Flag[]
      readonly reasoning: readonly string[]
      readonly afterNo?: AfterNo
    }
  /** Asked after the checks: the files are already changed. */
  | {
      readonly kind: 'gate'
      readonly number: EntryNumber
      readonly title: string
      /** The project's root, to open its files. */
      readonly root: string
      /** Empty when every reason has gone: the person who began to decide has the last word. */
      readonly reasons: readonly Reason[]
      /** The changes that a yes keeps, as they are on the disk now. */
      readonly changes: readonly Change[]
      /** The changes that the user left out: undone on the disk, but still available. */
      readonly leftOut: readonly Change[]
      readonly checks: Checks
      readonly reasoning: readonly string[]
      /** There is a response, so that the model can be asked for a better one. */
      readonly canFollowUp: boolean
      /** The transaction had been left open with `q`. */
      readonly held: boolean
      readonly afterNo?: AfterNo
    }
  /**
   * Asked in a recovery. Yes restores the original and saves the user's file elsewhere; no keeps the user's file and
   * saves the original elsewhere.
   */
  | { readonly kind: 'edited'; readonly number: number; readonly paths: readonly string[] }
  /**
   * Asked in the recovery of a transaction that was not begun here. Yes changes the files as shown; no leaves them and moves
   * the entry to the rescue folder.
   */
  | {
      readonly kind: 'foreign'
      readonly number: number
      readonly title: string
      readonly startedAt: string
      readonly changes: readonly Change[]
      readonly flags: readonly Flag[]
    }
  /** A patch was on the clipboard before watching began, so nobody copied it for relay. */
  | { readonly kind: 'offered'; readonly title: string; readonly changes: readonly Change[] }

/** What a no leads to where an agent made the change: it tries again with the reason, or no further attempt follows. */
type AfterNo = 'again' | 'end'

/**
 * `unasked`: nobody could be asked. `closed`: the input ended at the question. Neither ever counts as a yes. All answers after
 * these are given at the gate only.
 */
export type Answer =
  | 'yes'
  | 'no'
  | 'unasked'
  | 'closed'
  /** relay's own no to an agent's work: nobody is asked about it. */
  | 'not-accepted'
  /** Run the commands again: the user has fixed something by hand. */
  | 'again'
  /** The files were open in an editor: check again if they were changed. */
  | 'edited'
  /** Leave the transaction open and stop. */
  | 'hold'
  /** Keep only these files. */
  | { readonly choose: readonly string[] }
  /** Run the commands again, by the configuration as it is now. */
  | { readonly again: Config }
  /** No, and copy a prompt that asks the model to try again: for this reason, empty where none was given. */
  | { readonly followUp: string }

/** The result of a rollback, by path. */
export interface Restoration {
  /** Paths that are as before. */
  readonly restored: readonly string[]
  /** The user's versions that were saved elsewhere before restoring. Both paths are relative to the root. */
  readonly rescued: readonly Rescue[]
  /** Paths that keep the user's version; the original was saved elsewhere. */
  readonly kept: readonly Rescue[]
  /** Paths that the user had edited since: the change is out of them, and the edits stay. */
  readonly merged: readonly string[]
}

export interface Rescue {
  readonly path: string
  readonly rescue: string
}

/** What recovery did about one unfinished transaction. */
export interface Recovery {
  readonly uuid: string
  readonly number: number | undefined
  readonly startedAt: string | undefined
  readonly title: string
  /**
   * | action | meaning |
   * | --- | --- |
   * | `rolled-back` | rolled back now |
   * | `would-roll-back` | a dry run would roll it back |
   * | `unbegun` | no file had been changed |
   * | `finished` | only the cleaning up was left |
   * | `held`, `unreadable` | left alone |
   * | `foreign` | not begun here, left alone |
   * | `set-aside` | it was foreign, and its entry was moved to the rescue folder |
   */
  readonly action:
    | 'rolled-back'
    | 'would-roll-back'
    | 'unbegun'
    | 'finished'
    | 'held'
    | 'foreign'
    | 'set-aside'
    | 'unreadable'
  readonly restoration: Restoration
  /** relay ended a command that was still running after relay had died. */
  readonly endedCommand: boolean
  /** The remaining files of a transaction that cannot be read or was set aside, relative to the root. */
  readonly left?: readonly string[]
  /** The transaction was not begun here: the files are now as its entry says, which need not be how they were. */
  readonly isForeign?: boolean
  /** A newer version of relay wrote the transaction, so this one cannot read it. */
  readonly isLater?: boolean
}

export type RollbackReason =
  /**
   * `followUp`: the user wants a prompt that asks the model to try again: for this reason, empty where none was given. `byRule`:
   * nobody was asked, for the configuration says so (`approval: never`); these reasons spoke against it.
   */
  | { readonly kind: 'declined'; readonly followUp?: string; readonly byRule?: readonly Reason[] }
  /** A question could not be asked. `closed`: it was asked, but the input ended (Ctrl+D) instead of an answer. */
  | { readonly kind: 'unasked'; readonly reasons: readonly Reason[]; readonly closed?: true }
  /** An agent's work that relay did not accept by itself. Nobody was to be asked. */
  | { readonly kind: 'not-accepted'; readonly reasons: readonly Reason[] }
  | { readonly kind: 'command'; readonly step: 'pre' | 'post'; readonly end: CommandEnd }
  /** Files were edited while relay worked. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  | { readonly kind: 'interrupted'; readonly signal: SignalName }
  | { readonly kind: 'failed'; readonly error: Error }

export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** How a response ended. */
export type Outcome =
  /** `sound`: the files of a cut-off answer that could be applied without the rest. */
  | { readonly kind: 'ignored'; readonly why: IgnoredWhy; readonly sound?: readonly string[] }
  /** `sound`: the files that could be applied without the damaged ones. */
  | {
      readonly kind: 'refused'
      readonly problems: readonly [Problem, ...Problem[]]
      readonly sound?: readonly string[]
    }
  /** The answer and the user changed the same places since the model saw them: nothing is written until a person decides. */
  | { readonly kind: 'overlap'; readonly overlaps: readonly [AnswerOverlap, ...AnswerOverlap[]] }
  /** A response with this uuid and the same operations has already been processed. */
  | { readonly kind: 'skipped'; readonly number: number; readonly state: Ended; readonly at: string }
  /**
   * The files are already as the response asks, except for those in `yours`, which stay as the user has them. `edits`: the
   * response has only edits, and the files already contain them.
   */
  | {
      readonly kind: 'unchanged'
      readonly paths: readonly string[]
      readonly yours?: readonly string[]
      readonly edits?: true
    }
  | {
      readonly kind: 'committed'
      readonly number: EntryNumber
      readonly uuid: string
      readonly by: 'auto' | 'user'
      readonly files: number
      readonly checked: boolean
      /** The check has a test runner, and that ran no test. */
      readonly ranNoTest?: boolean
      /** The number of new errors, if they were counted: an allowed new error still counts. */
      readonly newErrors?: number
      /** The number of errors now, if relay could not count how many of them are new. */
      readonly errors?: number
      /** Files that the user left out and that have been changed by someone since, each with the place of its original. */
      readonly replaced?: readonly Rescue[]
      /** Versions that someone saved while the patch replaced the files: they were saved elsewhere. */
      readonly late?: readonly Rescue[]
      /** Set where a commit was asked for. */
      readonly commit?: Committed
      readonly ms: number
    }
  | {
      readonly kind: 'rolled-back'
      readonly number: EntryNumber
      readonly reason: RollbackReason
      readonly restoration: Restoration
      readonly ms: number
    }
  /** The user left the transaction open with `q`: its files are changed, and neither kept nor taken back. */
  | { readonly kind: 'held'; readonly number: EntryNumber; readonly uuid: string; readonly ms: number }
