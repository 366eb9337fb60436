import type { MadeChange } from './made.ts'
import type { AttemptFacts, Settled, Task, TaskEnd, Turned } from './task.ts'

/**
 * A list of tasks in files, whose state is derived from them: what the flow asks of it. Everything else about a task is the
 * book's own affair.
 */
export interface Book {
  /** For people. */
  readonly name: string
  /** The same for the same book, and unique in its project: what is under way for it is found by that. */
  readonly key: string
  /** The key of the same tasks where they land elsewhere: one of both is worked on at a time. */
  readonly rival?: string
  /** How many tasks are left at most, where that is known. */
  readonly tasks: number | undefined
  /**
   * The task that comes next, by the files as they are now; `undefined`: none is left that could be done. `ended` are
   * those of this run, in their order.
   */
  next(ended: readonly TaskEnd[]): Promise<Task | undefined>
  /** Whether a task that was begun is still to be done, by the files as they are now. */
  isWanted(task: Task): Promise<boolean>
  /** All that the agent is told. */
  envelope(task: Task, facts: AttemptFacts): Promise<string>
  /** Judges a turn that came to its end: whether the task is done by the rules of the book, and what of it comes home. */
  settle(task: Task, turn: Turned, changes: readonly MadeChange[], facts: AttemptFacts): Promise<Settled>
  /**
   * Of a book whose tasks have no number of attempts of their own: after one that did not count, why the run is to stop; `undefined`:
   * the task goes on. The agent gets the same task until it is done, or the run has had its attempts.
   */
  stuck?(task: Task, why: string, changes: readonly MadeChange[]): Promise<string | undefined>
  /** Writes down how a task ended, where that did not come home with its changes. Doing it twice does no harm. */
  write(end: TaskEnd): Promise<void>
}
