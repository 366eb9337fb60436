import { availableParallelism } from 'node:os'
import pMap from 'p-map'
import { drawn, isWhole as isAll } from '../support/drawn.ts'
import { tally } from '../support/tally.ts'

const asked = process.env['FAULTS'] ?? 'sample'
const every = asked === 'all' ? 1 : Number(asked)

/** Every point with FAULTS=all, which takes hours; every fifth with FAULTS=5; else so many that a minute is enough. */
export const everything = every >= 1

/** FAULTS_SHARD=2/8 is the second of eight parts, for as many machines or evenings. */
const [shard = 1, shards = 1] = (process.env['FAULTS_SHARD'] ?? '1/1').split('/').map(Number)

/** What all points show together, one shard or one day may not. */
export const isWhole = shards === 1 && isAll

/** The numbers from 1 to `last`, or about `some` of them and at least one, spread evenly from a place that `seed` moves. */
export function points(last: number, some: number, seed = 0): number[] {
  const all = Array.from({ length: last }, (_, index) => index + 1)
  const stride = Math.min(last, everything ? every : Math.max(1, Math.floor(last / some)))
  return all.filter(point => point % stride === seed % stride)
}

/** One of a list for a point; neighbours, and points a stride apart, get different ones. */
export function pick<T>(list: readonly [T, ...T[]], point: number, seed = 0): T {
  return list[(Math.imul(point * 31 + seed + 7, 0x9e3779b1) >>> 9) % list.length] as T
}

/**
 * Tries each point, or those drawn for today, a few at a time, and answers what went wrong, each with its point; `over` is a point that is not
 * there. What stands before a comma in the name is its kind. `ended` counts how a point's run ended. All is tallied, and
 * it is wrong when none was there: a harness that silently tries nothing proves nothing.
 */
export async function tryEach<T>(
  name: string,
  all: readonly T[],
  attempt: (point: T, ended: (how: string) => void) => Promise<readonly string[] | 'over'>,
  atOnce = Number(process.env['FAULTS_AT_ONCE'] ?? availableParallelism()),
): Promise<string[]> {
  const began = performance.now()
  const ends: Record<string, number> = {}
  let tried = 0
  const wrong = await pMap(
    drawn(name, all).filter((_, index) => index % shards === shard - 1),
    async point => {
      const label = typeof point === 'object' ? JSON.stringify(point) : String(point)
      try {
        const found = await attempt(point, how => {
          ends[how] = (ends[how] ?? 0) + 1
        })
        if (found === 'over') return []
        tried += 1
        const told = found.map(each => `${label}: ${each}`)
        for (const each of told) console.log(`${name}: ${each}`)
        return told
      } catch (error) {
        tried += 1
        return [`${label}: ${(error as Error).stack}`]
      }
    },
    { concurrency: atOnce },
  )
  const failures = wrong.flat()
  // Of one shard, or of one day, all may be over.
  if (tried === 0 && isWhole) failures.push('nothing was tried')
  const seconds = (performance.now() - began) / 1000
  tally({ kind: name.split(', ')[0] ?? name, points: tried, wrong: failures.length, seconds, ends })
  return failures
}
