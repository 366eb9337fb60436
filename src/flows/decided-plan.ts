import type { Planned } from '../model/plan.ts'
import type { AnswerChoices } from '../model/stale.ts'
import type { Replanned } from '../transact/work/work.ts'
import type { RelayOptions } from './draft.ts'

/** Plans with what was decided about overlaps; what was said beforehand about all of them is remembered for the next time. */
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

/** What nobody has decided about by then came up while relay worked: nothing is written over it. */
export function replanned(planned: Planned): Replanned {
  if (planned.kind !== 'overlaps') return planned
  const [{ path }] = planned.overlaps
  const message = 'This file changed while relay worked. Apply the answer again: relay merges it, or asks.'
  return { kind: 'refused', problems: [{ code: 'changed-meanwhile', path, message }] }
}
