import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { run, whereMounting } from './mount.ts'
import { relay } from './program.ts'
import { everything, points, tryEach } from './sample.ts'
import {
  applyArguments,
  type Scenario,
  seeded,
  type Undisturbed,
  undisturbed,
  wrongEnd,
  wrongRecovery,
} from './scenarios.ts'
import { answer, inWorld, layOut, type Tree, type World } from './world.ts'

const long = everything ? 3_600_000 : 120_000

/** Applies the answer and is killed at one step; then recovers, and is killed there as well if a second step is given. */
async function killedAt(
  scenario: Scenario,
  whole: Undisturbed,
  first: number,
  second?: number,
): Promise<string[] | 'over'> {
  return inWorld(scenario.settings, async world => {
    const cwd = world.root
    const killed = await relay(applyArguments(scenario), { cwd, stdin: answer(), fault: `kill change ${first}` })
    if (killed.signal !== 'SIGKILL') return [`was not killed, but ended with ${killed.code}`]
    const said = /kept #/.test(killed.stderr)
    if (said && !world.committed()) return ['said "kept" of what was not']
    if (second !== undefined) {
      const again = await relay(['recover'], { cwd, fault: `kill change ${second}` })
      if (again.signal !== 'SIGKILL') return 'over'
    }
    return [
      ...(await recovered(world, scenario, whole)),
      ...(first % 10 === 0 ? await goesOn(world, scenario, whole) : []),
    ]
  })
}

/** What is wrong after one more `relay recover`. */
async function recovered(
  world: World,
  scenario: Scenario,
  whole: Pick<Undisturbed, 'before' | 'after'>,
): Promise<string[]> {
  const wrong = [...(await wrongRecovery(world, scenario.formats === true)), ...wrongEnd(world, whole)]
  if (world.read('.relaycode/.gitignore') !== '*\n') wrong.push('.relaycode/.gitignore is not whole')
  if (world.committed() && !world.read('.relaycode/history.jsonl').includes('"committed"'))
    wrong.push('no history line')
  return wrong
}

/** A recovered project takes the same answer again. */
async function goesOn(world: World, scenario: Scenario, whole: Undisturbed): Promise<string[]> {
  const { code, stderr } = await relay(applyArguments(scenario), { cwd: world.root, stdin: answer() })
  const wrong = wrongEnd(world, whole)
  if ((code === 0) !== (scenario.ends === 'committed' || world.committed()))
    wrong.push(`does not go on: ${code} ${stderr}`)
  return wrong
}

describe.each(seeded())('$name', ({ seed, ...scenario }) => {
  it('is as before or as after when it is killed before any change', { timeout: long }, async () => {
    const whole = await undisturbed(scenario)
    const wrong = await tryEach(`killed, ${scenario.name}`, points(whole.changes, 5, seed), first =>
      killedAt(scenario, whole, first),
    )
    expect(wrong).toEqual([])
  })

  it('is as before or as after when its recovery is killed as well', { timeout: long }, async () => {
    const whole = await undisturbed(scenario)
    const firsts = Array.from({ length: everything ? 8 : 1 }, (_, n) =>
      Math.max(1, Math.round((whole.changes * (n + 1 + seed / 5)) / (everything ? 9 : 2))),
    )
    const wrong: string[] = []
    for (const first of firsts.filter(each => each <= whole.changes)) {
      // As many steps as the recovery turns out to have: of every so many it may have none but the first.
      let steps = 400
      const seconds = everything ? [...new Set([1 + seed, ...points(400, 400, seed)])] : [1 + seed, 14 + seed * 3]
      wrong.push(
        ...(await tryEach(`killed twice, ${scenario.name}, first at ${first}`, seconds, async second => {
          if (second > steps) return 'over'
          const found = await killedAt(scenario, whole, first, second)
          if (found === 'over') steps = Math.min(steps, second)
          return found
        })),
      )
    }
    expect(wrong).toEqual([])
  })
})

describe('places that nothing can be moved to', () => {
  const files = {
    'modified.ts': 'changed\n',
    'mounted/x.ts': 'x, changed\n',
    'mounted/z.ts': null,
    'mounted/deep/y.ts': 'y\n',
  }
  const args = ['apply', '--yes', '--allow-sensitive', '-']

  async function onTwo(kind: string, work: (world: World) => Promise<string[]>): Promise<string[]> {
    const world = layOut()
    const mounted = join(world.root, 'mounted')
    const elsewhere = mkdtempSync(join(tmpdir(), 'relay-elsewhere-'))
    mkdirSync(mounted)
    if (kind === 'another file system') run('mount', '-t', 'tmpfs', '-o', 'size=1m,mode=755', 'none', mounted)
    else run('mount', '--bind', elsewhere, mounted)
    try {
      for (const name of ['x.ts', 'z.ts']) writeFileSync(join(mounted, name), `${name}\n`)
      return await work(world)
    } finally {
      run('umount', '-l', mounted)
      rmSync(elsewhere, { recursive: true, force: true })
      world.remove()
    }
  }

  whereMounting('killed with places that nothing can be moved to').each([
    'another file system',
    'a folder of the same one, mounted there',
  ])('are as before or as after when relay is killed before any change: %s', { timeout: long }, async kind => {
    const scenario: Scenario = { name: kind, settings: {}, ends: 'committed' }
    let whole: { before: Tree; after: Tree } = { before: {}, after: {} }
    let steps = 0
    await onTwo(kind, async world => {
      const before = world.tree()
      const log = join(world.root, '.relaycode.log')
      const { code, stderr } = await relay(args, { cwd: world.root, stdin: answer(files), log })
      steps = Number(/^(\d+)(?![\s\S]*^\d)/m.exec(readFileSync(log, 'utf8'))?.[1])
      rmSync(log)
      whole = { before, after: world.tree() }
      expect(code, stderr).toBe(0)
      return []
    })
    const wrong = await tryEach(`killed with places that nothing can be moved to, ${kind}`, points(steps, 3), at =>
      onTwo(kind, async world => {
        const { code } = await relay(args, { cwd: world.root, stdin: answer(files), fault: `kill change ${at}` })
        const ended = code === null ? [] : [`ended with ${code}`]
        return [...ended, ...(await recovered(world, scenario, whole))]
      }),
    )
    expect(wrong).toEqual([])
  })
})
