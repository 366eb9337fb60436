import type { Check, Checks, Reason, Verdict } from '../../model/check.ts'
import type { Ended } from '../../model/entry.ts'
import type { Config } from '../../model/project.ts'
import type { Flag } from '../../model/response.ts'
import type { CommandEnd } from '../../model/talk.ts'

/** Everything that the decision rests on. */
export interface GateInput {
  readonly config: Pick<Config, 'approval' | 'approvalOnErrorCount'>
  readonly checks: Checks
  readonly flags: readonly Flag[]
  /** How `postCommand` ended; `undefined` when there is none. */
  readonly post: CommandEnd | undefined
  /** The ended transaction that already bore this patch's uuid, with other operations. */
  readonly reused: { readonly number: number; readonly state: Ended } | undefined
  /** A check that ran no test is no proof: the work is an agent's, and nobody looked on. */
  readonly needsTests?: boolean | undefined
  /** Reasons that were known before the transaction began. */
  readonly also?: readonly Reason[]
}

/**
 * Decides whether a change stays without a question; if a person has to be asked, names every reason.
 *
 * All reasons are listed, always in this order, also when the configuration alone forbids auto-approval: whoever
 * answers should not find out about a failed check only because another reason went away.
 */
export function judge({ config, checks, flags, post, reused, needsTests, also = [] }: GateInput): Verdict {
  const limit = config.approvalOnErrorCount
  const count = checks.comparison?.new ?? growth(checks)
  const reasons: Reason[] = []
  if (config.approval === 'no') reasons.push({ kind: 'approval-no' })
  if (count > limit) reasons.push({ kind: 'new-errors', count, limit })
  reasons.push(...uncountedReasons(checks, limit))
  if (needsTests === true && ranNoTest(checks)) reasons.push({ kind: 'no-test' })
  reasons.push(...flags.map((flag): Reason => ({ kind: 'flag', flag })))
  if (post?.ok === false) reasons.push({ kind: 'post-command', why: post.why })
  if (reused !== undefined) reasons.push({ kind: 'reused-uuid', number: reused.number, state: reused.state })
  const [first, ...rest] = [...reasons, ...also]
  return first === undefined ? { kind: 'approve' } : { kind: 'ask', reasons: [first, ...rest] }
}

/** Without a comparison, the difference of the two counts has to do. */
function growth({ before, after }: Checks): number {
  return before.kind === 'counted' && after.kind === 'counted' ? Math.max(0, after.errors - before.errors) : 0
}

/** Where there was no test before either, the work has taken none away. */
function ranNoTest({ before, after }: Checks): boolean {
  return after.kind === 'counted' && after.tests === 'none' && !('tests' in before && before.tests === 'none')
}

/** There cannot be more new errors than errors: if these are few enough, no baseline is needed. */
function uncountedReasons({ before, after }: Checks, limit: number): readonly Reason[] {
  const isFew = after.kind === 'counted' && after.errors <= limit
  if (before.kind === 'uncounted' && isFew) return []
  return [...uncountedReason('before', before, after), ...uncountedReason('after', after, before)]
}

/** No linter at all says nothing against the patch; a check on one side alone cannot be compared. */
function uncountedReason(check: 'before' | 'after', one: Check, other: Check): readonly Reason[] {
  if (one.kind === 'uncounted') return [{ kind: 'uncounted', check, why: one.why }]
  if (one.kind === 'unchecked' && other.kind !== 'unchecked')
    return [{ kind: 'uncounted', check, why: 'no linter ran' }]
  return []
}
