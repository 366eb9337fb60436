import { afterAll, describe, expect, it, vi } from 'vitest'
import { RelayError } from '../../src/errors.ts'
import { relay } from '../../src/flows/relay.ts'
import type { Answer, Outcome } from '../../src/model/talk.ts'
import { withLock } from '../../src/transact/lock/lock.ts'
import { recover } from '../../src/transact/recover/recover.ts'
import { resumeHeld } from '../../src/transact/recover/resume-held.ts'
import { drawn, isWhole } from '../support/drawn.ts'
import { FakeDisk } from '../support/fake-disk.ts'
import { fakeProject, fakeTalk } from '../support/fake-project.ts'
import { type FakeSystem, fakeSystem } from '../support/fake-system.ts'
import { adoptIn, change, linkTo, program } from '../support/made.ts'
import { respond } from '../support/respond.ts'
import { atEach, stepsBetween } from '../support/steps.ts'
import { tally } from '../support/tally.ts'

/**
 * The promise, step by step: whatever happens at whichever step, the project is as before or as after.
 *
 * Each scenario runs once undisturbed to count its steps on the disk, then once for each step with a kill, an error,
 * or a user's edit at it. In the program proper every step is a handful of system calls.
 */

/**
 * All steps with FAULTS=all, which takes minutes; else every twenty-ninth, at another offset in each scenario, and of these
 * those drawn for the day.
 */
const stride = process.env['FAULTS'] === 'all' ? 1 : 29

/** No run with all its recoveries takes a third of these steps. What goes on and on is found by them, and not by a clock. */
const mostSteps = 10_000
vi.setConfig({ testTimeout: 3_600_000 })

/** Points tried, by kind. */
const tried = new Map<string, number>()
function count(kind: string, { disk }: Pick<FakeSystem, 'disk'>): void {
  expect(disk.calls, `${kind}: steps`).toBeLessThanOrEqual(mostSteps)
  tried.set(kind, (tried.get(kind) ?? 0) + 1)
}
afterAll(() => {
  for (const [kind, points] of tried) tally({ kind: `in process: ${kind}`, points, wrong: 0, seconds: 0 })
})

const commands = {
  lint: { exit: 0 },
  format: { effect: (disk: FakeDisk) => disk.write('src/a.ts', 'formatted\n') },
  fail: { exit: 1, output: 'no\n' },
}

function layOut(): FakeDisk {
  const disk = new FakeDisk()
  disk.mostCalls = mostSteps
  disk.write('src/a.ts', 'a\n')
  disk.write('src/b.ts', 'b\n')
  disk.write('tool.pl', '#!/bin/sh\n', 0o755)
  disk.write('windows.txt', 'one\r\ntwo\r\n')
  disk.write('real.ts', 'real\n')
  disk.symlink('../real.ts', 'src/linked.ts')
  disk.write('hard.ts', 'hard\n')
  disk.link('hard.ts', 'other-name.ts')
  disk.symlink('real.ts', 'gone-link.ts')
  disk.write('keep.ts', 'keep\n')
  disk.write('edited.ts', 'one\ntwo\n')
  disk.write('old-name.ts', 'old\nname\n', 0o755)
  disk.mount('mounted')
  disk.write('mounted/x.ts', 'x\n')
  disk.write('mounted/z.ts', 'z\n')
  disk.mount('bound', 'bind')
  disk.write('bound/w.ts', 'w\n')
  disk.folder('.relaycode', 0o700)
  disk.folder('.relaycode/lock', 0o700)
  disk.write('.relaycode/.gitignore', '*\n', 0o600)
  // A relay ran here before.
  disk.write('.relaycode/all-ended', '', 0o600)
  return disk
}

/** An edit of one file, and another name for one that is edited too. */
const patchBlock = `\`\`\`
*** Begin Patch
*** Update File: edited.ts
@@
-two
+2
*** Update File: old-name.ts
*** Move to: moved/new-name.ts
@@
-old
+new
*** End Patch
\`\`\`
`

const response = {
  source: 'stdin',
  text: respond({
    'src/a.ts': 'a, changed\n',
    'src/b.ts': null,
    'tool.pl': '#!/bin/sh\necho changed\n',
    'windows.txt': 'one\nTWO\n',
    'src/linked.ts': 'real, changed\n',
    'hard.ts': 'hard, changed\n',
    'gone-link.ts': null,
    'src/new/deep/c.ts': 'c\n',
    'src/d.ts': 'd\n',
    'mounted/x.ts': 'x, changed\n',
    'mounted/z.ts': null,
    'mounted/deep/y.ts': 'y\n',
    'bound/w.ts': 'w, changed\n',
    'bound/v.ts': 'v\n',
    'never-there.ts': null,
  })
    .replace('```yaml', `${patchBlock}\n\`\`\`yaml`)
    .replace(
      'changeSummary:\n',
      'changeSummary:\n  - edit: edited.ts\n  - edit: old-name.ts\n  - new: moved/new-name.ts\n',
    ),
} as const

/** What an agent made: bytes, programs and links in each other's places, on other disks as well. */
const made = [
  change('src/a.ts', 'a\n', 'a, changed\n'),
  change('src/b.ts', 'b\n', linkTo('../real.ts')),
  change('tool.pl', program('#!/bin/sh\n'), null),
  change('bin/tool', null, program('#!/bin/sh\n')),
  change('src/linked.ts', linkTo('../real.ts'), 'linked no more\n'),
  change('gone-link.ts', linkTo('real.ts'), linkTo('keep.ts')),
  change('hard.ts', 'hard\n', null),
  change('keep.ts', 'keep\n', Uint8Array.of(0, 255)),
  change('src/new/deep/up', null, linkTo('../..')),
  change('src/d.ts', null, 'd\n'),
  change('mounted/x.ts', 'x\n', linkTo('../real.ts')),
  change('mounted/z.ts', 'z\n', null),
  change('mounted/deep/y', null, linkTo('../x.ts')),
  change('bound/w.ts', 'w\n', 'w, changed\n'),
]

type Settings = Parameters<typeof fakeProject>[0]

/** What the user answers, and does before. */
type Step = Answer | ((disk: FakeDisk) => Answer)

const someFiles = ['src/a.ts', 'tool.pl', 'src/linked.ts', 'gone-link.ts', 'src/d.ts', 'mounted/x.ts', 'mounted/z.ts']
const otherFiles = ['src/a.ts', 'src/b.ts', 'hard.ts', 'src/new/deep/c.ts', 'mounted/deep/y.ts', 'mounted/x.ts']
const typed = 'typed in the editor\n'

interface Scenario {
  readonly name: string
  readonly settings: Settings
  readonly answers?: readonly Step[]
  readonly ends: 'committed' | 'rolled-back'
  /** It comes from an agent, and not from an answer. */
  readonly isMade?: boolean
  /** `false`: as on exFAT. */
  readonly hardLinks?: boolean
  /** As over sshfs. */
  readonly numbersNames?: boolean
}

const scenarios: readonly Scenario[] = [
  { name: 'kept, without commands', settings: {}, ends: 'committed' },
  {
    name: 'kept, with a formatter and a linter',
    settings: { postCommand: 'format', linter: 'lint' },
    ends: 'committed',
  },
  {
    name: 'a "no" after a formatter',
    settings: { postCommand: 'format', approval: 'no' },
    answers: ['no'],
    ends: 'rolled-back',
  },
  { name: 'a failing post command', settings: { postCommand: 'fail', linter: 'lint' }, ends: 'rolled-back' },
  {
    name: 'some files chosen, then others, and kept',
    settings: { postCommand: 'format', approval: 'no' },
    answers: [{ choose: someFiles }, { choose: otherFiles }, 'yes'],
    ends: 'committed',
  },
  {
    name: 'a "no" after some files were chosen, then others',
    settings: { approval: 'no' },
    answers: [{ choose: someFiles }, { choose: otherFiles }, 'no'],
    ends: 'rolled-back',
  },
  {
    name: 'edited, checked again, and kept',
    settings: { postCommand: 'format', linter: 'lint', approval: 'no' },
    answers: [edits('src/d.ts', 'edited'), edits('hard.ts', 'again'), 'yes'],
    ends: 'committed',
  },
  {
    name: 'a "no" after edits',
    settings: { linter: 'lint', approval: 'no' },
    answers: [edits('src/d.ts', 'edited'), edits('hard.ts', 'again'), 'no'],
    ends: 'rolled-back',
  },
  {
    name: 'left open, and kept later',
    settings: { postCommand: 'format', approval: 'no' },
    answers: [{ choose: someFiles }, 'hold', 'yes'],
    ends: 'committed',
  },
  {
    name: 'left open, and rolled back later',
    settings: { approval: 'no' },
    answers: [{ choose: someFiles }, 'hold', edits('src/d.ts', 'again'), 'no'],
    ends: 'rolled-back',
  },
  { name: 'fast', settings: { durability: 'fast' }, ends: 'committed' },
  { name: 'kept, without hard links', settings: {}, ends: 'committed', hardLinks: false },
  {
    name: 'a "no" after a formatter, without hard links',
    settings: { postCommand: 'format', approval: 'no' },
    answers: ['no'],
    ends: 'rolled-back',
    hardLinks: false,
  },
  { name: 'kept, where names are numbered and not files', settings: {}, ends: 'committed', numbersNames: true },
  {
    name: 'a "no" after a formatter, where names are numbered and not files',
    settings: { postCommand: 'format', approval: 'no' },
    answers: ['no'],
    ends: 'rolled-back',
    numbersNames: true,
  },
  { name: 'made by an agent, and kept', settings: {}, isMade: true, ends: 'committed' },
  {
    name: 'made by an agent, and a "no" after a formatter',
    settings: { postCommand: 'format', approval: 'no' },
    answers: ['no'],
    isMade: true,
    ends: 'rolled-back',
  },
  {
    name: 'made by an agent, some files chosen, left open and kept, without hard links',
    settings: { approval: 'no' },
    answers: [{ choose: ['src/a.ts', 'src/b.ts', 'src/linked.ts', 'bin/tool', 'mounted/x.ts'] }, 'hold', 'yes'],
    isMade: true,
    ends: 'committed',
    hardLinks: false,
  },
]

function edits(path: string, said: Answer): Step {
  return disk => {
    disk.write(path, typed)
    return said
  }
}

async function run(world: FakeSystem, scenario: Scenario): Promise<Outcome> {
  const { disk, system, layout } = world
  const { settings, answers, hardLinks = true, numbersNames = false, isMade = false } = scenario
  Object.assign(disk, { hardLinks, numbersNames })
  const talk = fakeTalk(answers?.map(step => () => (typeof step === 'function' ? step(disk) : step)))
  const project = fakeProject(settings)
  const taken = isMade ? adoptIn(world, made, { config: settings ?? {}, talk }) : relay(response, project, system, talk)
  const outcome = await taken
  if (outcome.kind !== 'held') return outcome
  const [resumed] = await withLock(layout, system, talk, () => resumeHeld(project, layout, system, talk))
  return resumed ?? outcome
}

/** The next start of relay on the same machine: whoever is asked there wants everything as before. */
async function recoverAgain(disk: FakeDisk, isAsked = false): Promise<void> {
  const { system, layout } = fakeSystem({ disk, commands, autoAdvance: true })
  const talk = isAsked ? fakeTalk(['yes']) : fakeTalk()
  await withLock(layout, system, talk, async () => {
    await resumeHeld(fakeProject(), layout, system, fakeTalk(['no']))
    await recover(layout, system, talk)
  })
}

/** A scenario in which the user types something: found after a crash, it is asked about. */
function hasEdits({ answers }: Scenario): boolean {
  return answers?.some(step => typeof step === 'function') === true
}

function start(disk = layOut()): FakeSystem {
  return fakeSystem({ disk, commands, autoAdvance: true })
}

/** The project's tree after an undisturbed run, and how many steps that took. */
async function undisturbed(scenario: Scenario) {
  const world = start()
  const before = world.disk.tree({ journal: false })
  const calls = world.disk.calls
  const outcome = await run(world, scenario)
  return { outcome, before, after: world.disk.tree({ journal: false }), steps: world.disk.calls - calls }
}

/** Left open on purpose, and so it stays when it cannot be taken up. */
function isHeld(disk: FakeDisk): boolean {
  return entries(disk, '.pending.yml').some(text => text.endsWith('held: true\n'))
}

function committed(disk: FakeDisk): boolean {
  return entries(disk, '.yml').length > 0
}

/** The entries of one kind: what an agent made has a uuid that nobody knows beforehand. */
function entries(disk: FakeDisk, ending: string): string[] {
  const names = Object.entries(disk.text()).filter(([path]) => /^\.relaycode\/[0-9a-f-]{36}\./.test(path))
  return names.flatMap(([path, text]) => (path.slice('.relaycode/'.length + 36) === ending ? [text] : []))
}

/** The project is exactly as before or exactly as after, and nothing is left over that should not be. */
function expectOneEnd(disk: FakeDisk, { before, after }: { before: object; after: object }, where: string): void {
  expect(disk.tree({ journal: false }), where).toEqual(committed(disk) ? after : before)
  const left = Object.keys(disk.tree())
    .filter(path => path.startsWith('.relaycode/') && !/^\.relaycode\/(rescue|output|declined)/.test(path))
    .filter(
      path =>
        !/^\.relaycode\/(\.gitignore|all-ended|lock|history\.jsonl|last-(declined\.yml|checks\.json)|[0-9a-f-]{36}\.yml)$/.test(
          path,
        ),
    )
  expect(left, where).toEqual([])
}

/** The steps at which to hurt a scenario: 1 to the last, by the stride, and in a sample some of them. */
function stepsOf({ steps }: { readonly steps: number }, scenario: Scenario, sparser = 1, shift = 0): readonly number[] {
  // A scenario with several answers takes several times the steps.
  const long = stride === 1 ? 1 : (scenario.answers?.length ?? 1)
  const by = stride * sparser * long
  const first = 1 + ((Math.max(0, scenarios.indexOf(scenario)) + shift) % by)
  const all = Array.from({ length: Math.max(0, Math.ceil((steps - first + 1) / by)) }, (_, index) => first + index * by)
  return drawnHere(all)
}

/** Each test draws for itself. */
function drawnHere(steps: readonly number[]): readonly number[] {
  return drawn(expect.getState().currentTestName ?? '', steps, 2)
}

async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return work.catch((error: unknown) => error)
}

describe.each(scenarios)('$name', scenario => {
  it('ends as it should when nothing happens', async () => {
    const { outcome, before, after } = await undisturbed(scenario)
    expect(outcome.kind).toBe(scenario.ends)
    if (scenario.ends === 'rolled-back') expect(after).toEqual(before)
    else expect(after).not.toEqual(before)
  })

  it('is as before or as after when it is killed at any step', async () => {
    const whole = await undisturbed(scenario)
    await atEach(stepsOf(whole, scenario), async step => {
      const world = start()
      const { disk } = world
      disk.crashAt(disk.calls + step)
      const said = await outcomeOf(run(world, scenario))
      disk.onCall = undefined
      expect(disk.strikes, `step ${step}`).toBe(1)
      if ((said as Outcome).kind === 'committed') expect(committed(disk), `step ${step}`).toBe(true)
      await recoverAgain(disk, hasEdits(scenario))
      expectOneEnd(disk, whole, `killed at step ${step}`)
      count('killed', world)
    })
  })

  it('is as before or as after when its recovery is killed at any step as well', async () => {
    const whole = await undisturbed(scenario)
    // Every eleventh of those steps, each with every third step of its recovery.
    await atEach(stepsOf(whole, scenario, 11), async step => {
      const killed = async () => {
        const world = start()
        world.disk.crashAt(world.disk.calls + step)
        await outcomeOf(run(world, scenario))
        world.disk.onCall = undefined
        return world.disk
      }
      const calm = await killed()
      const from = calm.calls
      await recoverAgain(calm, hasEdits(scenario))
      const seconds = stepsBetween(1, calm.calls - from).filter(second => stride === 1 || (second - step) % 3 === 0)
      await atEach(drawnHere(seconds), async second => {
        const disk = await killed()
        disk.crashAt(disk.calls + second)
        await outcomeOf(recoverAgain(disk, hasEdits(scenario)))
        disk.onCall = undefined
        expect(disk.strikes, `step ${step} and then ${second}`).toBe(2)
        await recoverAgain(disk, hasEdits(scenario))
        expectOneEnd(disk, whole, `killed at step ${step} and then at ${second}`)
        count('killed twice', { disk })
      })
    })
  })

  it.each(['EIO', 'ENOSPC', 'EACCES'])('ends in words and as before when any step fails with %s', async code => {
    const whole = await undisturbed(scenario)
    await atEach(stepsOf(whole, scenario), async step => {
      const world = start()
      world.disk.failAt(world.disk.calls + step, code)
      const ended = await outcomeOf(run(world, scenario))
      world.disk.onCall = undefined
      expect(world.disk.strikes, `step ${step}`).toBe(1)
      if (ended instanceof Error) expect(ended, `step ${step}`).toBeInstanceOf(RelayError)
      else if ((ended as Outcome).kind === 'committed') expect(committed(world.disk), `step ${step}`).toBe(true)
      else expect(world.disk.tree({ journal: false }), `step ${step}`).toEqual(whole.before)
      world.kill()
      await recoverAgain(world.disk, hasEdits(scenario))
      expectOneEnd(world.disk, whole, `${code} at step ${step}`)
      count('one error', world)
      if (!(ended instanceof Error) && (ended as Outcome).kind === 'rolled-back')
        expect(committed(world.disk)).toBe(false)
    })
  })

  it('rolls back on a disk that is full from any step on', async () => {
    const whole = await undisturbed(scenario)
    let strikes = 0
    await atEach(stepsOf(whole, scenario), async step => {
      const world = start()
      const from = world.disk.calls + step
      world.disk.onCall = (name, _path, n) => {
        // A full disk takes no new bytes and no new names; renames, links and removals still work.
        if (n < from || !/write|makeFolder/.test(name)) return
        strikes += 1
        throw Object.assign(new Error('full'), { code: 'ENOSPC' })
      }
      const ended = await outcomeOf(run(world, scenario))
      if (!committed(world.disk) && !isHeld(world.disk))
        expect(world.disk.tree({ journal: false }), `step ${step}`).toEqual(whole.before)
      if (ended instanceof Error) expect(ended, `step ${step}`).toBeInstanceOf(RelayError)
      count('full disk', world)
    })
    // A sample may come too late for that.
    if (isWhole) expect(strikes).toBeGreaterThan(0)
  })
})

describe('a user who edits meanwhile', () => {
  const edit = 'typed by the user\n'

  /** Whether the user's text is still anywhere: in the project, put aside, or in an entry's snapshot. */
  function found(disk: FakeDisk): boolean {
    return Object.entries(disk.text()).some(([path, text]) => text.includes(edit.trim()) && !path.includes('.stage/'))
  }

  it.each([
    ['in place', (disk: FakeDisk, path: string) => disk.write(path, edit)],
    ['by replacing the file', (disk: FakeDisk, path: string) => disk.swap(path, edit)],
  ])('loses nothing at any step, editing %s', async (_name, type) => {
    // Where the scenario's own user types, that may be what overwrites it; without hard links there is a known window.
    for (const scenario of scenarios.filter(each => !hasEdits(each) && each.hardLinks !== false)) {
      const whole = await undisturbed(scenario)
      for (const [index, path] of ['src/a.ts', 'src/b.ts', 'src/d.ts', 'hard.ts', 'src/new/deep/c.ts'].entries()) {
        await atEach(stepsOf(whole, scenario, stride === 1 ? 1 : 2, index * 3), async step => {
          const world = start()
          const at = world.disk.calls + step
          world.disk.onCall = (_call, _path, n) => {
            if (n === at) type(world.disk, path)
          }
          await outcomeOf(run(world, scenario))
          world.disk.onCall = undefined
          count('edits', world)
          // A formatter that runs after the edit overwrites it: that is the formatter's doing, not relay's.
          const overwritten = path === 'src/a.ts' && scenario.settings?.postCommand === 'format'
          if (!overwritten) expect(found(world.disk), `${scenario.name}: ${path} at step ${step}`).toBe(true)
        })
      }
    }
  })

  it('keeps an edit made between a crash and the recovery, and puts the original aside', async () => {
    const scenario = { name: '', settings: {}, ends: 'committed' } as const
    const whole = await undisturbed(scenario)
    await atEach(stepsOf(whole, scenario), async step => {
      const world = start()
      world.disk.crashAt(world.disk.calls + step)
      await outcomeOf(run(world, scenario))
      world.disk.onCall = undefined
      expect(world.disk.strikes, `step ${step}`).toBe(1)
      world.disk.write('src/a.ts', edit)
      await outcomeOf(recoverAgain(world.disk))
      count('edits after a kill', world)
      expect(world.disk.readText('src/a.ts'), `step ${step}`).toBe(edit)
    })
  })
})
