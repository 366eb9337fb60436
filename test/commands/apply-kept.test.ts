import { describe, expect, it } from 'vitest'
import { keepWork, listKept } from '../../src/agents/work/kept-work.ts'
import { digest } from '../../src/ground/bytes.ts'
import type { AgentChange } from '../../src/model/agent-changes.ts'
import { FakeDisk } from '../support/fake-disk.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { journalWorld } from '../support/journal-world.ts'
import { change, linkTo } from '../support/made.ts'

const place = `/home/me/.local/state/relaycode/kept/${digest('sha256', '/project')}`

/** A project in which claude's work on a task was kept. */
async function world(
  changes: readonly AgentChange[] = [
    change('a.ts', 'one\n', '1\n'),
    change('b.ts', 'b\n', null),
    change('c.ts', null, 'b\n'),
    change('link.ts', null, linkTo('a.ts')),
  ],
  config: Parameters<typeof journalWorld>[1] = {},
) {
  const disk = new FakeDisk()
  const made = journalWorld({ 'a.ts': 'one\n', 'b.ts': 'b\n' }, { ...config, disk })
  const { system } = fakeSystem({ disk })
  const about = {
    agent: 'claude',
    book: 'RAF/001-app',
    task: '02',
    title: 'Add a switch',
    why: 'the checks failed',
    reasoning: 'I added it.',
  }
  await keepWork('/project', about, changes, system)
  return { ...made, system, left: async () => (await listKept('/project', system)).map(({ number }) => number) }
}

describe('relay apply --kept', () => {
  it('lands what was kept, as a change that can be undone, and keeps it apart no longer', async () => {
    const { run, disk, left } = await world()
    const before = disk.tree({ journal: false })
    const { code, stdout, stderr } = await run(['apply', '--kept', '1'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/● Add a switch[\s\S]*kept #1/)
    expect(disk.text()).toMatchObject({ 'a.ts': '1\n', 'c.ts': 'b\n' })
    expect(disk.exists('b.ts')).toBe(false)
    expect(await left()).toEqual([])
    expect((await run(['show', '--json'])).stdout).toContain('"source": "agent:claude"')
    await run(['undo', '--yes'])
    expect(disk.tree({ journal: false })).toEqual(before)
    expect(await run(['apply', '--kept', '1'])).toMatchObject({
      code: 2,
      stderr: 'Error: No kept work 1\nHint: No agent has left work here.\n',
    })
  })

  it('stays after a no', async () => {
    const { run, disk, left } = await world(undefined, { config: { approval: 'no' } })
    const before = disk.tree({ journal: false })
    const { code, stderr } = await run(['apply', '--kept', '1'], { answers: ['n'] })
    expect(code).toBe(3)
    expect(stderr).toContain('▲ kept work 1 stays\n')
    expect(disk.tree({ journal: false })).toEqual(before)
    expect(await left()).toEqual([1])
    expect((await run(['apply', '--kept', '1'])).stderr).toContain('To apply it: `relay apply --kept 1 --yes`\n')
    // A second look is one: what was declined once may be taken now.
    expect((await run(['apply', '--kept', '1', '--yes'])).code).toBe(0)
    expect(await left()).toEqual([])
  })

  it('stays where it overlaps with what the user wrote, and nobody can decide', async () => {
    const { run, disk, left } = await world([change('a.ts', 'one\n', '1\n')])
    disk.write('a.ts', 'ONE\n')
    const { code } = await run(['apply', '--kept', '1'])
    expect(code).toBe(5)
    expect(disk.text()['a.ts']).toBe('ONE\n')
    expect(await left()).toEqual([1])
    expect((await run(['apply', '--kept', '1', '--on-overlap', 'model', '--yes'])).code).toBe(0)
    expect(disk.text()['a.ts']).toBe('1\n')
    expect(await left()).toEqual([])
  })

  it.each([
    ['said beforehand', ['--on-overlap', 'mine'], []],
    ['typed', [], ['s', 'y']],
  ])('stays where "mine" was %s', async (_name, args, answers) => {
    const { run, disk, left } = await world()
    disk.write('a.ts', 'ONE\n')
    expect((await run(['apply', '--kept', '1', ...args], { answers })).code).toBe(0)
    expect(disk.text()).toMatchObject({ 'a.ts': 'ONE\n', 'c.ts': 'b\n' })
    expect(await left()).toEqual([1])
  })

  it('stays where the user chose some of its files', async () => {
    const { run, disk, left } = await world(undefined, { config: { approval: 'no' } })
    const ran = await run(['apply', '--kept', '1'], { answers: ['f', '1', 'y', 'y'] })
    expect(ran.code).toBe(0)
    expect(disk.text()).toMatchObject({ 'a.ts': 'one\n', 'c.ts': 'b\n' })
    expect(await left()).toEqual([1])
  })

  it('goes where all of it is in the project already', async () => {
    const { run, disk, left } = await world([change('a.ts', 'one\n', '1\n')])
    disk.write('a.ts', '1\n')
    expect((await run(['apply', '--kept', '1'])).code).toBe(0)
    expect(await left()).toEqual([])
  })

  it('is refused where it leads out of the project, and nothing is asked of a model', async () => {
    const { run, left } = await world([change('../a.ts', null, '1\n')])
    const { code, stderr } = await run(['apply', '--kept', '1'], { answers: ['c'] })
    expect(code).toBe(6)
    expect(stderr).not.toContain('What now?')
    expect(await left()).toEqual([1])
  })

  it('lists what there is without a number', async () => {
    const { run, system } = await world()
    const about = { agent: 'codex', title: 'Long \u001b[31m title '.repeat(8), why: 'you said no', reasoning: '' }
    await keepWork('/project', about, [change('z', null, 'z')], system)
    const { code, stdout } = await run(['apply', '--kept'])
    expect(code).toBe(0)
    expect(stdout).toMatchInlineSnapshot(`
      "  2  Long \\x1b[31m title Long \\x1b[31m title Long \\x1b[31m title Long \\x1b[31…
          codex, just now, 1 file: you said no
        1  02 Add a switch
          claude, just now, 4 files: the checks failed

        relay apply --kept 2
      "
    `)
  })

  it('says so where nothing is kept', async () => {
    const { run } = journalWorld()
    expect(await run(['apply', '--kept'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No agent has left work here.\n',
      paged: [],
    })
  })

  it.each([
    [['--kept', '1', 'a.md'], 'Error: --kept takes no file\n'],
    [['--kept', '1', '--last'], 'Error: --kept does not go with --last\n'],
    [['--kept', '1', '--again'], 'Error: --kept does not go with --again\n'],
    [['--kept', '1', '--dry-run'], 'Error: --kept does not go with --dry-run\n'],
    [
      ['--kept', 'a.md'],
      'Error: --kept takes the number of kept work, not "a.md"\nHint: `relay apply --kept` lists what there is.\n',
    ],
    [['--kept', '7'], 'Error: No kept work 7\nHint: There is: 1.\n'],
  ])('refuses %j', async (args, stderr) => {
    const { run } = await world()
    expect(await run(['apply', ...args])).toMatchObject({ code: 2, stderr })
  })

  it('says what is wrong where it cannot be read, and relay status goes on', async () => {
    const { run, disk } = await world()
    disk.onCall = (_name, path) => {
      if (path.startsWith(place)) throw Object.assign(new Error('EACCES'), { code: 'EACCES' })
    }
    expect((await run(['apply', '--kept', '1'])).code).not.toBe(0)
    const { code, stdout } = await run(['status'])
    expect(code).toBe(0)
    expect(stdout).not.toContain('left')
    disk.onCall = undefined
    disk.write(`${place}/1/0.made`, 'another\n')
    expect(await run(['apply', '--kept', '1'])).toMatchObject({
      code: 1,
      stderr: `Error: Kept work 1 is damaged, and cannot be landed\nHint: What is left of it is in ${place}/1\n`,
    })
  })
})

describe('kept work', () => {
  it('is named by relay status', async () => {
    const { run, system } = await world()
    expect((await run(['status'])).stdout).toMatchInlineSnapshot(`
      "demo   /project
        watch  not watching (\`relay watch\` starts it)
        last   nothing kept yet
        today  0 kept, 0 not kept
        left   work 1 of claude: 02 Add a switch, just now, 4 files. To land it:
               \`relay apply --kept 1\`
      "
    `)
    await keepWork(
      '/project',
      { agent: 'codex', title: 'Fix it', why: 'no', reasoning: '' },
      [change('z', null, 'z')],
      system,
    )
    expect((await run(['status'])).stdout).toMatchInlineSnapshot(`
      "demo   /project
        watch  not watching (\`relay watch\` starts it)
        last   nothing kept yet
        today  0 kept, 0 not kept
        left   work 2 of codex: Fix it, just now, 1 file. To land it:
               \`relay apply --kept 2\`; 1 more: \`relay apply --kept\`
      "
    `)
    expect(JSON.parse((await run(['status', '--json'])).stdout).keptWork).toEqual([
      {
        number: 2,
        book: null,
        task: null,
        title: 'Fix it',
        agent: 'codex',
        why: 'no',
        at: '2026-11-20T14:02:11.000Z',
        files: ['z'],
      },
      expect.objectContaining({
        number: 1,
        book: 'RAF/001-app',
        task: '02',
        files: ['a.ts', 'b.ts', 'c.ts', 'link.ts'],
      }),
    ])
  })

  it('is completed behind --kept', async () => {
    const { run } = await world()
    expect((await run(['complete', '--', 'apply', '--kept', ''])).stdout).toBe('1\tAdd a switch\n')
  })

  it('goes with relay prune, after its question', async () => {
    const { run, left, wait } = await world()
    wait(90 * 24 * 3_600_000)
    const prune = ['prune', '--older-than', '30d']
    expect(JSON.parse((await run([...prune, '--dry-run', '--json'])).stdout).keptWork).toEqual([
      { number: 1, title: 'Add a switch', at: '2026-11-20T14:02:11.000Z', bytes: 10 },
    ])
    expect((await run(prune, { answers: ['n'] })).code).toBe(3)
    expect(await left()).toEqual([1])
    expect((await run(prune, { answers: ['y'] })).stderr).toMatchInlineSnapshot(`
      "About to remove kept work 1: 10 bytes, never landed.
      Remove kept work 1? (y/n/?) y
      Removed kept work 1.
      "
    `)
    expect(await left()).toEqual([])
    expect((await run(['prune', '--older-than', '30d'])).stderr).toBe('Nothing to remove: 0 stored changes.\n')
  })
})
