import { tally } from './tally.ts'

/** `npm run test:all`, or faults that were asked for by name: nothing is left out. */
export const isWhole = process.env['TESTS'] === 'all' || process.env['FAULTS'] !== undefined

/** The number of the day, or what repeats another day's: `vitest.config.ts`. */
const seed = Number(process.env['SEED'])

/** One of so many is tried each time; as many days in a row try them all. */
const share = 5

/**
 * Of a list that `npm run test:all` tries in full, what `npm test` tries of it today: a fifth, and at least one. Lists of
 * other names begin elsewhere. The end of the run says how many there were, and by which seed.
 *
 * @param inWhole one of so many is tried in `npm run test:all`, for a list that takes minutes: as many days try all of it
 */
export function drawn<T>(name: string, all: readonly T[], inWhole = 1): readonly T[] {
  const wished = isWhole ? (process.env['FAULTS'] === undefined ? inWhole : 1) : share
  const by = Math.min(wished, all.length)
  if (by <= 1) return all
  const first = (seed + [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0)) % by
  const some = all.filter((_, index) => index % by === first)
  tally({ drawn: some.length, of: all.length })
  return some
}
