import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RelayEnd } from '../support/real-relay.ts'
import { canMount, withMount } from './mount.ts'
import { relay } from './program.ts'
import { everything, points, tryEach } from './sample.ts'
import { applyArguments, type Scenario, scenarios, type Undisturbed, undisturbed, wrongEnd } from './scenarios.ts'
import { answer, layOut, leftOver, type World } from './world.ts'

const long = everything ? 3_600_000 : 120_000

/** What relay calls each cause, and what it says to do. */
const words: Readonly<Record<string, readonly [cause: RegExp, remedy: RegExp]>> = {
  EIO: [/the disk reports an error/, /dmesg/],
  ENOSPC: [/the disk is full/, /Free some space/],
  EACCES: [/permission denied/, /ls -ld/],
  EROFS: [/the file system is read-only/, /Mount it writable/],
  EMFILE: [/too many files are open/, /ulimit/],
  EDQUOT: [/the disk quota is used up/, /Free some space/],
}
const codes = Object.keys(words)

/** What an ending with an error must say: which file, why, what to do; nothing of the program's insides. */
function wrongWords({ code, stderr }: RelayEnd, error: string): string[] {
  const wrong: string[] = []
  if (/^\s+at .*:\d+|Unexpected:|node:internal/m.test(stderr)) wrong.push(`shows its insides: ${stderr}`)
  if (code === 0) return wrong
  const [cause, remedy] = words[error] ?? [/./, /./]
  // Long lines are wrapped.
  const about = stderr.replaceAll(/\s+/g, ' ').slice(-500)
  if (!/Cannot (read|write|list|link|move|remove|make folder|sync|find) \S+: /.test(about))
    wrong.push(`names no file: ${about}`)
  if (!cause.test(about)) wrong.push(`names no cause: ${about}`)
  if (!remedy.test(about) && !/Remove the cause, then run/.test(about)) wrong.push(`names no remedy: ${about}`)
  return wrong
}

/** What is wrong with how a run ended that met an error: non-zero and as before, or zero and as after. */
function wrongOutcome(world: World, run: RelayEnd, scenario: Scenario, whole: Undisturbed): string[] {
  const wrong: string[] = []
  if (run.signal !== null) wrong.push(`died by ${run.signal}: ${run.stderr}`)
  if ((run.code === 0) !== world.committed())
    wrong.push(`ended with ${run.code}, entry: ${world.committed()}: ${run.stderr}`)
  if (run.code === 0 && scenario.ends !== 'committed') wrong.push('kept what should not have been')
  return [...wrong, ...wrongEnd(world, whole)]
}

/** After the cause is gone: whatever was left is cleared up, and the end stays what it was. */
async function wrongAfterwards(world: World, scenario: Scenario, whole: Undisturbed): Promise<string[]> {
  const was = world.committed()
  const { code, stderr } = await relay(['recover'], { cwd: world.root })
  const wrong = wrongEnd(world, whole).map(each => `after recover ${each}`)
  if (world.committed() !== was) wrong.push('recover changed the end')
  if (code !== 0) wrong.push(`recover ended with ${code}: ${stderr}`)
  for (const name of leftOver(world, scenario.formats === true)) wrong.push(`left over: ${name}`)
  return wrong
}

describe.each(scenarios.slice(0, everything ? undefined : 3).map((scenario, seed) => ({ ...scenario, seed })))(
  '$name',
  ({ seed, ...scenario }) => {
    const args = applyArguments(scenario)

    it('ends in words and as before, or as after, when any call fails once', { timeout: long }, async () => {
      const whole = await undisturbed(scenario)
      const wrong = await tryEach(`one error, ${scenario.name}`, points(whole.calls.length, 5, seed), async at => {
        const world = layOut(scenario.settings)
        try {
          const error = codes[(at + seed) % codes.length] ?? ''
          const run = await relay(args, { cwd: world.root, stdin: answer(), fault: `${error} any ${at}` })
          // What it would have said anyway, when the error did not matter.
          const asPlanned = scenario.ends === 'rolled-back' && (run.code === 3 || run.code === 4)
          return [
            ...wrongOutcome(world, run, scenario, whole),
            ...(asPlanned ? [] : wrongWords(run, error)),
            ...(await wrongAfterwards(world, scenario, whole)),
          ].map(each => `${error}, ${whole.calls[at - 1]?.what}: ${each}`)
        } finally {
          world.remove()
        }
      })
      expect(wrong).toEqual([])
    })

    it('rolls back on a disk that is full from any step on', { timeout: long }, async () => {
      const whole = await undisturbed(scenario)
      const wrong = await tryEach(`full disk, ${scenario.name}`, points(whole.changes, 2, seed), async at => {
        const world = layOut(scenario.settings)
        try {
          const run = await relay(args, { cwd: world.root, stdin: answer(), fault: `ENOSPC change ${at}+` })
          const asPlanned = scenario.ends === 'rolled-back' && (run.code === 3 || run.code === 4)
          return [
            ...wrongOutcome(world, run, scenario, whole),
            ...(asPlanned ? [] : wrongWords(run, 'ENOSPC')),
            ...(await wrongAfterwards(world, scenario, whole)),
          ].map(each => `${whole.calls.find(({ change }) => change === at)?.what}: ${each}`)
        } finally {
          world.remove()
        }
      })
      expect(wrong).toEqual([])
    })

    it('is as before or as after once the disk is back that was lost at any step', { timeout: long }, async () => {
      const whole = await undisturbed(scenario)
      const lost = everything ? ['EIO', 'EROFS', 'EMFILE'] : ['EIO']
      const all = points(whole.changes, 2, seed).flatMap(at => lost.map(error => ({ at, error })))
      const wrong = await tryEach(`lost disk, ${scenario.name}`, all, async ({ at, error }) => {
        const world = layOut(scenario.settings)
        try {
          const run = await relay(args, { cwd: world.root, stdin: answer(), fault: `${error} change ${at}+` })
          const insides = wrongWords(run, error).filter(each => each.startsWith('shows'))
          const lied = run.code === 0 && !world.committed() ? [`ended with 0: ${run.stderr}`] : []
          return [...lied, ...insides, ...(await wrongAfterwards(world, scenario, whole))].map(
            each => `${whole.calls.find(({ change }) => change === at)?.what}: ${each}`,
          )
        } finally {
          world.remove()
        }
      })
      expect(wrong).toEqual([])
    })
  },
)

const kept = { name: 'kept', settings: {}, ends: 'committed' } as const satisfies Scenario

it('writes every byte when each write takes only half of what it is given', { timeout: long }, async () => {
  const whole = await undisturbed(kept)
  const world = layOut()
  try {
    const run = await relay(applyArguments(kept), { cwd: world.root, stdin: answer(), fault: 'short change 1+' })
    expect(run.code).toBe(0)
    expect([...wrongEnd(world, whole), ...(await wrongAfterwards(world, kept, whole))]).toEqual([])
  } finally {
    world.remove()
  }
})

describe.runIf(canMount)('a disk that is really full', () => {
  it.each(['tmpfs', 'ext4'] as const)(
    '%s: ends as before, or as after, whatever room is left',
    { timeout: long },
    async kind => {
      await withMount(kind, async folder => {
        const whole = await undisturbed(kept)
        let fits = 0
        const rooms = Array.from({ length: everything ? 60 : 5 }, (_, n) => (everything ? n * 4 : n * 40))
        const wrong = await tryEach(
          `really full, ${kind}`,
          rooms,
          async room => {
            const world = layOut({}, folder)
            try {
              fill(folder, room)
              const run = await relay(applyArguments(kept), { cwd: world.root, stdin: answer() })
              if (run.code === 0) fits += 1
              const wrong = [...wrongOutcome(world, run, kept, whole), ...wrongWords(run, 'ENOSPC')]
              rmSync(join(folder, 'ballast'), { force: true })
              return [...wrong, ...(await wrongAfterwards(world, kept, whole))]
            } finally {
              rmSync(join(folder, 'ballast'), { force: true })
              world.remove()
            }
          },
          1,
        )
        expect(wrong).toEqual([])
        // Some had room enough, and some had not.
        expect(fits).toBeGreaterThan(0)
        expect(fits).toBeLessThan(rooms.length)
      })
    },
  )
})

/** Fills a file system but for some KB. */
function fill(folder: string, kilobytesLeft: number): void {
  const file = openSync(join(folder, 'ballast'), 'w')
  const chunk = Buffer.alloc(4096)
  let size = 0
  try {
    for (;;) size += writeSync(file, chunk)
  } catch {
    // Full.
  }
  ftruncateSync(file, Math.max(0, size - kilobytesLeft * 1024))
  fsyncSync(file)
  closeSync(file)
}
