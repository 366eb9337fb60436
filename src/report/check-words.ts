import type { Check, Comparison } from '../model.ts'
import { count, grouped } from './text/count.ts'
import { visibleOutputLine } from './text/visible.ts'

/** A check in words: `10 errors`, `unchecked: …`, `not counted: …`. */
export function checkWords(check: Check): string {
  switch (check.kind) {
    case 'unchecked':
      return 'unchecked: no linter is configured'
    case 'counted':
      return count(check.errors, 'error')
    case 'uncounted':
      return `not counted: ${visibleOutputLine(check.why)}`
  }
}

/** A comparison's three numbers: `new 0   fixed 2   same 10`. */
export function comparisonWords(comparison: Comparison): readonly [string, string, string] {
  return [`new ${grouped(comparison.new)}`, `fixed ${grouped(comparison.fixed)}`, `same ${grouped(comparison.same)}`]
}
