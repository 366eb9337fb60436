import type { AgentEvent, AgentUsage, Enforcement, Sandbox, TurnEnd } from './agent.ts'
import type { AgentChange } from './agent-changes.ts'
import type { Shipped } from './ship.ts'

/** One piece of work in a book, as it is known before an agent has seen it. */
export interface Task {
  /** Unique in its book: `01`, `US-003`. */
  readonly id: string
  readonly title: string
}

/** What is known when an attempt starts, besides the task itself. */
export interface AttemptFacts {
  /** The project's folder in the checkout, where the agent works. */
  readonly cwd: string
  /** The attempt's number, from 1. */
  readonly attempt: number
  /** Why the earlier attempts did not count, oldest first. */
  readonly before: readonly string[]
  /** An earlier relay process was stopped during this attempt: what the agent had done so far is in the checkout. */
  readonly isResumed: boolean
  /** Milliseconds of all turns of the task so far; always set by the flow. */
  readonly ms?: number
  /** The use of all turns of the task so far, as far as it is known. */
  readonly usage?: AgentUsage
}

/** A finished turn, as it is recorded. */
export type Turned = Omit<TurnEnd, 'resetsAt'>

/** A book's judgement of a finished turn. */
export type Settled =
  /** The task is done: these changes land, with this name in git. Without changes there is nothing to land. */
  | {
      readonly kind: 'done'
      readonly changes: readonly AgentChange[]
      readonly title: string
      readonly message: string
      /** The book's own files: an uncommitted version of them in the user's folder is the book's, not an edit by the user. */
      readonly own?: readonly string[]
      /** Paths that the agent was not allowed to change; the changes are dropped. */
      readonly dropped?: readonly string[]
    }
  /** The attempt does not count. `isFinal`: another attempt could not get further. */
  | { readonly kind: 'not-done'; readonly why: string; readonly isFinal?: true }

export interface TaskEnd {
  readonly task: Task
  readonly attempts: number
  /** Milliseconds of all its turns. */
  readonly ms: number
  /** The use, as far as the agent reported it. */
  readonly usage: AgentUsage
  readonly result: TaskResult
}

export type TaskResult =
  | { readonly kind: 'landed'; readonly landed: Landed }
  /** Nothing had to be changed. */
  | { readonly kind: 'done' }
  /** `kept`: the number of the kept work; `undefined`: there was none. */
  | {
      readonly kind: 'failed'
      readonly why: string
      readonly kept: number | undefined
      /** The option that would have agreed beforehand to the question that nobody could be asked. */
      readonly option?: string | undefined
      readonly last: Turned | undefined
    }

/** How accepted work landed. */
export interface Landed {
  /** The transaction's number, if the work landed in the user's folder. */
  readonly number: number | undefined
  /** The number of changed files. */
  readonly files: number
  readonly committed: Committed
}

export type Committed =
  | { readonly kind: 'commit'; readonly sha: string }
  /** No commit was asked for, or there is no repository. */
  | { readonly kind: 'none' }
  /** A commit was asked for but could not be made. */
  | { readonly kind: 'not-committed'; readonly why: string }

/** Limits of a run, in seconds except for `attempts`, `iterations`, `cost` (US dollars) and `tokens`. */
export interface WorkLimits {
  /** For one task. */
  readonly attempts: number
  /** Attempts of the whole run; replaces the limit per task. */
  readonly iterations?: number
  readonly timeout: number
  readonly silence: number
  readonly grace: number
  /** How long relay waits for one of the agent's usage limits to end, in all. */
  readonly wait: number
  readonly time?: number | undefined
  readonly cost?: number | undefined
  readonly tokens?: number | undefined
}

/** The steps of a run that are shown, in the order in which a task meets them. */
export const shownSteps = [
  'begin',
  'choose',
  'checkout',
  'set-up',
  'envelope',
  'turn',
  'settle',
  'land',
  'commit',
  'write-down',
  'end',
  'ship',
] as const

export type ShownStep = (typeof shownSteps)[number]

/** An event of a run, in the order in which they happen. */
export type WorkEvent =
  | { readonly kind: 'step'; readonly step: ShownStep }
  | {
      readonly kind: 'run-begun'
      readonly book: string
      readonly agent: string
      readonly sandbox: Sandbox
      readonly enforcement: Enforcement
      readonly limits: WorkLimits
      /** The highest number of tasks, if that is known. */
      readonly tasks: number | undefined
    }
  /** Work that an earlier relay process had begun goes on. */
  | { readonly kind: 'resumed'; readonly task: Task; readonly attempt: number }
  | { readonly kind: 'left-out'; readonly paths: readonly string[] }
  | { readonly kind: 'lacks'; readonly missing: readonly Lack[] }
  | {
      readonly kind: 'attempt-begun'
      readonly task: Task
      readonly attempt: number
      readonly of: number
      /** Its number in the run, if `iterations` is limited. */
      readonly iteration?: number
    }
  /** What the user says goes into this envelope; with `isTold: false`, the run has ended and no envelope came after it. */
  | { readonly kind: 'user-note'; readonly sentences: readonly string[]; readonly isTold: boolean }
  | { readonly kind: 'agent'; readonly event: AgentEvent }
  | { readonly kind: 'turn-ended'; readonly task: Task; readonly end: TurnEnd; readonly ms: number }
  | { readonly kind: 'waiting'; readonly until: Date }
  | { readonly kind: 'dropped'; readonly paths: readonly string[] }
  /** relay cannot tell whether the user has edits in these files that are in no commit. */
  | { readonly kind: 'not-compared'; readonly paths: readonly string[] }
  | {
      readonly kind: 'attempt-failed'
      readonly task: Task
      readonly attempt: number
      readonly why: string
      /** What has told the details already: the end of the turn, or the checks and questions of the landing. */
      readonly toldBy?: 'turn' | 'checks' | undefined
      /** Absent where no further attempt follows. */
      readonly next?: NextAttempt
      /** None follows because the reason is the one of the attempt before. */
      readonly isSame?: boolean
    }
  | { readonly kind: 'task-ended'; readonly end: TaskEnd }
  | { readonly kind: 'run-ended'; readonly end: WorkEnd }

/** The number of an attempt: in its task, or `iteration` in the run, where those are limited. */
export interface NextAttempt {
  readonly attempt: number
  readonly iteration?: number
  readonly of: number
}

/** Something that a check needs and that is missing in the checkout. */
export interface Lack {
  readonly path: string
  /**
   * `installed`: a Python environment that has the user's copy of the project itself installed, as its file `because` shows.
   * `tracked`: the folder was to be linked, but git tracks files in it.
   */
  readonly why: 'installed' | 'tracked'
  readonly because?: string
}

export interface WorkEnd {
  readonly tasks: readonly TaskEnd[]
  /** The number of tasks that there were to do, if it is known. */
  readonly of: number | undefined
  /** Milliseconds of the whole run. */
  readonly ms: number
  /** All turns of this run, also those whose task has not ended. */
  readonly turns: number
  readonly usage: AgentUsage
  readonly stopped: Stopped
  /** What was done with the branch; `undefined`: there is none, or not all tasks are done. */
  readonly shipped: Shipped | undefined
}

/** Why no further task was begun. */
export type Stopped =
  | { readonly kind: 'all-done' }
  /**
   * A task failed and the others wait for it, or the run reached a limit. `option`: the option that lets the run go on. `kept`:
   * the number of the kept work that was refused last; it lies in `folder` too.
   */
  | {
      readonly kind: 'work-left'
      readonly why: string
      readonly option?: string
      readonly kept?: number
      readonly folder?: string
    }
  | { readonly kind: 'interrupted' }
  /** The user left a question of the transaction open. */
  | { readonly kind: 'held' }
  /**
   * The agent cannot work at all: it is not installed or not logged in, or its checkout cannot be set up. `isTold`: the end of
   * its turn has told that.
   */
  | { readonly kind: 'no-agent'; readonly why: string; readonly isTold?: true }
