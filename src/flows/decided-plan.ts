import type { Planned } from '../model/plan.ts'
import type { AnswerChoices } from '../model/stale.ts'
import type { Replanned } from '../transact/work/work.ts'
import type { RelayOptions } from './understood-answer.ts'

/**
 * Plans with the decisions about overlaps so far. `onOverlap` decides about every other overlap, and is
 * remembered for the next plan.
 */
export function decidedPlans({
  choices,
  onOverlap,
}: Pick<RelayOptions, 'choices' | 'onOverlap'>): (
  plan: (choices: AnswerChoices) => Promise<Planned>,
) => Promise<Planned> {
  const decided = new Map(choices)
  return async plan => {
    const planned = await plan(decided)
    if (planned.kind !== 'overlaps' || onOverlap === undefined) return planned
    for (const shown of planned.overlaps) decided.set(shown.path, { choice: onOverlap, shown })
    return plan(decided)
  }
}

/** Refuses a new plan with an overlap that came up while relay worked: nothing is written over it. */
export function replanned(planned: Planned): Replanned {
  if (planned.kind !== 'overlaps') return planned
  const [{ path }] = planned.overlaps
  const message = 'This file changed while relay worked. Apply the answer again: relay merges it, or asks.'
  return { kind: 'refused', problems: [{ code: 'changed-meanwhile', path, message }] }
}
