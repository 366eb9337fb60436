import type { Book } from '../../model/book.ts'
import type { Project } from '../../model/project.ts'
import type { AfterRun } from '../../model/ship.ts'
import type { Task, WorkEnd, WorkEvent } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import type { LandingPlace, LandingTalk } from './land.ts'
import type { WorkOptions } from './work-parts.ts'

/**
 * What agents are sent to do by themselves: a plan, the stories of a loop, one instruction, a delegation. All of them go the
 * same road; here a product says what is its own on it.
 */
export interface Errand {
  /** The work lands in the user's folder, not on a branch elsewhere. */
  readonly isHere: boolean
  /** What lands is committed. */
  readonly commits: boolean
  /** The branch that the user may ship at the end; `undefined` where there is nothing to choose. */
  readonly branch?: BranchToShip | undefined
  /** What a dry run lists. Absent where the command has none. */
  toCome?(): Promise<TasksToCome>
  /** Opens the tasks and the place where they land, once the user has agreed to everything. */
  begin(telling: Telling): Promise<Begun>
  /** Gets each event of the run. */
  hear?(event: WorkEvent): void
  /** Learns how the run ended, and gives what the user should read then. */
  ended?(end: WorkEnd, after: AfterRun): Promise<LastWords>
}

export interface BranchToShip {
  readonly name: string
  /** The user's branch that a merge goes into; `undefined` for a detached HEAD. */
  readonly into: string | undefined
}

/** The tasks of a run in order, each with the size of its envelope in bytes. */
interface TasksToCome {
  readonly book: string
  readonly tasks: readonly (Task & { readonly bytes: number })[]
}

export interface Telling {
  /** What becomes of the branch. */
  readonly after: AfterRun
  /** Shows a sentence to the user, now or later in the run. */
  note(sentence: string): void
}

export interface Begun {
  readonly book: Book
  placeFor(landing: LandingTalk): LandingPlace
}

export interface LastWords {
  readonly notes: readonly string[]
  /** A command to go on with. */
  readonly next?: string | undefined
}

/** The agent and everything around it, checked before anything is paid for. */
export interface ReadyWork {
  /** With `--review`, a project that asks about every change. */
  readonly project: Project
  readonly work: WorkOptions
  /** A system for relay's own programs: it never finds one inside the project. */
  readonly system: System
}

/** The commands that an envelope says the agent may run. */
export function commandsInPrompt({ sandbox, allow }: WorkOptions): readonly string[] | 'any' {
  return sandbox === 'danger-full-access' ? 'any' : allow
}
