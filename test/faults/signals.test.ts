import { describe, expect, it } from 'vitest'
import { relay, start, untilStopped } from './program.ts'
import { everything, points, tryEach } from './sample.ts'
import { applyArguments, type Scenario, scenarios, type Undisturbed, undisturbed, wrongEnd } from './scenarios.ts'
import { answer, hidden, inWorld, leftOver } from './world.ts'

const long = everything ? 3_600_000 : 120_000
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** The story is stopped before one of its changes, gets a signal, and goes on. */
async function signalledAt(scenario: Scenario, whole: Undisturbed, at: number): Promise<string[]> {
  const signal = signals[at % signals.length] ?? 'SIGINT'
  // As Ctrl+C in a terminal sends it, and as `kill` does.
  const toGroup = at % 2 === 0
  return inWorld(scenario.settings, async world => {
    const running = start(applyArguments(scenario), {
      cwd: world.root,
      stdin: answer(),
      fault: `stop change ${at}`,
      group: true,
    })
    if (!(await untilStopped(running.pid))) return [`never stopped: ${running.said()}`]
    process.kill(toGroup ? -running.pid : running.pid, signal)
    running.child.kill('SIGCONT')
    const run = await running.end
    const wrong = wrongEnd(world, whole)
    // Before relay listens the system ends it.
    const code = run.signal === signal ? codes[signal] : run.code
    const asPlanned = world.committed() || (scenario.ends === 'rolled-back' && (code === 3 || code === 4))
    if (code !== codes[signal] && !(asPlanned && (code === 0) === world.committed())) {
      wrong.push(`ended with ${run.code ?? run.signal}, entry: ${world.committed()}: ${run.stderr}`)
    }
    if (code !== 0 && world.committed()) wrong.push(`kept, and ended with ${code}: ${run.stderr}`)
    if (/^\s+at .*:\d+|Unexpected:/m.test(run.stderr)) wrong.push(`shows its insides: ${run.stderr}`)
    wrong.push(...(await hidden(world)))
    const recovery = await relay(['recover'], { cwd: world.root })
    if (recovery.code !== 0) wrong.push(`recover ended with ${recovery.code}: ${recovery.stderr}`)
    wrong.push(...wrongEnd(world, whole).map(each => `after recover ${each}`))
    wrong.push(...leftOver(world, scenario.formats === true).map(name => `left over: ${name}`))
    return wrong.map(each => `${signal}${toGroup ? ' to the group' : ''}: ${each}`)
  })
}

describe.each(scenarios.slice(0, everything ? undefined : 3).map((scenario, seed) => ({ ...scenario, seed })))(
  '$name',
  ({ seed, ...scenario }) => {
    it('ends as before with the code of the signal, or is kept, whenever a signal comes', {
      timeout: long,
    }, async () => {
      const whole = await undisturbed(scenario)
      const wrong = await tryEach(`signals, ${scenario.name}`, points(whole.changes, 3, seed), at =>
        signalledAt(scenario, whole, at),
      )
      expect(wrong).toEqual([])
    })
  },
)
