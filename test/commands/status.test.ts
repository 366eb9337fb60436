import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.ts'
import { makeOwnerMark } from '../../src/transact/lock/owner-marks.ts'
import { prdText, story } from '../agents/prd/prd-world.ts'
import { around } from '../support/around.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { journalWorld } from '../support/journal-world.ts'
import { respond, uuid } from '../support/respond.ts'

async function world() {
  const made = journalWorld({ 'src/a.ts': 'one\n' }, { home: '/' })
  await made.patch({ 'src/a.ts': 'two\n' })
  made.wait(24 * 3_600_000)
  await made.patch({ 'src/a.ts': 'three\n' }, { prose: 'Fix the date parser.' })
  await made.patch({ 'src/a.ts': 'four\n' }, { config: { approval: 'no' }, answer: 'no' })
  return made
}

describe('relay status', () => {
  it('tells the newest by its number alone where its entry cannot be read', async () => {
    const { run, disk } = await world()
    for (const path of Object.keys(disk.text())) if (path.endsWith('.yml')) disk.write(path, 'damaged')
    expect((await run(['status'])).stdout).toContain('\n  last   #2, just now\n')
  })

  it('shows how things stand', async () => {
    const { run } = await world()
    expect((await run(['status'])).stdout).toMatchInlineSnapshot(`
      "demo   /project
        watch  not watching (\`relay watch\` starts it)
        last   #2 Fix the date parser, just now
        today  1 kept, 1 not kept
      "
    `)
    expect((await run(['status', '--short'])).stdout).toMatchInlineSnapshot(`
      "demo  not watching  last #2  0 unfinished  today 1 kept, 1 not kept
      "
    `)
    expect(JSON.parse((await run(['status', '--json'])).stdout)).toEqual({
      projectId: 'demo',
      root: '/project',
      prd: null,
      watching: false,
      watchers: [],
      asking: [],
      working: null,
      underWay: [],
      last: { number: 2, at: '2026-11-21T14:02:13.000Z', title: 'Fix the date parser' },
      today: { kept: 1, rolledBack: 1, undone: 0 },
      unfinished: [],
      agents: [],
      keptWork: [],
      putAside: [],
      delegations: [],
      projects: [],
    })
  })

  it('shows how far the user stories of a prd.json are', async () => {
    const { run, disk } = await world()
    disk.write('prd.json', prdText([story('US-001', { passes: true }), story('US-002')]))
    const words = '  loop   prd.json: 1 of 2 user stories passes. Next: US-002 Add US-002 to the'
    expect((await run(['status'])).stdout).toContain(words)
    expect(JSON.parse((await run(['status', '--json'])).stdout).prd).toMatchObject({ file: 'prd.json', next: 'US-002' })
    disk.write('prd.json', '{')
    expect((await run(['status'])).stdout).toContain('  loop   prd.json has no user story: `relay prd check`\n')
  })

  it('tells what was kept last as relay watch does at its start, an undo as well', async () => {
    const { run, disk } = await world()
    await run(['undo', '--yes'])
    const { system, clock, terminal, interrupt } = fakeSystem({ disk, answers: [], terminal: { columns: 100 } })
    const end = main(['watch'], around(system))
    await clock.someoneSleeps()
    interrupt()
    await end
    const words = '#4 Undo #2 Fix the date parser, just now\n'
    expect(terminal.stderr).toContain(`  last    ${words}`)
    expect((await run(['status'])).stdout).toContain(`  last   ${words}`)
  })

  it('counts each patch once, as it stands after undo and redo', async () => {
    const { run, patch, wait } = await world()
    const today = async () => /today (.*)/.exec((await run(['status', '--short'])).stdout)?.[1]
    await run(['undo', '--yes'])
    expect(await today()).toBe('0 kept, 1 not kept, 1 undone')
    await run(['redo', '--yes'])
    expect(await today()).toBe('1 kept, 1 not kept')
    await run(['undo', '--yes'])
    expect(await today()).toBe('0 kept, 1 not kept, 1 undone')
    await patch({ 'src/b.ts': 'new\n' })
    expect(await today()).toBe('1 kept, 1 not kept, 1 undone')
    wait(24 * 3_600_000)
    await run(['undo', '--yes'])
    expect(await today()).toBe('0 kept, 0 not kept, 1 undone')
  })

  it('knows who watches, and forgets who died', async () => {
    const { run, disk } = await world()
    const watching = fakeSystem({ disk })
    const mark = await makeOwnerMark(watching.layout.watchers, watching.system)
    const { pid } = await watching.system.shell.self()
    expect((await run(['status', '--short'])).stdout).toContain(`watching pid ${pid}  last`)
    const other = fakeSystem({ disk })
    await makeOwnerMark(other.layout.watchers, other.system)
    expect((await run(['status'])).stdout).toContain(`watching (pids ${pid}, `)
    other.kill()
    expect(JSON.parse((await run(['status', '--json'])).stdout)).toMatchObject({ watching: true, watchers: [pid] })
    await mark.remove()
    expect((await run(['status', '--short'])).stdout).toContain('not watching')
    expect(Object.keys(disk.tree()).filter(path => path.startsWith('.relaycode/watch/'))).toHaveLength(1)
    const last = fakeSystem({ disk })
    await (await makeOwnerMark(last.layout.watchers, last.system)).remove()
    expect(Object.keys(disk.tree()).filter(path => path.startsWith('.relaycode/watch/'))).toEqual([])
  })

  it('knows a watcher again whose mark was removed with all of .relaycode/', async () => {
    const { run, disk, patch } = await world()
    const { system, layout } = fakeSystem({ disk })
    const mark = await makeOwnerMark(layout.watchers, system)
    disk.remove('.relaycode')
    await mark.renew()
    expect(disk.exists('.relaycode')).toBe(false)
    await patch({ 'src/a.ts': 'again\n' })
    await mark.renew()
    await mark.renew()
    const { pid } = await system.shell.self()
    expect(JSON.parse((await run(['status', '--json'])).stdout)).toMatchObject({ watchers: [pid] })
    await mark.remove()
    expect(Object.keys(disk.tree()).filter(path => path.startsWith('.relaycode/watch/'))).toEqual([])
  })

  it('names what is unfinished once, on stdout, and changes nothing', async () => {
    const { run, disk, patch } = await world()
    disk.crashInTransaction()
    await patch({ 'src/a.ts': 'five\n' }, { prose: 'Cut off.' }).catch(() => undefined)
    disk.onCall = undefined
    const before = disk.tree()
    const { code, stdout, stderr } = await run(['status'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n').slice(-2)).toEqual(['▲ #4 Cut off is unfinished: `relay recover` rolls it back', ''])
    expect(disk.tree()).toEqual(before)
  })

  it('takes a transaction that another relay carries out for no unfinished one', async () => {
    let seen = ''
    const look = {
      effect: async () => {
        seen = (await run(['status'])).stdout
      },
    }
    const { run, patch } = journalWorld({ 'src/a.ts': 'one\n' }, { commands: { look } })
    await patch({ 'src/a.ts': 'two\n' }, { config: { postCommand: 'look' } })
    expect(seen).toContain('relay is applying a change (')
    expect(seen).not.toContain('unfinished')
  })

  it('tells that relay waits for your answer, as long as it does and lives', async () => {
    const { run, disk } = journalWorld({ 'src/a.ts': 'one\n' }, { config: { approval: 'no' } })
    const seen: string[] = []
    const ask = async () => {
      for (const args of [['status'], ['status', '--short'], ['status', '--json']]) seen.push((await run(args)).stdout)
      seen.push((await run(['parse', 'answer.md'])).stderr)
      return undefined
    }
    disk.write('answer.md', respond({ 'src/a.ts': 'two\n' }))
    const { system } = fakeSystem({ disk, answers: [ask] })
    await main(['apply', 'answer.md'], around(system))
    const { pid } = await system.shell.self()
    const [long = '', short, json = '', parsed] = seen
    expect(parsed).toContain('#1 has the same uuid and is not finished yet')
    expect(long.split('\n').slice(3)).toEqual([
      '  today  0 kept, 0 not kept',
      `▲ relay waits for your answer to #1 I changed what you asked for (pid ${pid});`,
      '    changed so far: src/a.ts',
      '',
    ])
    expect(short).toBe(
      'demo  not watching  waits for your answer to #1  nothing kept  0 unfinished  today 0 kept, 0 not kept\n',
    )
    expect(JSON.parse(json)).toMatchObject({
      asking: [pid],
      working: pid,
      underWay: [{ number: 1, uuid, title: 'I changed what you asked for', files: ['src/a.ts'] }],
    })
    expect((await run(['status', '--short'])).stdout).not.toContain('waits')
    const killed = fakeSystem({ disk, answers: [] })
    killed.terminal.answers.push(() => {
      killed.kill()
      return 'n'
    })
    await main(['apply', 'answer.md', '--again'], around(killed.system)).catch(() => undefined)
    const marks = () => Object.keys(disk.tree()).filter(path => path.startsWith('.relaycode/ask/'))
    expect(marks()).toHaveLength(1)
    expect((await run(['status', '--short'])).stdout).not.toContain('waits')
    await run(['recover'])
    expect(marks()).toEqual([])
  })

  it('starts with nothing', async () => {
    expect((await journalWorld().run(['status', '--short'])).stdout).toBe(
      'demo  not watching  nothing kept  0 unfinished  today 0 kept, 0 not kept\n',
    )
  })
})
