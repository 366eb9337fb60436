import fc, { type Arbitrary } from 'fast-check'
import { drawn, isWhole } from './drawn.ts'

/**
 * The library for properties, with the same cases in every run: what chance finds belongs into a table of cases, not into
 * somebody's build. FAULTS=all tries others each time.
 */
if (process.env['FAULTS'] !== 'all') fc.configureGlobal({ seed: 20261120 })

/** How a long property is asserted: with so many cases, or in a sample with some of the same. */
export function casesOf<Ts extends unknown[]>(
  name: string,
  numRuns: number,
  ...given: { [Index in keyof Ts]: Arbitrary<Ts[Index]> }
): { readonly numRuns: number; readonly examples?: Ts[] } {
  if (isWhole) return { numRuns }
  const examples = drawn(name, fc.sample(fc.tuple<Ts>(...given), numRuns))
  return { numRuns: examples.length, examples: [...examples] }
}

export { fc }
