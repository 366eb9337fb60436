import { asError } from '../../errors.ts'
import type { Checks } from '../../model/check.ts'
import type { Entry } from '../../model/entry.ts'
import type { CommandEnd, Rescue, RollbackReason, SignalName } from '../../model/talk.ts'
import type { Work } from './work.ts'

/** What is to become of a transaction. */
export type Decision = Back | Held | Kept

/** The transaction has to be taken back, or not to begin at all. */
export interface Back extends Findings {
  readonly kind: 'back'
  readonly reason: RollbackReason
}

/** What was known of a patch by then. */
interface Findings {
  readonly checks?: Checks | undefined
  readonly post?: CommandEnd | undefined
  /** The paths that the user left out, or did not let the patch change. */
  readonly leftOut?: ReadonlySet<string> | undefined
}

/** The transaction stays, as this entry tells. */
export interface Kept {
  readonly kind: 'kept'
  readonly by: 'auto' | 'user'
  readonly entry: Entry
  readonly checks: Checks
  /** What was left out and is something else by now, each with the place of its original. */
  readonly replaced: readonly Rescue[]
}

/** It was left open. */
interface Held {
  readonly kind: 'held'
}

export function back(reason: RollbackReason, { checks, post, leftOut }: Findings = {}): Back {
  return { kind: 'back', reason, checks, post, leftOut }
}

/** The way back that an interruption asks for, as soon as there was one. */
export function interrupted({ system }: Work): Back | undefined {
  if (!system.interruption.aborted) return undefined
  return back({ kind: 'interrupted', signal: system.interruption.reason as SignalName })
}

/** The way back where a look at many files was cut short and threw the interruption; whatever else was thrown is thrown on. */
export function asInterruption(error: unknown, work: Work): Back {
  const stopped = error === work.system.interruption.reason ? interrupted(work) : undefined
  if (stopped === undefined) throw error
  return stopped
}

/** The way back from what was thrown, whatever that is. */
export function asFailure(error: unknown): Back {
  return back({ kind: 'failed', error: asError(error) })
}
