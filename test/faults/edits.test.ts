import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { relay, start, untilStopped } from './program.ts'
import { everything, points, tryEach } from './sample.ts'
import { applyArguments, type Scenario, seeded, type Undisturbed, undisturbed, wrongEnd } from './scenarios.ts'
import { answer, inWorld, layOut, leftOver, type World } from './world.ts'

const long = everything ? 3_600_000 : 120_000
const typed = 'typed by the user'

/** What is edited, each in both ways: files that are changed, deleted, made; a second name, and a link's target. */
const edited = [
  'modified.ts',
  'deleted.ts',
  'new.ts',
  'hard.ts',
  'formatted.ts',
  'real.ts',
  'only/one.ts',
  'group/b.ts',
]
const ways = ['in place', 'by replacing'] as const

function edit(world: World, path: string, way: (typeof ways)[number]): void {
  const place = join(world.root, path)
  const file = way === 'in place' ? place : `${place}.editor`
  writeFileSync(file, `${typed}\n`)
  if (file !== place) renameSync(file, place)
}

/** Whether the user's text is in the project, put aside, or in the snapshot of an entry that stays. */
function survives(world: World): boolean {
  const search = (folder: string): boolean =>
    readdirSync(folder, { withFileTypes: true }).some(entry => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return search(path)
      return entry.isFile() && !/declined/.test(path) && readFileSync(path, 'utf8').includes(typed)
    })
  return search(world.root)
}

/** The story is stopped before one of its changes, the user edits a file, the story goes on. */
async function editedAt(scenario: Scenario, whole: Undisturbed, at: number): Promise<string[]> {
  const path = edited[at % edited.length] ?? ''
  const way = ways[Math.floor(at / edited.length) % 2] ?? 'in place'
  const world = layOut(scenario.settings)
  const where = `${way} ${path}`
  try {
    const running = start(applyArguments(scenario), { cwd: world.root, stdin: answer(), fault: `stop change ${at}` })
    if (!(await untilStopped(running.pid))) return [`${where}: never stopped: ${running.said()}`]
    edit(world, path, way)
    running.child.kill('SIGCONT')
    const { code, stderr } = await running.end
    const wrong = survives(world) ? [] : [`lost: ended with ${code}: ${stderr}`]
    if ((code === 0) !== world.committed()) wrong.push(`ended with ${code}, entry: ${world.committed()}`)
    wrong.push(...(await settled(world, scenario, whole, path)))
    return wrong.map(each => `${where}: ${each}`)
  } finally {
    world.remove()
  }
}

/** Everything but what the user edited is as before or as after, and nothing is left over. */
async function settled(world: World, scenario: Scenario, whole: Undisturbed, path: string): Promise<string[]> {
  const { code, stderr } = await relay(['recover'], { cwd: world.root })
  const wrong = wrongEnd(world, whole).filter(each => !concerns(each, path))
  if (code !== 0 && code !== 5) wrong.push(`recover ended with ${code}: ${stderr}`)
  if (!survives(world)) wrong.push('lost by the recovery')
  return [...wrong, ...leftOver(world, true)].map(each => `${scenario.name}: ${each}`)
}

/** The edited file itself; its second name when it was edited in place; its folder when it is kept in a new one. */
function concerns(wrong: string, path: string): boolean {
  if (wrong.startsWith(`${path} `)) return true
  return path === 'hard.ts' && wrong.startsWith('hard-twin.ts ')
}

describe.each(seeded())('$name', ({ seed, ...scenario }) => {
  it('loses no edit that is made before any change', { timeout: long }, async () => {
    const whole = await undisturbed(scenario)
    const wrong = await tryEach(`edits, ${scenario.name}`, points(whole.changes, 4, seed), at =>
      editedAt(scenario, whole, at),
    )
    expect(wrong).toEqual([])
  })

  it('loses no edit that is made between a kill and the recovery', { timeout: long }, async () => {
    const whole = await undisturbed(scenario)
    const wrong = await tryEach(`edits after a kill, ${scenario.name}`, points(whole.changes, 2, seed), async at => {
      const path = edited[at % edited.length] ?? ''
      return inWorld(scenario.settings, async world => {
        await relay(applyArguments(scenario), { cwd: world.root, stdin: answer(), fault: `kill change ${at}` })
        edit(world, path, ways[at % 2] ?? 'in place')
        // Half of these recoveries are stopped as well, and the same file is edited once more.
        if (at % 2 === 0) {
          const running = start(['recover'], { cwd: world.root, fault: `stop change ${1 + (at % 40)}` })
          if (await untilStopped(running.pid)) {
            edit(world, path, 'by replacing')
            running.child.kill('SIGCONT')
          }
          await running.end
        }
        return (await settled(world, scenario, whole, path)).map(each => `${path}: ${each}`)
      })
    })
    expect(wrong).toEqual([])
  })
})

it('loses nothing of what an editor saves all the time', { timeout: long }, async () => {
  const scenario = {
    name: 'raced',
    settings: { postCommand: 'sleep 0.1' },
    ends: 'committed',
  } as const satisfies Scenario
  const rounds = Array.from({ length: everything ? 60 : 2 }, (_, n) => n + 1)
  const wrong = await tryEach('an editor that saves all the time', rounds, async round => {
    return inWorld({ postCommand: 'sleep 0.1' }, async world => {
      const running = start(applyArguments(scenario), { cwd: world.root, stdin: answer() })
      let last = 0
      let over = false
      void running.end.then(() => {
        over = true
      })
      while (!over) {
        last += 1
        const place = join(world.root, 'modified.ts')
        writeFileSync(`${place}.editor`, `edit ${last}\n`)
        renameSync(`${place}.editor`, place)
        await new Promise(resolve => setTimeout(resolve, Math.random() * (round % 2 === 0 ? 4 : 40)))
      }
      const { code, stderr } = await running.end
      // What came after relay was done stands in the project; what came before is somewhere, unless a later one replaced it.
      const all = allText(world.root)
      return all.includes(`edit ${last}\n`) ? [] : [`edit ${last} is lost: ${code} ${stderr}`]
    })
  })
  expect(wrong).toEqual([])
})

function allText(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .map(path => readFileSync(path, 'utf8'))
    .join('\n')
}

describe.runIf(process.platform === 'linux')('while the question waits on a terminal', () => {
  it.each([
    ['n', 'put aside'],
    ['y', 'kept'],
  ] as const)('an edit is not lost on a "%s": it is %s', { timeout: long }, async (key, fate) => {
    const scenario = { name: 'asked', settings: { approval: 'no' }, ends: 'rolled-back' } as const satisfies Scenario
    const whole = await undisturbed(scenario)
    const world = layOut({ approval: 'no' })
    try {
      const answerFile = `${world.root}.md`
      writeFileSync(answerFile, answer())
      const env = { TERM: 'xterm' }
      const running = start(['apply', '--allow-sensitive', answerFile], { cwd: world.root, terminal: true, env })
      await running.says(/\(y\/n\/d/)
      edit(world, 'modified.ts', 'in place')
      await running.type(key)
      const { stdout } = await running.end
      expect(survives(world), stdout).toBe(true)
      expect(world.committed()).toBe(key === 'y')
      expect(world.read('modified.ts')).toBe(key === 'y' ? `${typed}\n` : 'modified\n')
      if (key === 'n') expect(wrongEnd(world, whole)).toEqual([])
      expect(
        fate === 'put aside'
          ? world.state().some(name => name.startsWith('rescue/') && name.endsWith('modified.ts.rescued'))
          : true,
      ).toBe(true)
    } finally {
      rmSync(`${world.root}.md`, { force: true })
      world.remove()
    }
  })
})
