import { describe, expect, it } from 'vitest'
import { parse } from '../../src/commands/parse.ts'
import { main } from '../../src/main.ts'
import { around } from '../support/around.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { journalWorld, uuidOf } from '../support/journal-world.ts'
import { respond } from '../support/respond.ts'

it('has the colours of stdout, where the answer goes, not those of stderr', async () => {
  const { system, terminal } = fakeSystem({ terminal: { stdin: 'no patch at all' } })
  Object.assign(terminal, { colour: { out: false, err: true } })
  await parse(system, '-', { projectId: 'demo' })
  expect(terminal.stdout).toMatch(/^○ not applied/)
})

describe('outside a project', () => {
  const read = async (stdin: string, ...more: string[]) => {
    const { system, terminal } = fakeSystem({ terminal: { stdin } })
    const code = await main(['parse', '-', ...more], around(system))
    return { code, stdout: terminal.stdout, stderr: terminal.stderr }
  }

  it('reads a response as --project-id with its own id does', async () => {
    const text = respond({ 'a.ts': 'a\n' })
    const found = await read(text)
    expect(found).toEqual(await read(text, '--project-id', 'demo'))
    expect(found).toMatchObject({ code: 0, stdout: expect.stringContaining('write   a.ts'), stderr: '' })
  })

  it('says of what names no project that it is no patch', async () => {
    expect(await read('Hello.')).toMatchObject({ code: 0, stdout: expect.stringContaining('not applied'), stderr: '' })
  })
})

it('tells every sign of a text, but of a project only those that its linter does not find', async () => {
  const { disk, run } = journalWorld({}, { config: { linter: 'tsc' } })
  disk.write('answer.md', respond({ 'a.ts': 'x = “y”\n', 'a.js': 'x = “y”\n' }))
  const { flags, here } = JSON.parse((await run(['parse', 'answer.md', '--json'])).stdout)
  const told = { flag: 'chat-artifact', reason: 'a curly quote is where the code needs a straight one' }
  const [first, second] = flags
  expect(flags).toEqual([
    { ...told, path: 'a.ts', line: first.line, lines: [{ line: first.line, text: 'x = “y”' }] },
    { ...told, path: 'a.js', line: second.line, lines: [{ line: second.line, text: 'x = “y”' }] },
  ])
  expect(here.flags).toEqual([{ ...told, path: 'a.js', line: second.line }])
})

it('is what apply --dry-run does, for each response', async () => {
  const { disk, run, patch } = journalWorld({ 'package.json': '{}\n' }, { config: { linter: 'lint' } })
  await patch({ 'a.ts': 'a\n' })
  disk.write('one.md', respond({ 'a.ts': 'b\n', 'package.json': '{ "a": 1 }\n' }, { uuid: uuidOf(2) }))
  disk.write('two.md', respond({ 'a.ts': 'a\n' }, { uuid: uuidOf(1) }))
  const before = disk.tree()
  const [one, two] = [await run(['parse', 'one.md']), await run(['parse', 'two.md'])]
  expect(await run(['apply', '--dry-run', 'one.md', 'two.md'])).toEqual({
    ...one,
    stdout: one.stdout + two.stdout,
  })
  expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining('package.json: adds a') })
  expect(disk.tree()).toEqual(before)
})

describe('what would come of a patch in the project', () => {
  async function world() {
    const made = journalWorld({ 'src/a.ts': 'one\n', 'src/long.ts': 'line()\n'.repeat(20), 'package.json': '{}\n' })
    await made.patch({ 'src/a.ts': 'two\n' })
    await made.patch({ 'src/b.ts': 'b\n' }, { config: { approval: 'no' }, answer: 'no' })
    const parsed = async (...args: Parameters<typeof respond>) => {
      made.disk.write('answer.md', respond(...args))
      const before = made.disk.tree()
      const { stdout } = await made.run(['parse', 'answer.md'])
      const { here } = JSON.parse((await made.run(['parse', 'answer.md', '--json'])).stdout)
      expect(made.disk.tree()).toEqual(before)
      const lines = stdout.trimEnd().split('\n')
      return {
        here,
        said: lines.slice(lines.findIndex(line => /^ {2}(write|delete) /.test(line)) + 1).join('\n'),
        first: lines[0],
      }
    }
    return { ...made, parsed }
  }

  it('tells that it had its turn, as apply does', async () => {
    const { parsed } = await world()
    const { here, said } = await parsed({ 'src/a.ts': 'two\n' }, { uuid: uuidOf(1) })
    expect(said).toMatchInlineSnapshot(`
      "○ skipped  already applied as #1 at 14:02 (same uuid, same content)
          Nothing was written. To apply it anyway: \`relay apply --again answer.md\`"
    `)
    expect(here).toEqual({
      ends: 'skipped',
      earlier: { number: 1, state: 'committed', since: expect.any(String) },
      problems: [],
      overlaps: [],
      flags: [],
    })
    expect((await parsed({ 'src/b.ts': 'b\n' }, { uuid: uuidOf(2) })).said).toContain('already declined as #2')
  })

  it('tells what is asked about before anything runs, and each doubt that only the disk tells', async () => {
    const { parsed } = await world()
    const { here, said, first } = await parsed(
      { 'package.json': '{ "a": 1 }\n', 'src/long.ts': 'short()\n' },
      { uuid: uuidOf(1) },
    )
    expect(first).toContain('3 flags')
    expect(said).toMatchInlineSnapshot(`
      "  write   src/long.ts   1 line
      ▲ shrink: src/long.ts: none of its 20 lines stays
      ▲ relay asks about these before anything runs:
          package.json: adds a
      ▲ same uuid as #1 (kept), different content (models repeat uuids). If you
          keep it, relay gives it a new one"
    `)
    expect(here).toMatchObject({
      ends: null,
      earlier: { number: 1 },
      flags: [{ flag: 'sensitive-path', path: 'package.json' }, { flag: 'shrink' }],
    })
  })

  it('tells that it changes nothing, or is refused', async () => {
    const { parsed } = await world()
    const { here, said } = await parsed({ 'src/a.ts': 'two\n' }, { uuid: uuidOf(3) })
    expect(said).toContain('○ unchanged  1 file already matches the answer')
    expect(here).toMatchObject({ ends: 'unchanged', earlier: null })
    const refused = await parsed({ 'src/a.ts/b.ts': 'x\n' }, { uuid: uuidOf(3) })
    expect(refused.said).toContain('✖ refused')
    expect(refused.here).toMatchObject({ ends: 'refused', problems: [{ path: 'src/a.ts/b.ts' }] })
  })

  it('is not told of what is no patch, nor where the text alone is asked about', async () => {
    const { run, disk, parsed } = await world()
    expect((await parsed({ '../a.ts': 'x\n' })).here).toBeNull()
    disk.write('answer.md', respond({ 'package.json': '{ "a": 1 }\n' }))
    const { stdout } = await run(['parse', 'answer.md', '--json', '--project-id', 'demo'])
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'patch', here: null })
  })
})
