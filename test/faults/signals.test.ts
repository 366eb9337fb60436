import { describe, expect, it } from 'vitest'
import type { RelayEnd } from '../support/real-relay.ts'
import { start, untilStopped } from './program.ts'
import { everything, points, tryEach } from './sample.ts'
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
import { answer, inWorld } from './world.ts'

const long = everything ? 3_600_000 : 120_000
const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

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
    const wrong = [
      ...wrongEnd(world, whole),
      ...wrongCode(run, signal, world.committed(), scenario),
      ...wrongLook(run.stderr),
      ...(await wrongRecovery(world, scenario.formats === true)),
      ...wrongEnd(world, whole).map(each => `after recover ${each}`),
    ]
    return wrong.map(each => `${signal}${toGroup ? ' to the group' : ''}: ${each}`)
  })
}

/** What is kept ends with 0; what is not with the code of the signal, or as it would have without one. */
function wrongCode(run: RelayEnd, signal: keyof typeof codes, isKept: boolean, scenario: Scenario): string[] {
  // Before relay listens the system ends it.
  const code = run.signal === signal ? codes[signal] : run.code
  const declined = scenario.ends === 'rolled-back' ? [3, 4] : []
  const right = isKept ? [0] : [codes[signal], ...declined]
  return right.includes(code ?? -1) ? [] : [`ended with ${code ?? run.signal}, kept: ${isKept}: ${run.stderr}`]
}

describe.each(seeded(scenarios, 3))('$name', ({ seed, ...scenario }) => {
  it('ends as before with the code of the signal, or is kept, whenever a signal comes', {
    timeout: long,
  }, async () => {
    const whole = await undisturbed(scenario)
    const wrong = await tryEach(`signals, ${scenario.name}`, points(whole.changes, 3, seed), at =>
      signalledAt(scenario, whole, at),
    )
    expect(wrong).toEqual([])
  })
})
