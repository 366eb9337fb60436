import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findProgram } from '../../src/system/find-program.ts'
import { tally } from '../support/tally.ts'
import { relay } from './program.ts'
import { everything, points, tryEach } from './sample.ts'
import { applyArguments, type Scenario, scenarios, undisturbed, wrongEnd, wrongRecovery } from './scenarios.ts'
import { answer, inWorld, layOut } from './world.ts'

const long = everything ? 3_600_000 : 240_000
const strace = findProgram('strace')
const kind = 'killed at a system call'

/** What changes the disk; opening to make a file is seen by the calls that follow on it. */
const kinds = [
  'write', 'pwrite64', 'fsync', 'fdatasync', 'ftruncate', 'fchmod', 'fchown', 'chmod', 'rename', 'link', 'unlink',
  'symlink', 'mkdir', 'rmdir',
] as const // biome-ignore format: a list of words

/** One thread for all file work: then the system calls come in the same order each time. */
const env = { UV_THREADPOOL_SIZE: '1', UV_USE_IO_URING: '0' }

/** How often the busiest thread of relay makes each kind of call. */
async function countCalls(args: readonly string[], scenario: Scenario): Promise<Map<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-trace-'))
  const world = layOut(scenario.settings)
  try {
    const log = join(folder, 'log')
    const before = ['strace', '-f', '-qq', '-e', `trace=${kinds.join(',')}`, '-e', 'signal=none', '-o', log]
    await relay(args, { cwd: world.root, stdin: answer(), env, before })
    const counts = new Map<string, number>()
    for (const line of readFileSync(log, 'utf8').split('\n')) {
      const [, pid, call] = /^(\d+)\s+(\w+)\(/.exec(line) ?? []
      if (pid === undefined) continue
      counts.set(`${pid} ${call}`, (counts.get(`${pid} ${call}`) ?? 0) + 1)
    }
    const most = new Map<string, number>()
    for (const [key, count] of counts) {
      const call = key.split(' ')[1] ?? ''
      most.set(call, Math.max(most.get(call) ?? 0, count))
    }
    return most
  } finally {
    world.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('a kill at a system call', () => {
  if (strace === null) tally({ kind, why: 'strace is not installed' })
  // Where everything is to be there, a missing tracer is a failure.
  it
    .runIf(strace !== null || process.env['CI'] !== undefined)
    .each(scenarios.slice(0, everything ? undefined : 2).map((scenario, seed) => ({ ...scenario, seed })))(
    'leaves it as before or as after: $name',
    { timeout: long },
    async ({ seed, ...scenario }) => {
      expect(strace, 'strace is needed here').not.toBeNull()
      const args = applyArguments(scenario)
      const whole = await undisturbed(scenario)
      const most = await countCalls(args, scenario)
      const all = [...most].flatMap(([call, count]) => points(count, 1, seed % count).map(nth => ({ call, nth })))
      const wrong = await tryEach(`${kind}, ${scenario.name}`, all, async ({ call, nth }) => {
        return inWorld(scenario.settings, async world => {
          const inject = `inject=${call}:signal=KILL:when=${nth}`
          const before = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject]
          const run = await relay(args, { cwd: world.root, stdin: answer(), env, before })
          // How many calls a thread makes differs a little; who made fewer ended by himself.
          if (run.signal !== 'SIGKILL') return 'over'
          const said = /kept #/.test(run.stderr) && !world.committed() ? ['said "kept" of what was not'] : []
          return [...said, ...(await wrongRecovery(world, scenario.formats === true)), ...wrongEnd(world, whole)]
        })
      })
      expect(wrong).toEqual([])
    },
  )
})
