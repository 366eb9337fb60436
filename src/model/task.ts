import type { AgentEvent, Enforcement, Sandbox, TurnEnd } from './agent.ts'
import type { MadeChange } from './made.ts'
import type { Shipped } from './ship.ts'

/** One piece of work of a book, as it is known before an agent has seen it. */
export interface Task {
  /** Unique in its book: `01`, `US-003`. */
  readonly id: string
  readonly title: string
}

/** What an attempt starts with, beside the task itself. */
export interface AttemptFacts {
  /** The project's folder in the checkout, where the agent works. */
  readonly cwd: string
  /** 1-based. */
  readonly attempt: number
  /** Why the attempts before this one did not count, oldest first. */
  readonly before: readonly string[]
  /** An earlier relay was stopped during this attempt: what the agent had done by then is in the checkout. */
  readonly isResumed: boolean
  /** Milliseconds of all turns of the task so far; the flow tells it always. */
  readonly ms?: number
}

/** A turn that is over, as it is written down. */
export type Turned = Omit<TurnEnd, 'resetsAt'>

/** What a book makes of a turn that is over. */
export type Settled =
  /** It is to land: these changes, and what they are called in git. Without changes there is nothing to land, and it is done. */
  | {
      readonly kind: 'done'
      readonly changes: readonly MadeChange[]
      readonly title: string
      readonly message: string
      /** Files of the book itself: what stands there without a commit is the book's, and no edit of the user's. */
      readonly own?: readonly string[]
      /** What the agent changed that is not its to change: it stays as it was. */
      readonly dropped?: readonly string[]
    }
  /** It does not count. `isFinal`: another attempt cannot get further. */
  | { readonly kind: 'not-done'; readonly why: string; readonly isFinal?: true }

/** How a task ended in a run. */
export interface TaskEnd {
  readonly task: Task
  readonly attempts: number
  /** Milliseconds, of all its turns. */
  readonly ms: number
  /** What was used, as far as it was told. */
  readonly usage: TurnEnd['usage']
  readonly result: TaskResult
}

export type TaskResult =
  | { readonly kind: 'landed'; readonly landed: Landed }
  /** Nothing had to be changed. */
  | { readonly kind: 'done' }
  /** `kept`: the number under which its work is kept; `undefined`: there was none. */
  | {
      readonly kind: 'failed'
      readonly why: string
      readonly kept: number | undefined
      /** On the command line they would have agreed to what nobody could be asked about. */
      readonly option?: string | undefined
      readonly last: Turned | undefined
    }

/** How an accepted attempt came home. */
export interface Landed {
  /** The transaction, where it landed in the user's folder. */
  readonly number: number | undefined
  /** How many files it changed. */
  readonly files: number
  readonly committed: Committed
}

export type Committed =
  | { readonly kind: 'commit'; readonly sha: string }
  /** It was not wished, or there is no repository. */
  | { readonly kind: 'none' }
  /** It was to be committed, and was not. */
  | { readonly kind: 'not-committed'; readonly why: string }

/** Limits of a run: seconds, but for `attempts`, `iterations`, `cost` (US dollars) and `tokens`. */
export interface WorkLimits {
  /** Of a task. */
  readonly attempts: number
  /** Attempts in all: then none is counted for a task by itself. */
  readonly iterations?: number
  readonly timeout: number
  readonly silence: number
  readonly grace: number
  /** How long one usage limit of the agent may be waited for, in all. */
  readonly wait: number
  readonly time?: number | undefined
  readonly cost?: number | undefined
  readonly tokens?: number | undefined
}

/** What is told while agents work through a book. */
export type WorkEvent =
  | {
      readonly kind: 'run-begun'
      readonly book: string
      readonly agent: string
      readonly sandbox: Sandbox
      readonly enforcement: Enforcement
      readonly limits: WorkLimits
      /** How many tasks may come, where that is known. */
      readonly tasks: number | undefined
    }
  /** Work that an earlier relay had begun goes on. */
  | { readonly kind: 'resumed'; readonly task: Task; readonly attempt: number }
  | { readonly kind: 'left-out'; readonly paths: readonly string[] }
  | { readonly kind: 'lacks'; readonly missing: readonly Lack[] }
  | {
      readonly kind: 'attempt-begun'
      readonly task: Task
      readonly attempt: number
      readonly of: number
      /** Its number among all of the run, where these are limited. */
      readonly iteration?: number
    }
  | { readonly kind: 'agent'; readonly event: AgentEvent }
  | { readonly kind: 'turn-ended'; readonly task: Task; readonly end: TurnEnd; readonly ms: number }
  | { readonly kind: 'waiting'; readonly until: Date }
  | { readonly kind: 'dropped'; readonly paths: readonly string[] }
  | {
      readonly kind: 'attempt-failed'
      readonly task: Task
      readonly attempt: number
      readonly why: string
      /** The end of the turn, or of the landing, has told it. */
      readonly isTold: boolean
    }
  | { readonly kind: 'task-ended'; readonly end: TaskEnd }
  | { readonly kind: 'run-ended'; readonly end: WorkEnd }

/** What a check in the checkout needs and does not find there. */
export interface Lack {
  readonly path: string
  /**
   * `installed`: a Python environment that holds the user's copy of the project itself, as its file `because` says. `tracked`: it
   * was to be linked, and git knows files in it.
   */
  readonly why: 'installed' | 'tracked'
  readonly because?: string
}

/** How a run ended. */
export interface WorkEnd {
  readonly tasks: readonly TaskEnd[]
  /** How many there were to do, where that is known. */
  readonly of: number | undefined
  /** Milliseconds, of the whole run. */
  readonly ms: number
  readonly stopped: Stopped
  /** What became of the branch; `undefined`: there is none, or not all is done. */
  readonly shipped: Shipped | undefined
}

/** Why no further task was begun. */
export type Stopped =
  | { readonly kind: 'all-done' }
  /** A task failed, and those that are left wait for it, or a limit of the run was reached. `option`: with it the run goes on. */
  | { readonly kind: 'work-left'; readonly why: string; readonly option?: string }
  | { readonly kind: 'interrupted' }
  /** The user left the engine's question open. */
  | { readonly kind: 'held' }
  /** The agent cannot work at all: it is not there, it is not logged in, or its checkout cannot be set up. */
  | { readonly kind: 'no-agent'; readonly why: string }
