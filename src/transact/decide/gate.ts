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
  /** What was known to need a person before the transaction began. */
  readonly also?: readonly Reason[]
}

/**
 * Decides whether a change stays without a question; if a person has to be asked, names every reason.
 *
 * All reasons are listed, always in this order, also when the configuration alone forbids auto-approval: whoever
 * answers should not find out about a failed check only because another reason went away.
 */
export function judge(input: GateInput): Verdict {
  const [first, ...rest] = [
    ...approvalReasons(input),
    ...errorReasons(input),
    ...uncountedReasons(input),
    ...input.flags.map((flag): Reason => ({ kind: 'flag', flag })),
    ...postReasons(input.post),
    ...reusedReasons(input.reused),
    ...(input.also ?? []),
  ]
  return first === undefined ? { kind: 'approve' } : { kind: 'ask', reasons: [first, ...rest] }
}

function approvalReasons({ config }: GateInput): readonly Reason[] {
  return config.approval === 'no' ? [{ kind: 'approval-no' }] : []
}

function errorReasons({ config, checks }: GateInput): readonly Reason[] {
  const count = checks.comparison?.new ?? growth(checks)
  const limit = config.approvalOnErrorCount
  return count > limit ? [{ kind: 'new-errors', count, limit }] : []
}

/** A missing comparison never lets two counted checks pass: the difference of the counts is what is left. */
function growth({ before, after }: Checks): number {
  return before.kind === 'counted' && after.kind === 'counted' ? Math.max(0, after.errors - before.errors) : 0
}

/** New errors are never more than all that there are: where these are few enough, nothing is missed without a baseline. */
function uncountedReasons({ config, checks: { before, after } }: GateInput): readonly Reason[] {
  const isFew = after.kind === 'counted' && after.errors <= config.approvalOnErrorCount
  if (before.kind === 'uncounted' && isFew) return []
  return [...uncountedReason('before', before, after), ...uncountedReason('after', after, before)]
}

/** No linter at all is nothing against the patch; no linter on one side only leaves nothing to compare with. */
function uncountedReason(check: 'before' | 'after', one: Check, other: Check): readonly Reason[] {
  if (one.kind === 'uncounted') return [{ kind: 'uncounted', check, why: one.why }]
  if (one.kind === 'unchecked' && other.kind !== 'unchecked')
    return [{ kind: 'uncounted', check, why: 'no linter ran' }]
  return []
}

function postReasons(post: CommandEnd | undefined): readonly Reason[] {
  return post === undefined || post.ok ? [] : [{ kind: 'post-command', why: post.why }]
}

function reusedReasons(reused: GateInput['reused']): readonly Reason[] {
  return reused === undefined ? [] : [{ kind: 'reused-uuid', number: reused.number, state: reused.state }]
}
