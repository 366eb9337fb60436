import type { AgentChange } from './agent-changes.ts'
import type { AttemptFacts, Settled, Task, TaskEnd, Turned } from './task.ts'

/**
 * A list of tasks kept in files. Their state is derived from the files. This is what the flow needs from a book; everything
 * else about a task is the book's own business.
 */
export interface Book {
  /** A name for people. */
  readonly name: string
  /** The word by which the user means this book's run in a command; by default its name. */
  readonly word?: string
  /** Stable for one book and unique in its project: unfinished work is found by this key. */
  readonly key: string
  /** The keys of books that change the same files: nobody may work on one of them at the same time. */
  readonly rivals?: readonly string[]
  /** The highest number of tasks left, if that is known. */
  readonly tasks: number | undefined
  /**
   * The next task, by the files as they are now; `undefined`: no task is left that could be done. `ended` holds the tasks that
   * ended in this run, in order.
   */
  next(ended: readonly TaskEnd[]): Promise<Task | undefined>
  /** Whether a task that was begun still has to be done, by the files as they are now. */
  isWanted(task: Task): Promise<boolean>
  /** The files that this book itself judges. Those of other books no agent may change. */
  owns?(path: string): boolean
  /** What an agent changes besides a plan is dropped, and its work still counts; work that does not count is not kept. */
  readonly isPlanning?: true
  /** The whole text for the agent. */
  envelope(task: Task, facts: AttemptFacts): Promise<string>
  /** Whether the agent's own files say that the task is done: a turn that was cut may not have come to its last message. */
  saysDone?(task: Task, facts: AttemptFacts): Promise<boolean>
  /** Judges a finished turn: whether the task is done by the rules of the book, and which of the changes land. */
  settle(task: Task, turn: Turned, changes: readonly AgentChange[], facts: AttemptFacts): Promise<Settled>
  /**
   * Only for books that do not count attempts per task. Called after an attempt that did not count; returns why the run must
   * stop, or `undefined` to try the same task again until it is done or the run has used up its attempts.
   */
  stuck?(task: Task, why: string, changes: readonly AgentChange[]): Promise<string | undefined>
  /** Whether `stuck` would stop the run after these changes. */
  isStuckAfter?(task: Task, changes: readonly AgentChange[]): Promise<boolean>
  /** Records how a task ended, unless that landed with its changes. Recording the same end twice does no harm. */
  write(end: TaskEnd): Promise<void>
}
