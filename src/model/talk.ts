import type { Check, Checks, Comparison, Reason } from './check.ts'
import type { Ended } from './entry.ts'
import type { Change } from './plan.ts'
import type { Flag, IgnoredWhy, Problem } from './response.ts'
import type { AnswerOverlap } from './stale.ts'

/** The parts of a transaction that take time, by the names that the screen uses. */
export type Step = 'pre' | 'base' | 'write' | 'post' | 'lint'

/** The short number that people type; `undefined`: it comes to a branch, and there is no entry for it. */
type EntryNumber = number | undefined

/** What a transaction reports while it runs. */
export type Progress =
  /** Another relay works in this project; `owner` says who. */
  | { readonly kind: 'waiting'; readonly owner: string }
  /** The history is missing or damaged, and so many entries are read in its place; said where that takes a while. */
  | { readonly kind: 'history-lost'; readonly entries: number }
  | { readonly kind: 'recovered'; readonly recovery: Recovery }
  | {
      readonly kind: 'begun'
      readonly number: EntryNumber
      readonly uuid: string
      readonly title: string
      readonly changes: readonly Change[]
      /** Of what came by itself; who types a command knows the time. */
      readonly at: Date | undefined
    }
  | { readonly kind: 'step-started'; readonly step: Step; readonly command: string }
  | {
      readonly kind: 'command-ended'
      readonly step: 'pre' | 'post'
      /** The command itself, for the screen. */
      readonly command: string
      readonly end: CommandEnd
      readonly ms: number
      readonly alsoChanged: readonly string[]
      /** Not every file was looked at: there may be more of them. */
      readonly alsoPart?: true
    }
  | {
      readonly kind: 'checked'
      readonly step: 'base' | 'lint'
      readonly check: Check
      /** The project stands as an earlier check left it, so that one's result was taken. */
      readonly known?: boolean
      readonly comparison: Comparison | undefined
      readonly ms: number
    }
  | { readonly kind: 'written'; readonly files: number; readonly ms: number }
  /** The user chose which files stay; `blocked`: could not be brought back, since they were changed meanwhile. */
  | {
      readonly kind: 'chosen'
      readonly files: number
      readonly of: number
      readonly rescued: readonly Rescue[]
      readonly blocked: readonly string[]
    }
  /** What the user changed by hand in the patch's files since the last check; or, with a linter that mends files, who knows who. */
  | { readonly kind: 'edited'; readonly paths: readonly string[]; readonly whileChecked?: 'by-user' | 'by-whomever' }
  /** A transaction that was left open has ended now. */
  | { readonly kind: 'resumed'; readonly outcome: Outcome }

/** How a command of the project's ended. */
export interface CommandEnd {
  readonly ok: boolean
  /** `exit 1`, `signal SIGKILL`, `no end within 600 s`, `not found`. */
  readonly why: string
  /** What it printed, both streams in order, cut to a bound. */
  readonly output: string
}

/** What a person is asked. */
export type Question =
  /** Before anything runs: the files could make commands run or open doors. */
  | {
      readonly kind: 'sensitive'
      readonly number: EntryNumber
      readonly changes: readonly Change[]
      readonly flags: readonly Flag[]
      readonly reasoning: readonly string[]
    }
  /** After the checks: the files are already changed. */
  | {
      readonly kind: 'gate'
      readonly number: EntryNumber
      readonly title: string
      /** The project's, for who opens its files. */
      readonly root: string
      /** None: what spoke against it is gone, and whoever began to decide has the last word. */
      readonly reasons: readonly Reason[]
      /** What stays on a yes, as it stands on the disk now. */
      readonly changes: readonly Change[]
      /** What the user left out: as before on the disk, and still to be had. */
      readonly leftOut: readonly Change[]
      readonly checks: Checks
      readonly reasoning: readonly string[]
      /** There is a response that the model could be asked to better. */
      readonly canFollowUp: boolean
      /** It had been left open with `q`. */
      readonly held: boolean
    }
  /** In a recovery: yes restores and puts the user's file aside, no keeps the user's and puts the original aside. */
  | { readonly kind: 'edited'; readonly number: number; readonly paths: readonly string[] }
  /** In a recovery of what was not begun here: yes changes the files as shown, no leaves them and puts the entry aside. */
  | {
      readonly kind: 'foreign'
      readonly number: number
      readonly title: string
      readonly startedAt: string
      readonly changes: readonly Change[]
      readonly flags: readonly Flag[]
    }
  /** A patch was on the clipboard before watching began: nobody copied it for relay. */
  | { readonly kind: 'offered'; readonly title: string; readonly changes: readonly Change[] }

/** `unasked`: nobody could be asked; `closed`: the input ended at the question. Neither is ever a yes. The rest is only said at the gate. */
export type Answer =
  | 'yes'
  | 'no'
  | 'unasked'
  | 'closed'
  /** No, and a prompt for the model to try again. */
  | 'follow-up'
  /** Run the commands again: something was put right by hand. */
  | 'again'
  /** The files were open in an editor: check again if anything was changed. */
  | 'edited'
  /** Leave it open, and stop. */
  | 'hold'
  /** Only these files stay. */
  | { readonly choose: readonly string[] }

/** What happened to the files when a transaction was taken back. */
export interface Restoration {
  /** Paths that are as before. */
  readonly restored: readonly string[]
  /** The user's own versions that were put aside before restoring: path and where it is now, both relative to the root. */
  readonly rescued: readonly Rescue[]
  /** Paths where the user's version stayed and the original was put aside. */
  readonly kept: readonly Rescue[]
}

export interface Rescue {
  readonly path: string
  readonly rescue: string
}

/** What recovery found and did about one unfinished transaction. */
export interface Recovery {
  readonly uuid: string
  readonly number: number | undefined
  readonly startedAt: string | undefined
  readonly title: string
  /**
   * `rolled-back` now, `would-roll-back` in a dry run, `unbegun` when it had not come to change a file, `finished` when
   * only the clearing up was left; `held`, `foreign` (not begun here) and `unreadable` are left alone; `set-aside`: it was
   * foreign, and its entry went to the rescue folder.
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
  /** A command that had outlived relay was ended. */
  readonly endedCommand: boolean
  /** What is left of one that cannot be read, or was set aside, relative to the root. */
  readonly left?: readonly string[]
  /** It was not begun here: its files are now what the entry says, and not what relay knows to have been there. */
  readonly isForeign?: boolean
  /** It cannot be read because a newer relay has written it. */
  readonly isLater?: boolean
}

export type RollbackReason =
  /** `followUp`: the user wants a prompt for the model to try again. */
  | { readonly kind: 'declined'; readonly followUp?: true }
  /** A question that could not be asked; `closed`: it was, and the input ended (Ctrl+D) instead of an answer. */
  | { readonly kind: 'unasked'; readonly reasons: readonly Reason[]; readonly closed?: true }
  | { readonly kind: 'command'; readonly step: 'pre' | 'post'; readonly end: CommandEnd }
  /** Files that were edited while relay worked. */
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  | { readonly kind: 'interrupted'; readonly signal: SignalName }
  | { readonly kind: 'failed'; readonly error: Error }

export type SignalName = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** How a response ended. */
export type Outcome =
  /** `sound`: of an answer that was cut off and cannot be taken as it is, the files that could be taken alone. */
  | { readonly kind: 'ignored'; readonly why: IgnoredWhy; readonly sound?: readonly string[] }
  /** `sound`: the files that could be taken alone. */
  | {
      readonly kind: 'refused'
      readonly problems: readonly [Problem, ...Problem[]]
      readonly sound?: readonly string[]
    }
  /** The answer and the user changed the same places since the model saw them: nothing is written before somebody decides. */
  | { readonly kind: 'overlap'; readonly overlaps: readonly [AnswerOverlap, ...AnswerOverlap[]] }
  /** Its uuid has already had its turn, with these same operations. */
  | { readonly kind: 'skipped'; readonly number: number; readonly state: Ended; readonly at: string }
  /**
   * Everything it asks for is already so, but for `yours`: these stay as the user has them. `edits`: all that it asks for are
   * edits, and they are there already.
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
      /** How many new errors it brought, where they were counted: an allowed one is still one. */
      readonly newErrors?: number
      /** How many errors there are now, where it was not counted how many of them are new. */
      readonly errors?: number
      /** Files that the user left out and that are something else by now, each with the place of its original. */
      readonly replaced?: readonly Rescue[]
      /** Versions that somebody saved while the patch replaced the files: they were put aside. */
      readonly late?: readonly Rescue[]
      readonly ms: number
    }
  | {
      readonly kind: 'rolled-back'
      readonly number: EntryNumber
      readonly reason: RollbackReason
      readonly restoration: Restoration
      readonly ms: number
    }
  /** Left open with `q`: its files are changed, and neither kept nor taken back. */
  | { readonly kind: 'held'; readonly number: EntryNumber; readonly uuid: string; readonly ms: number }
