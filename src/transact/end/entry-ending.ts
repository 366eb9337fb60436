import type { Check, Checks, Comparison } from '../../model/check.ts'
import type { CheckRecord } from '../../model/entry.ts'
import type { Move } from '../entry/moves.ts'
import type { Ending } from '../entry/write-entry.ts'
import { type Places, writtenStates } from '../survey/places.ts'

/** What an entry learns at its end. */
export function endingOf(
  checks: Checks,
  moves: readonly Move[],
  places: Places,
  { by, at, byHand }: { readonly by: 'auto' | 'user'; readonly at: Date; readonly byHand: ReadonlySet<string> },
): Ending {
  const edited = moves.flatMap(({ path }) => (byHand.has(path) ? [path] : []))
  return {
    checks: { before: recordOf(checks.before), after: { ...recordOf(checks.after), ...counts(checks.comparison) } },
    written: writtenStates(moves, places),
    outcome: { kind: 'committed', by, at: at.toISOString(), ...(edited.length > 0 && { edited }) },
  }
}

function recordOf(check: Check): CheckRecord {
  switch (check.kind) {
    case 'unchecked':
      return { errors: null }
    case 'counted':
      return { errors: check.errors }
    case 'uncounted':
      return { errors: null, uncounted: check.why }
  }
}

function counts(comparison: Comparison | undefined): { new: number; fixed: number } | undefined {
  return comparison === undefined ? undefined : { new: comparison.new, fixed: comparison.fixed }
}
