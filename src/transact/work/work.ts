import { asError } from '../../errors.ts'
import type {
  Checks,
  CommandEnd,
  Ended,
  Entry,
  Plan,
  Planned,
  Project,
  Reason,
  Response,
  RollbackReason,
  SignalName,
} from '../../model.ts'
import type { System, Talk } from '../../ports.ts'
import type { Journal } from '../journal/journal.ts'
import { KnownChecks } from '../journal/known-checks.ts'
import type { Layout } from '../layout/layout.ts'
import { type Stage, stageOf } from '../layout/stage.ts'
import { Stopwatch } from './stopwatch.ts'

/** A transaction's matter: what it is about, and what was decided about it before. */
export interface Matter {
  readonly project: Project
  readonly source: Entry['source']
  /** What is kept for another try when it is rolled back; nothing where an earlier transaction is taken back. */
  readonly response: Response | undefined
  /** The earlier transaction that this one takes back. */
  readonly undoes?: NonNullable<Entry['undoes']>
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
export interface Job extends Matter {
  readonly plan: Plan
  /** Plans once more: what the pre command changes is part of "before". */
  replan(): Promise<Planned>
}

/** A project in which nobody else is at work, and whom to talk to there. */
export interface Site {
  readonly layout: Layout
  readonly journal: Journal
  readonly system: System
  readonly talk: Talk
}

/** A transaction under way, with all that its steps need. */
export interface Work extends Site {
  readonly job: Matter
  readonly stage: Stage
  readonly known: KnownChecks
  /** How far it has come, whatever somebody makes of the marks in its stage: the project's files are changed. */
  readonly reached: { written: boolean }
  readonly stopwatch: Stopwatch
}

/** The work on one patch; its clock runs from here on. */
export function begin(job: Matter, site: Site): Work {
  const { layout, system } = site
  return {
    ...site,
    job,
    stage: stageOf(layout, job.uuid),
    known: new KnownChecks(job.project.config.linter, layout),
    reached: { written: false },
    stopwatch: new Stopwatch(system.clock),
  }
}

/** The transaction has to be taken back, or not to begin at all. */
export interface Back extends Findings {
  readonly kind: 'back'
  readonly reason: RollbackReason
}

/** What was known of a patch by then. */
interface Findings {
  readonly checks?: Checks
  readonly post?: CommandEnd | undefined
  /** The paths that the user left out. */
  readonly leftOut?: ReadonlySet<string>
}

export function back(reason: RollbackReason, { checks, post, leftOut }: Findings = {}): Back {
  return { kind: 'back', reason, ...(checks && { checks }), ...(post && { post }), ...(leftOut && { leftOut }) }
}

/** The way back that an interruption asks for, as soon as there was one. */
export function interrupted({ system }: Work): Back | undefined {
  if (!system.interruption.aborted) return undefined
  return back({ kind: 'interrupted', signal: system.interruption.reason as SignalName })
}

/** The way back from what was thrown, whatever that is. */
export function asFailure(error: unknown): Back {
  return back({ kind: 'failed', error: asError(error) })
}
