import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCheckout } from '../../../src/agents/checkout/checkout.ts'
import { endLeftGit } from '../../../src/agents/checkout/end-left-git.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { until } from '../../support/until.ts'
import { World } from './world.ts'

let world: World
let folder: string
beforeEach(() => {
  world = new World().commit({ 'a.txt': 'a\n' })
  folder = join(world.home, 'own')
  mkdirSync(folder)
})
const begun: ChildProcess[] = []
afterEach(() => {
  for (const { pid = 0, exitCode } of begun.splice(0)) if (exitCode === null) process.kill(-pid, 'SIGKILL')
  world.remove()
})

const locks = ['index.lock', 'start.lock', 'taken.lock', 'git/HEAD.lock', 'git/objects/info/commit-graph.lock']

describe('what a killed relay left of its git', () => {
  it('keeps no later run from its work', async () => {
    const first = await openCheckout(world.top, folder, world.system)
    writeFileSync(join(first.cwd, 'a.txt'), 'b\n')
    for (const lock of locks) writeFileSync(join(folder, lock), '')
    const second = await openCheckout(world.top, folder, world.system)
    expect(second.isLeft).toBe(true)
    expect((await second.changes()).changes.map(({ path }) => path)).toEqual(['a.txt'])
    await second.renew()
    expect(locks.filter(lock => existsSync(join(folder, lock)))).toEqual([])
  })

  it.runIf(process.platform === 'linux')('is ended, and nobody else', async () => {
    world.gitIn(folder, 'init', '-q', '--bare', 'git')
    const pipe = join(world.home, 'pipe')
    execFileSync('mkfifo', [pipe])
    /** By a parent that is not this process, as those of a killed relay. */
    const begin = async (env: Record<string, string>) => {
      const parent = spawn('sh', ['-c', `git cat-file --batch <>'${pipe}' & echo $!; wait $!`], {
        cwd: world.top,
        env: { PATH: process.env['PATH'] ?? '', ...env },
        stdio: ['ignore', 'pipe', 'ignore'],
        detached: true,
      })
      begun.push(parent)
      const pid = await new Promise<number>(resolve => parent.stdout.once('data', text => resolve(Number(text))))
      await until(() => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'git\n', 'git runs')
      return parent
    }
    const own = { GIT_DIR: join(folder, 'git') }
    const left = await begin({ ...own, RELAY_RUN: 'x' })
    const ended = new Promise(resolve => left.once('exit', resolve))
    const [users, others] = [await begin(own), await begin({ RELAY_RUN: 'y' })]
    await endLeftGit(folder, world.system)
    await ended
    expect([users.exitCode, others.exitCode]).toEqual([null, null])
  })

  it('is waited for where the system does not tell what runs', async () => {
    const clock = new FakeClock({ auto: true, start: new Date().toISOString() })
    const programs = { ...world.system.programs, endLeftIn: async () => false }
    const [young, old] = [join(folder, 'index.lock'), join(folder, 'start.lock')]
    for (const lock of [young, old]) writeFileSync(lock, '')
    const began = clock.now().getTime() / 1000
    utimesSync(young, began - 20, began - 20)
    utimesSync(old, began - 90, began - 90)
    await endLeftGit(folder, { ...world.system, programs, clock })
    expect([readdirSync(folder), Math.round(clock.monotonic() / 1000)]).toEqual([[], 40])
  })
})
