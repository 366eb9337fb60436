import { availableParallelism } from 'node:os'
import pMap from 'p-map'

const asked = process.env['FAULTS'] ?? 'sample'
const every = asked === 'all' ? 1 : Number(asked)

/** Every point with FAULTS=all, which takes hours; every fifth with FAULTS=5; else so many that a minute is enough. */
export const everything = every >= 1

/** The numbers from 1 to `last`, or about `some` of them, spread evenly from a place that `seed` moves. */
export function points(last: number, some: number, seed = 0): number[] {
  const all = Array.from({ length: last }, (_, index) => index + 1)
  const stride = everything ? every : Math.max(1, Math.floor(last / some))
  return all.filter(point => point % stride === seed % stride)
}

/**
 * Tries each point, a few at a time, and answers what went wrong, each with its point; `over` is a point that is not
 * there. Prints how many were tried: a harness that silently tries nothing proves nothing.
 */
export async function tryEach<T>(
  name: string,
  all: readonly T[],
  attempt: (point: T) => Promise<readonly string[] | 'over'>,
  atOnce = Number(process.env['FAULTS_AT_ONCE'] ?? availableParallelism()),
): Promise<string[]> {
  const began = performance.now()
  let tried = 0
  const wrong = await pMap(
    all,
    async point => {
      const label = typeof point === 'object' ? JSON.stringify(point) : String(point)
      try {
        const found = await attempt(point)
        if (found === 'over') return []
        tried += 1
        const told = found.map(each => `${label}: ${each}`)
        for (const each of told) console.log(`${name}: ${each}`)
        return told
      } catch (error) {
        return [`${label}: ${(error as Error).stack}`]
      }
    },
    { concurrency: atOnce },
  )
  const seconds = Math.round((performance.now() - began) / 1000)
  const failures = wrong.flat()
  console.log(`${name}: ${tried} points, ${failures.length} wrong (${seconds} s)`)
  return failures
}
