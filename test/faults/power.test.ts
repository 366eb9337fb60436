import {
  closeSync,
  copyFileSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { tally } from '../support/tally.ts'
import { makeImage, run, whereMounting } from './mount.ts'
import { pause, relay, start, untilStopped } from './program.ts'
import { everything, points, tryEach } from './sample.ts'
import {
  applyArguments,
  type Scenario,
  scenarios,
  seeded,
  type Undisturbed,
  undisturbed,
  wrongEnd,
  wrongRecovery,
} from './scenarios.ts'
import { answer, layOut, type World, worldAt } from './world.ts'

const long = everything ? 3_600_000 : 240_000

/**
 * How the cut is made. The disk is a file: a copy of it holds what the file system has written by then, and nothing of
 * what it only has in memory. `later` first lets it write its journal down, as it does every few seconds: names and
 * sizes get to the disk, and content that nobody synced does not.
 */
const cuts = ['at once', 'later'] as const
const mountings = ['loop,commit=300', 'loop,commit=300,noauto_da_alloc,data=writeback'] as const

interface Cut {
  readonly at: number
  /** The change of the recovery at which the power goes, after a kill at `at`. */
  readonly second?: number
  readonly cut: (typeof cuts)[number]
  readonly mounting: (typeof mountings)[number]
  /** A file that was saved right before relay began, and that nobody has synced. */
  readonly justSaved?: string
}

async function cutAt(
  { at, second, cut, mounting, justSaved }: Cut,
  scenario: Scenario,
  whole: Undisturbed,
): Promise<string[] | 'over'> {
  const base = mkdtempSync(join(tmpdir(), 'relay-power-'))
  const [image, copy, folder] = [join(base, 'disk'), join(base, 'copy'), join(base, 'here')]
  mkdirSync(folder)
  try {
    makeImage(image, 24)
    run('mount', '-o', mounting, image, folder)
    let world: World
    let said: string
    try {
      world = layOut(scenario.settings, folder)
      run('sync', '-f', folder)
      if (justSaved !== undefined) saveAnew(join(world.root, justSaved), world.read(justSaved))
      const args = applyArguments(scenario)
      const options = { cwd: world.root, stdin: answer() }
      if (second !== undefined) await relay(args, { ...options, fault: `kill change ${at}` })
      const running =
        second === undefined
          ? start(args, { ...options, fault: `stop change ${at}` })
          : start(['recover'], { ...options, fault: `stop change ${second}` })
      const stopped = await untilStopped(running.pid)
      if (second !== undefined && !stopped) return 'over'
      if (cut === 'later') commitJournal(folder)
      await pause(20)
      said = running.said()
      copyFileSync(image, copy)
      running.child.kill('SIGKILL')
      if (stopped) running.child.kill('SIGCONT')
      await running.end
    } finally {
      unmount(folder)
    }
    run('mount', '-o', mounting, copy, folder)
    try {
      return await wrongAfterCut(worldAt(world.root), said, scenario, whole)
    } finally {
      unmount(folder)
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

async function wrongAfterCut(world: World, said: string, scenario: Scenario, whole: Undisturbed): Promise<string[]> {
  const wrong = /kept #/.test(said) && !world.committed() ? ['said "kept" of what the cut took'] : []
  return [...wrong, ...(await wrongRecovery(world, scenario.formats === true)), ...wrongEnd(world, whole)]
}

/** The journal of the file system is one for all: to sync one file writes down the names of every other. */
function commitJournal(folder: string): void {
  const file = openSync(join(folder, 'other'), 'w')
  writeSync(file, 'x')
  fsyncSync(file)
  closeSync(file)
}

/** As an editor does that writes a new file; what it says is the same. */
function saveAnew(path: string, text: string): void {
  rmSync(path)
  writeFileSync(path, text)
}

/** A command that outlived relay may hold it a little longer. */
function unmount(folder: string): void {
  run('umount', '-l', folder)
}

describe('a power cut', () => {
  const mounted = whereMounting('power cuts')
  const surviving = scenarios.filter(({ settings }) => settings.durability !== 'fast')
  mounted.each(seeded(surviving))(
    'leaves it as before or as after, before any change: $name',
    { timeout: long },
    async ({ seed, ...scenario }) => {
      const whole = await undisturbed(scenario)
      // One more than there are: after the last one relay has ended and said so.
      const all = points(whole.changes + 1, 2, seed).flatMap((at, n) =>
        (everything ? cuts : [cuts[n % 2] ?? 'later']).map((cut, m) => ({
          at,
          cut,
          mounting: mountings[(at + m + seed) % 2] ?? mountings[0],
        })),
      )
      expect(await tryEach(`power cuts, ${scenario.name}`, all, each => cutAt(each, scenario, whole))).toEqual([])
    },
  )

  mounted(
    'leaves it as before or as after when it comes during the recovery from a kill',
    { timeout: long },
    async () => {
      const scenario: Scenario = scenarios[1] ?? { name: '', settings: {}, ends: 'committed' }
      const whole = await undisturbed(scenario)
      const firsts = everything ? [0.4, 0.55, 0.7, 0.85, 1] : [0.7]
      // As many changes as the recovery turns out to have: it has far fewer than relay itself.
      const seconds = everything ? points(150, 150) : [2, 12]
      const all = firsts.flatMap(part =>
        seconds.map((second, n) => ({
          at: Math.round(whole.changes * part),
          second,
          cut: 'later' as const,
          mounting: mountings[n % 2] ?? mountings[0],
        })),
      )
      expect(await tryEach('power cuts in the recovery', all, each => cutAt(each, scenario, whole))).toEqual([])
    },
  )

  mounted(
    'leaves an original as it was saved right before, though nobody had synced it',
    { timeout: long },
    async () => {
      const scenario: Scenario = scenarios[0] ?? { name: '', settings: {}, ends: 'committed' }
      const whole = await undisturbed(scenario)
      const taken = whole.calls.find(({ what }) => what === 'rename modified.ts')?.change ?? 0
      expect(taken).toBeGreaterThan(0)
      const all = points(whole.changes - taken, 2).flatMap(later =>
        mountings.map(mounting => ({ at: taken + later, cut: 'later' as const, mounting, justSaved: 'modified.ts' })),
      )
      expect(await tryEach('power cuts after a save', all, each => cutAt(each, scenario, whole))).toEqual([])
    },
  )

  mounted('takes what is only in memory: without the syncs something is lost', { timeout: long }, async () => {
    const scenario: Scenario = { name: 'fast', settings: { durability: 'fast' }, ends: 'committed' }
    const whole = await undisturbed(scenario)
    // A system that happens to write everything down at that moment, as for somebody's `sync`, hides it.
    for (let cut = 1; cut <= 20; cut++) {
      const found = await cutAt({ at: whole.changes + 1, cut: 'later', mounting: mountings[1] }, scenario, whole)
      if (found.length > 0) return
    }
    tally({ kind: 'power cuts without syncs', why: 'something here writes everything to the disk all the time' })
  })
})
