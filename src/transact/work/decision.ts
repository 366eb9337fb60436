import { asError } from '../../errors.ts'
import type { Checks } from '../../model/check.ts'
import type { Entry } from '../../model/entry.ts'
import type { CommandEnd, Rescue, RollbackReason, SignalName } from '../../model/talk.ts'
import type { Running } from './work.ts'

export type Decision = RollBack | Held | Kept

/** The transaction must be rolled back, or must not begin. */
export interface RollBack extends Findings {
  readonly kind: 'back'
  readonly reason: RollbackReason
}

/** What relay had found out about a patch by then. */
interface Findings {
  readonly checks?: Checks | undefined
  readonly post?: CommandEnd | undefined
  /** Paths that the user left out, or did not let the patch change. */
  readonly leftOut?: ReadonlySet<string> | undefined
}

/** The transaction is kept, with this entry. */
export interface Kept {
  readonly kind: 'kept'
  readonly by: 'auto' | 'user'
  readonly entry: Entry
  readonly checks: Checks
  /** Files that were left out and have changed since, each with the place of its original. */
  readonly replaced: readonly Rescue[]
}

interface Held {
  readonly kind: 'held'
}

export function rollBackBecause(reason: RollbackReason, { checks, post, leftOut }: Findings = {}): RollBack {
  return { kind: 'back', reason, checks, post, leftOut }
}

/** The decision to roll back, if relay was interrupted. */
export function interrupted({ system }: Running): RollBack | undefined {
  if (!system.interruption.aborted) return undefined
  return rollBackBecause({ kind: 'interrupted', signal: system.interruption.reason as SignalName })
}

/** The decision to roll back, if the error is the interruption of a look at many files; throws any other error. */
export function asInterruption(error: unknown, work: Running): RollBack {
  const stopped = error === work.system.interruption.reason ? interrupted(work) : undefined
  if (stopped === undefined) throw error
  return stopped
}

export function asFailure(error: unknown): RollBack {
  return rollBackBecause({ kind: 'failed', error: asError(error) })
}
