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
} from '../model.ts'
import type { Files, System, Talk } from '../ports.ts'
import type { Journal } from './journal.ts'
import type { KnownChecks } from './known-checks.ts'
import type { Layout } from './layout.ts'
import type { Stage } from './stage.ts'
import type { Stopwatch } from './stopwatch.ts'

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

/** A transaction under way, with all that its steps need. */
export interface Work {
  readonly job: Matter
  readonly layout: Layout
  readonly stage: Stage
  readonly journal: Journal
  readonly known: KnownChecks
  readonly files: Files
  readonly system: System
  readonly talk: Talk
  readonly stopwatch: Stopwatch
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
}

export function back(reason: RollbackReason, { checks, post }: Findings = {}): Back {
  return { kind: 'back', reason, ...(checks && { checks }), ...(post && { post }) }
}

/** The way back that an interruption asks for, as soon as there was one. */
export function interrupted({ system }: Work): Back | undefined {
  if (!system.interruption.aborted) return undefined
  return back({ kind: 'interrupted', signal: system.interruption.reason as SignalName })
}

export function asFailure(error: unknown): Back {
  return back({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
}
