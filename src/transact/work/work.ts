import type { Reason } from '../../model/check.ts'
import type { Ended, Entry } from '../../model/entry.ts'
import type { Plan, Planned } from '../../model/plan.ts'
import type { Project } from '../../model/project.ts'
import type { Response } from '../../model/response.ts'
import type { Clock, System, Talk } from '../../ports.ts'
import type { Journal } from '../journal/journal.ts'
import type { Layout } from '../layout/layout.ts'
import { type Stage, stageOf } from '../layout/stage.ts'

/** A transaction's matter: what it is about, and what was decided about it before. */
export interface JobFacts {
  readonly project: Project
  readonly source: Entry['source']
  /** What is kept for another try when it is rolled back; nothing where an earlier transaction is taken back. */
  readonly response: Response | undefined
  /** The earlier transaction that this one takes back. */
  readonly undoes?: Entry['undoes']
  readonly number: number
  readonly uuid: string
  /** The model's uuid, when relay gave this transaction one of its own. */
  readonly modelUuid: string | undefined
  readonly title: string
  /** The earlier turn of the same uuid, with other operations. */
  readonly reused: { readonly number: number; readonly state: Ended } | undefined
  /** Further reasons to ask, known before it began. */
  readonly doubts: readonly Reason[]
}

/** A plan that may run. */
export interface Job extends JobFacts {
  readonly plan: Plan
  /** Plans once more: what the pre command changes is part of "before". */
  replan(): Promise<Replanned>
}

/** Nobody is asked any more: what only a person could decide is a refusal by then. */
export type Replanned = Exclude<Planned, { readonly kind: 'overlaps' }>

/** A project in which nobody else is at work, and whom to talk to there. */
export interface OpenProject {
  readonly layout: Layout
  readonly journal: Journal
  readonly system: System
  readonly talk: Talk
}

/** A transaction under way, with all that its steps need. */
export interface Work extends OpenProject {
  readonly job: JobFacts
  readonly stage: Stage
  /** How far it has come, whatever somebody makes of the marks in its stage: the project's files are changed. */
  readonly reached: { written: boolean }
  readonly stopwatch: Stopwatch
}

/** The work on one patch; its clock runs from here on. */
export function begin(job: JobFacts, site: OpenProject): Work {
  return {
    ...site,
    job,
    stage: stageOf(site.layout, job.uuid),
    reached: { written: false },
    stopwatch: new Stopwatch(site.system.clock),
  }
}

/** The time that relay takes for something: while a person thinks or types it stands still. */
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
