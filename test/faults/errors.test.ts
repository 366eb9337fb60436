import { closeSync, fsyncSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RelayEnd } from '../support/real-relay.ts'
import { whereMounting, withMount } from './mount.ts'
import { relay } from './program.ts'
import { everything, isWhole, pick, points, tryEach } from './sample.ts'
import {
  applyArguments,
  type Scenario,
  scenarios,
  seeded,
  type Undisturbed,
  undisturbed,
  wrongEnd,
  wrongLook,
  wrongRecovery,
} from './scenarios.ts'
import { answer, inWorld, layOut, type World } from './world.ts'

/** How `faulty.js` ends who never came to the call that was to fail. */
const neverStruck = 97

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
const codes = ['EIO', 'ENOSPC', 'EACCES', 'EROFS', 'EMFILE', 'EDQUOT'] as const

/** What an ending with an error must say: which file, why, what to do; nothing of the program's insides. */
function wrongWords({ code, stderr }: RelayEnd, error: string): string[] {
  const wrong = wrongLook(stderr)
  if (code === 0) return wrong
  const [cause, remedy] = words[error] ?? [/./, /./]
  // Long lines are wrapped.
  const about = stderr.replaceAll(/\s+/g, ' ').slice(-500)
  if (!/Cannot (read|write|add to|list|link|move|remove|make folder|sync|find) [^:]+: /.test(about))
    wrong.push(`names no file: ${about}`)
  if (!cause.test(about)) wrong.push(`names no cause: ${about}`)
  if (!remedy.test(about) && !/Remove the cause, then run/.test(about)) wrong.push(`names no remedy: ${about}`)
  return wrong
}

/** What is wrong with how a run ended that met an error: non-zero and as before, or zero and as after. */
function wrongOutcome(world: World, run: RelayEnd, scenario: Scenario, whole: Undisturbed): string[] {
  return [...wrongCode(world, run, scenario), ...wrongEnd(world, whole)]
}

/** Zero and an entry that stays, or neither. */
function wrongCode(world: World, run: RelayEnd, scenario: Scenario): string[] {
  const wrong: string[] = []
  if (run.signal !== null) wrong.push(`died by ${run.signal}: ${run.stderr}`)
  if ((run.code === 0) !== world.committed())
    wrong.push(`ended with ${run.code}, entry: ${world.committed()}: ${run.stderr}`)
  if (run.code === 0 && scenario.ends !== 'committed') wrong.push('kept what should not have been')
  return wrong
}

/** After the cause is gone: whatever was left is cleared up, and the end stays what it was. */
async function wrongAfterwards(world: World, scenario: Scenario, whole: Undisturbed): Promise<string[]> {
  const was = world.committed()
  const wrong = await wrongRecovery(world, scenario.formats === true)
  if (world.committed() !== was) wrong.push('recover changed the end')
  return [...wrong, ...wrongEnd(world, whole).map(each => `after recover ${each}`)]
}

/** What it would have said anyway, when the error did not matter. */
function isAsPlanned({ code }: RelayEnd, scenario: Scenario): boolean {
  return scenario.ends === 'rolled-back' && (code === 3 || code === 4)
}

describe.each(seeded(scenarios, 3))('$name', ({ seed, ...scenario }) => {
  const args = applyArguments(scenario)

  /** What is wrong with a run that meets a fault, and afterwards; `judge` tells what of its own end. */
  async function tryFault(
    fault: string,
    what: string | undefined,
    whole: Undisturbed,
    ended: (how: string) => void,
    judge: (run: RelayEnd, world: World) => readonly string[],
  ): Promise<readonly string[] | 'over'> {
    return inWorld(scenario.settings, async world => {
      const run = await relay(args, { cwd: world.root, stdin: answer(), fault })
      // How often it only looks depends on how long it waits.
      if (run.code === neverStruck && fault.includes('any')) return 'over'
      ended(`exit ${run.code}`)
      const wrong = [...judge(run, world), ...(await wrongAfterwards(world, scenario, whole))]
      return wrong.map(each => `${fault}, ${what}: ${each}`)
    })
  }

  /** It says what the error was, unless it would have ended without an error of its own. */
  const wrongSaid = (run: RelayEnd, error: string, isExpected = isAsPlanned(run, scenario)) =>
    isExpected ? wrongLook(run.stderr) : wrongWords(run, error)

  const changeAt = (at: number, whole: Undisturbed) => whole.calls.find(({ change }) => change === at)?.what

  it('ends in words and as before, or as after, when any call fails once', { timeout: long }, async () => {
    const whole = await undisturbed(scenario)
    const all = points(whole.calls.length, 6, seed)
    const wrong = await tryEach(`one error, ${scenario.name}`, all, (at, ended) => {
      const what = whole.calls[at - 1]?.what
      // A process that may not be looked at is one of somebody else's, and no error.
      const error = pick(what?.includes('/proc/') === true ? ['EIO', 'EMFILE'] : codes, at, seed)
      return tryFault(`${error} any ${at}`, what, whole, ended, (run, world) => [
        ...wrongOutcome(world, run, scenario, whole),
        ...wrongSaid(run, error),
      ])
    })
    expect(wrong).toEqual([])
  })

  it.each(['short', 'half'])('is as before or as after when any write is cut: %s', { timeout: long }, async kind => {
    const whole = await undisturbed(scenario)
    const writes = whole.calls.filter(({ what }) => what.startsWith('write ')).map(({ change }) => change ?? 0)
    const chosen = points(writes.length, 2, seed).map(nth => writes[nth - 1] ?? 0)
    const wrong = await tryEach(`${kind} writes, ${scenario.name}`, chosen, (at, ended) =>
      tryFault(`${kind} change ${at}`, changeAt(at, whole), whole, ended, (run, world) => {
        const isExpected = scenario.ends === 'committed' ? run.code === 0 : isAsPlanned(run, scenario)
        return [
          ...wrongOutcome(world, run, scenario, whole),
          // The rest is written by the next call, or the next one says that the disk is full.
          ...(kind === 'short' && !isExpected ? [`ended with ${run.code}: ${run.stderr}`] : []),
          ...wrongSaid(run, 'ENOSPC', isExpected),
        ]
      }),
    )
    expect(wrong).toEqual([])
  })

  it('rolls back on a disk that is full from any step on', { timeout: long }, async () => {
    const whole = await undisturbed(scenario)
    const all = points(whole.changes, 2, seed)
    const wrong = await tryEach(`full disk, ${scenario.name}`, all, (at, ended) => {
      const error = pick(['ENOSPC', 'EDQUOT'], at, seed)
      return tryFault(`${error} change ${at}+`, changeAt(at, whole), whole, ended, (run, world) => [
        ...wrongOutcome(world, run, scenario, whole),
        ...wrongSaid(run, error),
      ])
    })
    expect(wrong).toEqual([])
  })

  it('is as before or as after once the disk is back that was lost at any step', { timeout: long }, async () => {
    const whole = await undisturbed(scenario)
    const all = points(whole.changes, 2, seed)
    const wrong = await tryEach(`lost disk, ${scenario.name}`, all, (at, ended) => {
      const error = pick(['EIO', 'EROFS', 'EMFILE', 'EACCES'], at, seed)
      return tryFault(`${error} change ${at}+`, changeAt(at, whole), whole, ended, (run, world) => [
        // It may not have been able to go back, and then it says so.
        ...(run.code === 7 ? [] : wrongCode(world, run, scenario)),
        ...wrongSaid(run, error),
      ])
    })
    expect(wrong).toEqual([])
  })
})

const kept = { name: 'kept', settings: {}, ends: 'committed' } as const satisfies Scenario

it('writes every byte when each write takes only half of what it is given', { timeout: long }, async () => {
  const whole = await undisturbed(kept)
  await inWorld({}, async world => {
    const run = await relay(applyArguments(kept), { cwd: world.root, stdin: answer(), fault: 'short change 1+' })
    expect(run.code).toBe(0)
    expect([...wrongEnd(world, whole), ...(await wrongAfterwards(world, kept, whole))]).toEqual([])
  })
})

describe('a disk that is really full', () => {
  whereMounting('really full disks').each(['tmpfs', 'ext4'] as const)(
    '%s: ends as before, or as after, whatever room is left',
    { timeout: long },
    async kind => {
      await withMount(kind, async folder => {
        const whole = await undisturbed(kept)
        let fits = 0
        const rooms = [0, ...(everything ? points(60, 60).map(n => n * 4) : [40, 160])]
        const wrong = await tryEach(
          `really full disk, ${kind}`,
          rooms,
          async (room, ended) => {
            const world = layOut({}, folder)
            try {
              fill(folder, room)
              const run = await relay(applyArguments(kept), { cwd: world.root, stdin: answer() })
              ended(`exit ${run.code}`)
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
        if (!isWhole) return
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
