import { describe, expect, it } from 'vitest'
import { main } from '../../src/main.ts'
import { around } from '../support/around.ts'
import { diskError } from '../support/fake-disk.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { journalWorld, uuidOf } from '../support/journal-world.ts'

/** Five patches: three kept, one declined, one of another folder. */
async function world() {
  const made = journalWorld({ 'src/a.ts': 'one\n', 'docs/b.md': 'b\n', errors: '1\n' })
  await made.patch({ 'src/a.ts': 'two\n' }, { prose: 'Fix the date parser.' })
  made.wait(24 * 3_600_000)
  await made.patch({ 'src/a.ts': 'three\n' }, { config: { approval: 'no' }, answer: 'no' })
  await made.patch(
    { 'src/a.ts': 'four\n', 'src/new/c.ts': 'c\n' },
    { config: { approval: 'no' }, prose: 'Split the client \u001b[31m.' },
  )
  await made.patch({ 'docs/b.md': null }, { prose: `A very long ${'long '.repeat(30)}title.` })
  return made
}

describe('relay log', () => {
  it('lists what was kept, newest first', async () => {
    const { run } = await world()
    expect(await run(['log'])).toMatchObject({ code: 0, stderr: '' })
    expect((await run(['log'])).stdout).toMatchInlineSnapshot(`
      "  #  when    what                                       files  lint  state
        4  14:02   A very long long long long long long lon…      1  -     kept auto
        3  14:02   Split the client [31m                          2  -     kept
        1  Nov 20  Fix the date parser                            1  -     kept auto
      "
    `)
  })

  it('has fewer columns where there is less room', async () => {
    const { run } = await world()
    const { stdout } = await run(['log', '--all'], { terminal: { columns: 40 } })
    expect(stdout).toMatchInlineSnapshot(`
      "  #  when    what            state
        4  14:02   A very long l…  kept auto
        3  14:02   Split the cli…  kept
        2  14:02   I changed wha…  declined
        1  Nov 20  Fix the date …  kept auto
      "
    `)
  })

  it.each([
    ['all', ['--all'], [4, 3, 2, 1]],
    ['so many', ['-n', '1'], [4]],
    ['all, so many', ['--all', '-n', '3'], [4, 3, 2]],
    ['one file', ['--file', 'src/a.ts'], [3, 1]],
    ['one folder', ['--file', 'src/'], [3, 1]],
    ['one file, so many', ['--file', './src/a.ts', '-n', '1'], [3]],
    ['what is newer', ['--since', '12h'], [4, 3]],
    ['today', ['--since', 'today'], [4, 3]],
    ['all that is newer than any date', ['--since', '999999999y'], [4, 3, 1]],
    ['yesterday', ['--since', 'yesterday'], [4, 3, 1]],
    ['a file that nothing touched', ['--file', 'src'.repeat(3)], []],
  ])('lists %s', async (_name, args, numbers) => {
    const { run } = await world()
    const { stdout, code } = await run(['log', '--json', ...args])
    expect(code).toBe(0)
    const { transactions } = JSON.parse(stdout) as { transactions: { number: number }[] }
    expect(transactions.map(({ number }) => number)).toEqual(numbers)
  })

  it('asks for no entry that is gone to find a file', async () => {
    const { disk, run } = await world()
    for (const number of [1, 4]) disk.remove(`.relaycode/${uuidOf(number)}.yml`)
    const asked: string[] = []
    disk.onCall = (_name, path) => {
      if (path.endsWith('.yml')) asked.push(path)
    }
    expect((await run(['log', '--file', 'src/a.ts'])).stdout).toContain('Split the client')
    expect(asked).not.toEqual([])
    expect(asked.filter(path => !path.endsWith(`${uuidOf(3)}.yml`))).toEqual([])
  })

  it.each(["src/it's.ts", 'src/a b.ts', 'src/#x.ts', 'src/ünï.ts', 'src/-.ts'])('finds %s', async path => {
    const { patch, run } = journalWorld({ [path]: 'one\n' })
    await patch({ [path]: 'two\n' })
    await patch({ 'other.ts': 'two\n' })
    const { stdout } = await run(['log', '--json', '--file', path])
    expect(JSON.parse(stdout).transactions).toMatchObject([{ number: 1, files: [{ op: 'write', path }] }])
  })

  it('reads no more entries than it shows, and says how many there are', async () => {
    const { patch, run, disk } = journalWorld({ a: '0\n' })
    for (let number = 1; number <= 30; number++) await patch({ a: `${number}\n` })
    const read = new Set<string>()
    disk.onCall = (name, path) => {
      if (name === 'inspect' && path.endsWith('.yml')) read.add(path)
    }
    const { stderr } = await run(['log', '-n', '20'], { answers: [] })
    expect(stderr).toBe('  20 of 30.  relay log --all   relay show 30 explains it\n')
    const all = await run(['log', '--all', '-n', '5'], { answers: [] })
    expect(all.stderr).toBe('  5 of 30.  relay log --all   relay show 30 explains it\n')
    const narrow = await run(['log', '-n', '20'], { answers: [], terminal: { columns: 40 } })
    expect(narrow.stderr).toBe('  20 of 30.  relay log --all\n  relay show 30 explains it\n')
    expect(read.size).toBe(20)
    read.clear()
    await run(['log', '--file', 'a', '-n', '2'])
    expect(read.size).toBe(2)
  })

  it.each([
    ['looking for a file', ['log', '--file', 'b']],
    ['telling a lost history from the entries', ['status']],
    ['making it again', ['recover']],
    ['looking what that would come to', ['recover', '--dry-run']],
    ['making it again before entries go', ['prune', '--keep', '1', '--yes']],
    ['looking which would go', ['prune', '--keep', '1', '--dry-run']],
  ])('ends with Ctrl+C while it is %s', async (_what, args) => {
    const { patch, disk } = journalWorld({ a: '0\n' })
    for (let number = 1; number <= 5; number++) await patch({ a: `${number}\n` })
    if (args[0] !== 'log') disk.remove('.relaycode/history.jsonl')
    const { system, interrupt, terminal } = fakeSystem({ disk })
    let read = 0
    disk.onCall = (name, path) => {
      if (name !== 'inspect' || !/[^.]{36}\.yml$/.test(path)) return
      read += 1
      interrupt()
    }
    expect(await main(args, around(system))).toBe(130)
    expect([read, terminal.stdout]).toEqual([1, ''])
  })

  it.each([
    ['status', true],
    ['recover', true],
    ['status', false],
  ])('says what takes longer than an instant where the history is lost: %s, %s', async (command, isSlow) => {
    const { patch, disk, run } = journalWorld({ a: '0\n' })
    for (let number = 1; number <= 5; number++) await patch({ a: `${number}\n` })
    disk.remove('.relaycode/history.jsonl')
    const { system, clock, terminal } = fakeSystem({ disk, autoAdvance: true })
    disk.onCall = (name, path) => {
      if (isSlow && name === 'inspect' && path.endsWith('.yml')) void clock.sleep(200)
    }
    expect(await main([command], around(system))).toBe(0)
    const said = '○ the history is missing or damaged: reading 5 stored changes instead\n'
    expect(terminal.stderr.split(said)).toHaveLength(isSlow ? 2 : 1)
    disk.onCall = undefined
    expect((await run(['log', '--json'])).stdout).toContain('"number": 5')
  })

  it('finds a file from the folder that one is in', async () => {
    const { run } = await world()
    const { stdout } = await run(['log', '--file', 'a.ts', '--json'], { cwd: '/project/src' })
    expect(JSON.parse(stdout).transactions).toHaveLength(2)
  })

  it.each([
    ['/link/src/a.ts', 2],
    ['/link/src/gone.ts', 1],
    ['/link', 3],
    ['/elsewhere/a.ts', 0],
  ])('finds a file through a link to the project: %s', async (path, found) => {
    const { patch, run, disk } = journalWorld({ 'src/a.ts': '0\n', 'src/gone.ts': '0\n' })
    for (const text of ['1\n', '2\n']) await patch({ 'src/a.ts': text })
    await patch({ 'src/gone.ts': null })
    disk.symlink('/project', '/link')
    const { stdout } = await run(['log', '--file', path, '--json'])
    expect(JSON.parse(stdout).transactions).toHaveLength(found)
  })

  it('tells a program all that it shows', async () => {
    const { run } = await world()
    const { stdout } = await run(['log', '--json', '--all'])
    const [, third, second] = JSON.parse(stdout).transactions
    expect(third).toEqual({
      number: 3,
      uuid: uuidOf(3),
      modelUuid: null,
      at: expect.any(String),
      outcome: 'committed',
      undoneBy: null,
      source: 'clipboard',
      undoes: null,
      commit: null,
      title: 'Split the client [31m',
      by: 'user',
      files: [
        { op: 'write', path: 'src/a.ts' },
        { op: 'write', path: 'src/new/c.ts' },
      ],
      checks: { before: { errors: null }, after: { errors: null } },
    })
    expect(stdout).not.toContain('\u001b')
    expect(second).toMatchObject({ number: 2, outcome: 'declined', title: 'I changed what you asked for', files: null })
  })

  it('tells a program the whole title', async () => {
    const made = journalWorld()
    const said = `A very long ${'long '.repeat(30)}title`
    await made.patch({ 'a.ts': 'a\n' }, { prose: `${said}. More` })
    expect(JSON.parse((await made.run(['log', '--json'])).stdout).transactions[0].title).toBe(said)
    const shown = `${said.slice(0, 59)}…`
    expect((await made.run(['complete', '--', 'show', ''])).stdout).toBe(`1\t${shown}\n`)
  })

  it('says so when there is nothing', async () => {
    expect(await journalWorld().run(['log'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: 'Nothing was kept here yet.\n',
    })
  })

  it('says so when there is nothing of that kind', async () => {
    const { run } = await world()
    expect((await run(['log', '--file', 'none.ts'])).stderr).toBe('No change matches.\n')
  })

  it('still lists an entry that is gone', async () => {
    const { run, disk } = await world()
    disk.remove(`.relaycode/${uuidOf(3)}.yml`)
    expect((await run(['log', '-n', '2'])).stdout).toContain('3  14:02  (no longer stored)')
  })

  it('lists what cannot be read beside the others, and tells it from what is gone', async () => {
    const { run, disk } = await world()
    disk.onCall = (name, path) => {
      if (name === 'inspect' && path.endsWith(`${uuidOf(4)}.yml`)) throw diskError('EACCES')
    }
    disk.write(`.relaycode/${uuidOf(3)}.yml`, 'version: 99\n')
    disk.remove(`.relaycode/${uuidOf(1)}.yml`)
    const rows = (await run(['log'])).stdout.split('\n').slice(1, 4)
    expect(rows.map(row => row.slice(0, 48).trimEnd())).toEqual([
      '  4  14:02   (cannot be read: relay show 4)',
      '  3  14:02   (cannot be read: relay show 3)',
      '  1  Nov 20  (no longer stored)',
    ])
    expect((await run(['status'])).stdout).toContain('#4, just now')
    expect((await run(['show', '4'])).stderr).toContain('permission denied')
  })

  it('lists entries that are gone, one after the other, in one line', async () => {
    const { patch, run } = journalWorld({ a: '0\n' })
    for (const number of [1, 2, 3, 4]) await patch({ a: `${number}\n` }, { prose: `Write ${number}.` })
    await patch({ a: '5\n' }, { config: { approval: 'no' }, answer: 'no', prose: 'Write 5.' })
    expect((await run(['prune', '--keep', '1', '--yes'])).code).toBe(0)
    expect((await run(['log', '--all'])).stdout).toMatchInlineSnapshot(`
      "  #  when   what                                        files  lint  state
        5  14:02  Write 5                                                  declined
        4  14:02  Write 4                                         1  -     kept auto
        3  14:02  (3 no longer stored, down to #1)
      "
    `)
    const { transactions } = JSON.parse((await run(['log', '--json'])).stdout)
    expect(transactions).toHaveLength(4)
  })

  it.each([
    ['--since', '3 moons'],
    ['--since', '2025'],
    ['--since', '2026-02-31'],
    ['--since', '2026-13-01'],
    ['-n', 'many'],
    ['--all', '-n', 'many'],
  ])('refuses %s %s', async (...args) => {
    expect(await journalWorld().run(['log', ...args])).toMatchObject({ code: 2, stdout: '' })
  })

  it('refuses to list none, and says from where on it counts', async () => {
    for (const all of [[], ['--all']]) {
      const { code, stdout, stderr } = await journalWorld().run(['log', '-n', '0', ...all])
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: '',
        stderr: 'Error: --limit takes a number from 1, not "0"\n',
      })
    }
  })

  it('writes nothing and names what is unfinished', async () => {
    const { run, disk, patch } = await world()
    disk.crashInTransaction()
    await patch({ 'src/a.ts': 'five\n' }, { prose: 'Cut off.' }).catch(() => undefined)
    disk.onCall = undefined
    disk.remove('.relaycode/history.jsonl')
    const before = disk.tree()
    const { code, stdout, stderr } = await run(['log'])
    expect(code).toBe(0)
    expect(stdout.split('\n')).toHaveLength(5)
    expect(stderr).toMatchInlineSnapshot(`
      "▲ #5 Cut off is unfinished: \`relay recover\` rolls it back
      "
    `)
    expect(disk.tree()).toEqual(before)
  })
})
