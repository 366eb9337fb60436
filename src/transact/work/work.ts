import { secretsIn } from '../../ground/secret-names.ts'
import type { Reason } from '../../model/check.ts'
import type { Ended, Entry } from '../../model/entry.ts'
import type { PathState, Plan, Planned } from '../../model/plan.ts'
import type { Project } from '../../model/project.ts'
import type { Response } from '../../model/response.ts'
import type { Clock, System, Talk } from '../../ports.ts'
import type { Journal } from '../journal/journal.ts'
import type { Layout } from '../layout/layout.ts'
import { type Stage, stageOf } from '../layout/stage.ts'

/** The facts about a transaction that are known before it begins. */
export interface JobFacts {
  readonly project: Project
  readonly source: Entry['source']
  /** Kept for another try after a rollback; `undefined` for an undo. */
  readonly response: Response | undefined
  readonly undoes?: Entry['undoes']
  readonly number: number
  readonly uuid: string
  /** The model's uuid, when relay gave this transaction one of its own. */
  readonly modelUuid: string | undefined
  readonly title: string
  /** The earlier turn of the same uuid, with other operations. */
  readonly reused: { readonly number: number; readonly state: Ended } | undefined
  readonly doubts: readonly Reason[]
  /** The folder is relay's own: no user edits there. */
  readonly isAlone?: true | undefined
  /** Nobody looks at the work before it is kept, so a check that ran no test does not count. */
  readonly needsTests?: true | undefined
  /** Gets the states that are kept, by path: those that the last check ran over, whatever becomes of the files afterwards. */
  readonly onKept?: ((states: ReadonlyMap<string, PathState>) => void) | undefined
}

export interface Job extends JobFacts {
  readonly plan: Plan
  /** Plans again: what the pre command changes is part of "before". */
  replan(): Promise<Replanned>
}

/** Nobody is asked any more: an overlap is a refusal by then. */
export type Replanned = Exclude<Planned, { readonly kind: 'overlaps' }>

/** A project in which no other relay works. */
export interface OpenProject {
  readonly layout: Layout
  readonly journal: Journal
  readonly system: System
  readonly talk: Talk
}

export interface Running extends OpenProject {
  readonly job: JobFacts
  readonly stage: Stage
  /** Variables with secrets that the project's commands do not get, because they run what an agent made. */
  readonly without: readonly string[]
  /** `written`: the project's files are changed. In memory, because somebody may remove the marks in the stage. */
  readonly reached: { written: boolean }
  readonly stopwatch: Stopwatch
}

/** Starts the stopwatch. */
export function begin(job: JobFacts, site: OpenProject): Running {
  const { layout, system } = site
  return {
    ...site,
    job,
    stage: stageOf(layout, job.uuid),
    without: job.source.startsWith('agent:') ? secretsIn(system.env, job.project.config.checkout.env) : [],
    reached: { written: false },
    stopwatch: new Stopwatch(system.clock),
  }
}

/** Measures the time that relay takes, without the time of a person who thinks or types. */
class Stopwatch {
  readonly #clock: Clock
  readonly #began: number
  #without = 0

  constructor(clock: Clock) {
    this.#clock = clock
    this.#began = clock.monotonic()
  }

  /** Milliseconds. */
  get ms(): number {
    return this.#clock.monotonic() - this.#began - this.#without
  }

  /** Waits for a person. */
  async without<T>(person: () => Promise<T>): Promise<T> {
    const began = this.#clock.monotonic()
    try {
      return await person()
    } finally {
      this.#without += this.#clock.monotonic() - began
    }
  }
}
