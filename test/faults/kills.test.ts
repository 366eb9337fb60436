import { describe, expect, it } from 'vitest'
import { relay } from './program.ts'
import { everything, points, tryEach } from './sample.ts'
import { applyArguments, type Scenario, scenarios, type Undisturbed, undisturbed, wrongEnd } from './scenarios.ts'
import { answer, layOut, leftOver, type World } from './world.ts'

const long = everything ? 3_600_000 : 120_000

/** Applies the answer and is killed at one step; then recovers, and is killed there as well if a second step is given. */
async function killedAt(
  scenario: Scenario,
  whole: Undisturbed,
  first: number,
  second?: number,
): Promise<string[] | 'over'> {
  const world = layOut(scenario.settings)
  try {
    const cwd = world.root
    const run = await relay(applyArguments(scenario), { cwd, stdin: answer(), fault: `kill change ${first}` })
    if (run.signal !== 'SIGKILL') return [`was not killed, but ended with ${run.code}`]
    const said = /kept #/.test(run.stderr)
    if (said && !world.committed()) return ['said "kept" of what was not']
    if (second !== undefined) {
      const again = await relay(['recover'], { cwd, fault: `kill change ${second}` })
      if (again.signal !== 'SIGKILL') return 'over'
    }
    return [
      ...(await recovered(world, scenario, whole)),
      ...(first % 10 === 0 ? await goesOn(world, scenario, whole) : []),
    ]
  } finally {
    world.remove()
  }
}

/** What is wrong after one more `relay recover`. */
async function recovered(world: World, scenario: Scenario, whole: Undisturbed): Promise<string[]> {
  const { code, stderr } = await relay(['recover'], { cwd: world.root })
  const wrong = wrongEnd(world, whole)
  if (code !== 0) wrong.push(`recover ended with ${code}: ${stderr}`)
  if (/^\s+at /m.test(stderr)) wrong.push(`a stack trace: ${stderr}`)
  for (const name of leftOver(world, scenario.formats === true)) wrong.push(`left over: ${name}`)
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

describe.each(scenarios.map((scenario, seed) => ({ ...scenario, seed })))('$name', ({ seed, ...scenario }) => {
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
      // As many steps as the recovery turns out to have.
      let steps = 400
      const seconds = everything ? Array.from({ length: 400 }, (_, n) => n + 1) : [1 + seed, 14 + seed * 3]
      wrong.push(
        ...(await tryEach(`killed at ${first} and in the recovery, ${scenario.name}`, seconds, async second => {
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
