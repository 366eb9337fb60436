import { describe, expect, it } from 'vitest'
import { keepRunEvents, runPlaces } from '../../src/agents/run/run-events.ts'
import { main } from '../../src/main.ts'
import { choosePrunable } from '../../src/transact/journal/prune.ts'
import { around } from '../support/around.ts'
import { FakeDisk } from '../support/fake-disk.ts'
import { type FakeSystem, fakeSystem } from '../support/fake-system.ts'
import { respond } from '../support/respond.ts'
import { atEach, stepsBetween } from '../support/steps.ts'
import { take } from '../support/take.ts'

/** A project with so many applied patches, a day apart; each with what its linter printed. */
async function projectWith(patches: number): Promise<FakeDisk> {
  const disk = new FakeDisk()
  disk.write('relaycode.config.json', JSON.stringify({ projectId: 'demo' }))
  for (let number = 1; number <= patches; number += 1) {
    const world = fakeSystem({ disk, commands: { lint: { output: 'all is well\n' } } })
    await world.clock.advance((number - 1) * 24 * 3_600_000)
    // Without an edit the check before would be the baseline.
    disk.write('b.ts', `${number}\n`)
    const text = respond({ 'a.ts': `${number}\n` }, { uuid: uuid(number) })
    await take(world.system, text, { linter: 'lint' })
  }
  return disk
}

function uuid(number: number): string {
  return `0b8f4f62-7d5e-4f5c-9a0e-00000000000${number}`
}

function left(disk: FakeDisk): number[] {
  return [1, 2, 3, 4].filter(number => disk.exists(`.relaycode/${uuid(number)}.yml`))
}

async function prune(disk: FakeDisk, args: readonly string[], answers?: readonly string[]) {
  const world: FakeSystem = fakeSystem({ disk, answers })
  await world.clock.advance(4 * 24 * 3_600_000)
  const code = await main(['prune', ...args], around(world.system))
  return { code, said: world.terminal.stderr }
}

describe('relay prune', () => {
  it('leaves the newest alone also where no undo or redo needs it', () => {
    const at = new Date(0)
    const entries = [3, 2, 1].map(number => ({ number, uuid: uuid(number), at, bytes: 100 }))
    const chosen = choosePrunable(entries, { keep: 0, olderThanMs: 0, maxBytes: 0 }, new Date(1), new Set())
    expect(chosen.map(({ number }) => number)).toEqual([2, 1])
  })

  it.each([
    ['all but so many', ['--keep', '2'], [3, 4]],
    ['what is older', ['--older-than', '2d'], [3, 4]],
    ['what does not fit', ['--max-size', '1kB'], [4]],
    ['but never the newest', ['--keep', '0'], [4]],
    ['nothing that fits the rules', ['--keep', '9', '--older-than', '1y', '--max-size', '1GB'], [1, 2, 3, 4]],
  ])('removes %s', async (_name, args, expected) => {
    const disk = await projectWith(4)
    expect((await prune(disk, args, ['y'])).code).toBe(0)
    expect(left(disk)).toEqual(expected)
    const outputs = Object.keys(disk.text()).filter(path => path.startsWith('.relaycode/output/'))
    expect(outputs).toEqual(
      expected.flatMap(number => ['base', 'lint'].map(step => `.relaycode/output/${uuid(number)}/${step}.txt`)),
    )
  })

  it('leaves nothing of an entry behind, also where it was killed before', async () => {
    const whole = await projectWith(2)
    const from = whole.calls
    await prune(whole, ['--keep', '1', '--yes'])
    await atEach(stepsBetween(1, whole.calls - from), async step => {
      const disk = await projectWith(2)
      disk.crashAt(disk.calls + step)
      await prune(disk, ['--keep', '1', '--yes']).catch(() => undefined)
      disk.onCall = undefined
      expect(disk.strikes, `step ${step}`).toBe(1)
      await prune(disk, ['--keep', '1', '--yes'])
      const names = Object.keys(disk.text()).filter(path => path.includes(uuid(1)))
      expect(names, `step ${step}`).toEqual([])
    })
  })

  it('takes what was undone to be as old as that', async () => {
    const disk = await projectWith(3)
    const later = fakeSystem({ disk })
    await later.clock.advance(3 * 24 * 3_600_000)
    expect(await main(['undo', '--yes'], around(later.system))).toBe(0)
    expect((await prune(disk, ['--older-than', '36h'], ['y'])).code).toBe(0)
    expect(left(disk)).toEqual([2, 3])
  })

  it('leaves what the next undo and the next redo take back', async () => {
    const disk = await projectWith(3)
    const run = (...args: string[]) => main(args, around(fakeSystem({ disk }).system))
    for (const back of ['undo', 'undo', 'redo']) expect(await run(back, '--yes')).toBe(0)
    expect((await prune(disk, ['--keep', '0', '--yes'])).code).toBe(0)
    expect(left(disk)).toEqual([2])
    expect(await run('undo', '--yes')).toBe(0)
    expect(disk.text()['a.ts']).toBe('1\n')
    expect(await run('redo', '--yes')).toBe(0)
    expect(await run('redo', '--yes')).toBe(0)
    expect(disk.text()['a.ts']).toBe('3\n')
  })

  it('takes what packs gave before what stays, and says so', async () => {
    const disk = await projectWith(3)
    const give = async (path: string, day: number) => {
      const { system, clock } = fakeSystem({ disk })
      await clock.advance(day * 24 * 3_600_000)
      expect(await main(['pack', path], around(system))).toBe(0)
    }
    await give('a.ts', 0)
    disk.write('b.ts', 'another\n')
    await give('b.ts', 2)
    const dry = await prune(disk, ['--keep', '2', '--dry-run'])
    expect(dry.said).toMatch(
      /^Would remove the packed copies of 1 file: 2 bytes\.\nWould remove 1 of 3 stored changes: /,
    )
    const { said } = await prune(disk, ['--keep', '2'], ['y'])
    expect(said).toMatch(
      /Remove 1 stored change, and the packed copies of 1 file\? .*\nRemoved 1 stored change, and the packed copies of 1 file\.\n$/,
    )
    const seen = JSON.parse(disk.text()['.relaycode/seen/index.json'] ?? '') as object
    expect(Object.keys(seen)).toEqual(['b.ts'])
    expect((await prune(disk, ['--max-size', '1kB', '--older-than', '1d', '--dry-run'])).said).toContain('of 1 file: ')
    expect((await prune(disk, ['--keep', '2'])).said).toBe('Nothing to remove: 2 stored changes.\n')
  })

  it("takes what old runs of the project's agents did, and none that goes on", async () => {
    const disk = await projectWith(1)
    const keep = async (day: number, { root = '/project', goesOn = false } = {}) => {
      const { system, clock, shell } = fakeSystem({ disk })
      await clock.advance(day * 24 * 3_600_000)
      const run = keepRunEvents({ root, book: 'it', key: 'it', agent: 'claude' }, () => {}, system)
      run.add('{"event":"work-begun"}', 'work-begun')
      await run.close()
      if (!goesOn) disk.processes.delete(shell.mark.pid)
    }
    await keep(0)
    await keep(0, { root: '/another' })
    await keep(0, { goesOn: true })
    await keep(2)
    const rule = ['--older-than', '3d']
    expect((await prune(disk, [...rule, '--dry-run'])).said).toMatch(
      /^Would remove what 1 run of agents did: \d+ bytes/,
    )
    expect((await prune(disk, [...rule, '--yes'])).said).toMatch(/Removed what 1 run of agents did\.\n$/)
    expect(await runPlaces(fakeSystem({ disk }).system)).toHaveLength(3)
    expect((await prune(disk, ['--max-size', '1kB', '--dry-run'])).said).toBe('Nothing to remove: 1 stored change.\n')
  })

  it('asks first, and takes nothing but a yes for one', async () => {
    const disk = await projectWith(3)
    const { code, said } = await prune(disk, ['--keep', '1'], ['', 'n'])
    expect(code).toBe(3)
    expect(said).toMatch(
      /^About to remove 2 of 3 stored changes: #1 to #2, .*, newest from .*\.\nYour files stay as they are\. [\s\S]*\nRemove 2 stored changes\? /,
    )
    expect(said).toMatch(/\nNothing was removed.\n$/)
    expect(left(disk)).toEqual([1, 2, 3])
    expect((await prune(disk, ['--keep', '2', '--dry-run'])).said).toMatch(
      /^Would remove 1 of 3 stored changes: #1, [^,]*, from \d+ \w+ ago\.\n/,
    )
    const unasked = await prune(disk, ['--keep', '1'])
    expect(unasked.code).toBe(3)
    expect(unasked.said).toMatch(/nothing was removed\nHint: To go on without a question, add `--yes`.\n$/)
    const closed = fakeSystem({ disk, answers: [undefined] })
    expect(await main(['prune', '--keep', '1'], around(closed.system))).toBe(3)
    expect(closed.terminal.stderr).toContain('the input ended at the question')
    const world = fakeSystem({ disk, answers: [() => void world.interrupt()] })
    expect(await main(['prune', '--keep', '1'], around(world.system))).toBe(130)
    expect(world.terminal.stderr).not.toContain('nobody')
    expect(left(disk)).toEqual([1, 2, 3])
  })

  it('only says what would go in a dry run, and asks nothing with --yes', async () => {
    const disk = await projectWith(2)
    expect((await prune(disk, ['--keep', '1', '--dry-run'])).said).toMatch(/^Would remove 1 of 2 stored changes: #1, /)
    expect(left(disk)).toEqual([1, 2])
    expect((await prune(disk, ['--keep', '1', '--yes'])).code).toBe(0)
    expect(left(disk)).toEqual([2])
  })

  it('still knows what it removed: none of it is applied a second time', async () => {
    const disk = await projectWith(2)
    await prune(disk, ['--keep', '1', '--yes'])
    const { system } = fakeSystem({ disk })
    const text = respond({ 'a.ts': '1\n' }, { uuid: uuid(1) })
    expect(await take(system, text)).toMatchObject({
      kind: 'skipped',
      number: 1,
    })
  })

  it.each([
    [[], 'Say which changes to remove: --keep, --older-than or --max-size'],
    [['--keep', 'many'], '--keep takes a number such as 200, not "many"'],
    [['--older-than', '3 moons'], '--older-than takes an age such as 12h, 30d, 8w or 1y, not "3 moons"'],
    [['--older-than', '30'], '--older-than takes an age such as 12h, 30d, 8w or 1y, not "30"'],
    [['--older-than', '5constructor'], '--older-than takes an age such as 12h, 30d, 8w or 1y, not "5constructor"'],
    [['--max-size', '3'], '--max-size takes a size such as 500kB, 100MB or 2GB, not "3"'],
    [['--max-size', '-1'], '--max-size takes a size such as 500kB, 100MB or 2GB, not "-1"'],
  ])('refuses %j', async (args, why) => {
    const { code, said } = await prune(await projectWith(1), args)
    expect(code).toBe(2)
    expect(said).toContain(`Error: ${why}\n`)
  })
})
