import type { Check, Comparison } from '../../model/check.ts'
import type { CheckRecord, Entry } from '../../model/entry.ts'
import { count, grouped } from '../text/count.ts'
import { visibleOutputLine } from '../text/visible.ts'

/** `10 errors`, `0 errors, ran no test`, `unchecked: …`, `not counted: …`. */
export function checkWords(check: Check): string {
  switch (check.kind) {
    case 'unchecked':
      return 'unchecked: no linter is configured'
    case 'counted':
      return `${count(check.errors, 'error')}${check.tests === 'none' ? `, ${RAN_NO_TEST}` : ''}`
    case 'uncounted':
      return `not counted: ${visibleOutputLine(check.why)}`
  }
}

/** `new 0  fixed 2  same 10`. */
export function comparisonWords(comparison: Comparison): readonly [string, string, string] {
  return [`new ${grouped(comparison.new)}`, `fixed ${grouped(comparison.fixed)}`, `same ${grouped(comparison.same)}`]
}

/** The checks of an entry: `15 -> 12 errors  new 0  fixed 3`. */
export function checkRecordWords(checks: Entry['checks']): string {
  if (checks === undefined) return 'not known'
  const { before, after } = checks
  if (after.uncounted !== undefined) return `not counted: ${after.uncounted}`
  if (after.errors === null) return 'not checked'
  const from = before.errors === null || before.errors === after.errors ? '' : `${grouped(before.errors)} -> `
  const lost = before.uncounted === undefined ? [] : [`not counted before: ${before.uncounted}`]
  const none = after.tests === 'none' ? [RAN_NO_TEST] : []
  return [`${from}${count(after.errors, 'error')}`, ...numbers(after), ...none, ...lost].join('   ')
}

function numbers({ new: added, fixed }: CheckRecord): readonly string[] {
  return added === undefined || fixed === undefined ? [] : [`new ${grouped(added)}`, `fixed ${grouped(fixed)}`]
}

export const RAN_NO_TEST = 'ran no test'

/** For a linter whose errors cannot be counted. */
export const linterRemedy =
  'Run the linter yourself in the project’s root, then correct "linter" in relaycode.config.json.'
