import pMap from 'p-map'

/**
 * Tries something at each of some steps, each time in a world of its own. Some at a time: much of what is tried only
 * waits whether a folder that is away stays away. None at all would prove nothing.
 */
export async function atEach(steps: readonly number[], attempt: (step: number) => Promise<void>): Promise<void> {
  if (steps.length === 0) throw new Error('there is no step to try')
  await pMap(steps, attempt, { concurrency: 16 })
}

/** The steps from one to another, both of them among these. */
export function stepsBetween(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
}
