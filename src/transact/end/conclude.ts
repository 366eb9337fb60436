import type { Checks } from '../../model/check.ts'
import type { Entry } from '../../model/entry.ts'
import type { Outcome } from '../../model/talk.ts'
import { movesOf } from '../entry/moves.ts'
import type { Decision } from '../work/decision.ts'
import type { Running } from '../work/work.ts'
import { endKept } from './commit.ts'
import { rollBack } from './roll-back.ts'

export async function conclude(entry: Entry, end: Decision, work: Running): Promise<Outcome> {
  const { number, uuid } = entry
  switch (end.kind) {
    case 'back':
      return rollBack(entry, end, work)
    case 'held':
      return { kind: 'held', number, uuid, ms: work.stopwatch.ms }
    case 'kept': {
      const late = await endKept(end.entry, work)
      const { after } = end.checks
      return {
        kind: 'committed',
        number,
        uuid,
        by: end.by,
        files: movesOf(end.entry).length,
        checked: after.kind === 'counted',
        ...(after.kind === 'counted' && after.tests === 'none' && { ranNoTest: true }),
        ...errorsOf(end.checks),
        ...(end.replaced.length > 0 && { replaced: end.replaced }),
        ...(late.length > 0 && { late }),
        ms: work.stopwatch.ms,
      }
    }
  }
}

function errorsOf({ comparison, after }: Checks): { readonly newErrors?: number; readonly errors?: number } {
  if (comparison !== undefined) return { newErrors: comparison.new }
  return after.kind === 'counted' ? { errors: after.errors } : {}
}
