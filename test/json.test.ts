import { readFileSync } from 'node:fs'
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { progressEvent } from '../src/report/json/event-json.ts'
import { journalWorld } from './support/journal-world.ts'
import { schemas } from './support/json-schemas.ts'
import { respond } from './support/respond.ts'

// `npx vitest run test/json.test.ts -u` makes docs/json.schema.json anew.

type Name = keyof typeof schemas

/** Holds one object to its promise, strictly. */
function hold(name: Name, json: string): Record<string, unknown> {
  const result = v.safeParse(schemas[name], JSON.parse(json))
  expect(result.issues?.map(issue => `${v.getDotPath(issue)}: ${issue.message}`) ?? []).toEqual([])
  return result.output as Record<string, unknown>
}

it('ships the schema of what it prints', async () => {
  const $defs = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $schema: _, ...definition } = toJsonSchema(schema as v.GenericSchema, { errorMode: 'ignore' })
      return [name, definition]
    }),
  )
  const shipped = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'json.schema.json',
    title: 'What relay prints for programs',
    description:
      'One definition for each command with --json; `event` is one line of `relay watch --json` or `relay ask --json`.',
    $defs,
  }
  // Who holds relay's output to it must not break when a new version adds a field: only the tests here are that strict.
  const text = JSON.stringify(shipped, (key, value) => (key === 'additionalProperties' ? undefined : value), 2)
  await expect(`${text}\n`).toMatchFileSnapshot('../docs/json.schema.json')
})

it('tells times in whole milliseconds', () => {
  expect(progressEvent({ kind: 'written', files: 1, ms: 16.03 })).toMatchObject({ ms: 16 })
})

it('prints in its documentation what it promises', () => {
  const docs = readFileSync(new URL('../docs/json.md', import.meta.url), 'utf8')
  const sections = docs.split(/^## /m).slice(1)
  const seen = new Set<string>()
  for (const section of sections) {
    const name = /^`relay (\w+)/.exec(section)?.[1]
    if (name === undefined || !(name in schemas)) continue
    for (const [, json] of section.matchAll(/```json\n([\s\S]*?)```/g)) {
      seen.add(name)
      hold(name as Name, json ?? '')
    }
  }
  for (const [, lines = ''] of docs.matchAll(/```jsonl\n([\s\S]*?)\n```/g)) {
    for (const line of lines.split('\n')) hold('event', line)
    seen.add('event')
  }
  // Each kind of event has its row.
  for (const { entries } of schemas.event.options) {
    expect(docs).toMatch(new RegExp(`^\\| .*\`${entries.event.literal}\``, 'm'))
  }
  expect([...seen].sort()).toEqual(Object.keys(schemas).sort())
})

/** A project in which everything has happened that a program could be told. */
async function world() {
  const made = journalWorld(
    { 'src/a.ts': 'one\ntwo\nthree\n', 'src/b.ts': 'b\n', raw: Uint8Array.of(0, 255) },
    { config: { linter: 'lint' }, commands: { lint: { output: 'src/a.ts(1,1): error TS1: bad\n', exit: 2 } } },
  )
  await made.patch(
    { 'src/a.ts': 'one\n2\n// ... rest of the code\n', 'src/new.ts': 'n\n', raw: null },
    { config: { linter: 'lint' } },
  )
  await made.patch(
    { 'src/b.ts': null },
    { config: { linter: 'no-such-linter' }, prose: 'Odd \u202e\u0000\u001b[31m \ud800 text.' },
  )
  await made.patch({ 'src/c.ts': 'c\n' }, { config: { approval: 'no' }, answer: 'no' })
  await made.patch({ 'src/b.ts': 'again\n' }, { uuid: '1b671a64-40d5-491e-99b0-da01ff1f3341' })
  await made.patch({ 'src/b.ts': 'else\n' }, { uuid: '1b671a64-40d5-491e-99b0-da01ff1f3341' })
  await made.run(['undo', '--yes', '--trust'])
  await made.run(['revert', '1', '--yes', '--trust'])
  return made
}

describe('what is printed for a program', () => {
  it.each<[Name, readonly string[]]>([
    ['log', ['--json']],
    ['log', ['--json', '--all']],
    ['log', ['--json', '--file', 'nowhere']],
    ['show', ['1', '--json']],
    ['show', ['2', '--json']],
    ['show', ['#6', '--json']],
    ['show', ['--json']],
    ['diff', ['1', '--json']],
    ['diff', ['2', '--json']],
    ['status', ['--json']],
    ['recover', ['--dry-run', '--json']],
    ['prune', ['--keep', '1', '--dry-run', '--json']],
    ['prune', ['--keep', '100', '--dry-run', '--json']],
  ])('keeps the promise: %s %j', async (name, args) => {
    const { run, disk } = await world()
    const before = disk.tree()
    const { code, stdout, stderr } = await run([name, ...args])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    hold(name, stdout)
    expect(stdout).toMatch(/^[\n\x20-\x7e\u00a0-\u1fff\u3000-\ud7ff]*$/)
    expect(disk.tree()).toEqual(before)
  })

  it('keeps the promise: doctor', async () => {
    const { run } = await world()
    const { stdout, stderr } = await run(['doctor', '--json', '--yes'])
    expect(stderr).toBe('')
    expect(hold('doctor', stdout)['findings']).not.toHaveLength(0)
  })

  it('keeps the promise: agents', async () => {
    const { run } = await world()
    const { stdout, stderr } = await run(['agents', '--json'])
    expect(stderr).toBe('')
    expect(hold('agents', stdout)['agents']).toHaveLength(6)
  })

  it.each([
    ['a patch', respond({ 'a.ts': 'x\n// ... rest\ncaf\ufffd\n', 'b.ts': null, 'package.json': '{}\n' })],
    ['one that is refused here', respond({ 'relaycode.config.json/a.ts': 'x\n' })],
    ['a refused one', respond({ '../a.ts': 'x\n' })],
    ['a damaged one', respond({ 'a.ts': 'x\n' }).replace('uuid:', 'uid:')],
    ["another project's", respond({ 'a.ts': 'x\n' }, { projectId: 'else' })],
    ['one without a control block', respond({ 'a.ts': 'x\n' }).replace(/```yaml[\s\S]*/, '')],
    ['nothing', 'Hello.\n'],
  ])('keeps the promise: parse, of %s', async (_name, stdin) => {
    const { stdout, code } = await journalWorld().run(['parse', '-', '--json'], { terminal: { stdin } })
    expect(code).toBe(0)
    hold('parse', stdout)
  })

  it('keeps the promise while something is unfinished', async () => {
    const { run, disk, patch } = await world()
    disk.crashInTransaction()
    await patch({ 'src/a.ts': 'five\n', 'src/z.ts': 'z\n' }).catch(() => undefined)
    disk.onCall = undefined
    disk.write('.relaycode/cccccccc-7d5e-4f5c-9a0e-2b9a5a6f3a11.pending.yml', 'no entry')
    const { stdout } = await run(['recover', '--dry-run', '--json'])
    expect(hold('recover', stdout)['unfinished']).toHaveLength(2)
    const { stdout: status } = await run(['status', '--json'])
    expect(hold('status', status)['unfinished']).toHaveLength(2)
    const { stdout: log, stderr } = await run(['log', '--json'])
    hold('log', log)
    expect(stderr).toContain('unfinished')
  })

  it.each([[['recover', '--json']], [['prune', '--keep', '1', '--json']]])('does nothing for %j alone', async args => {
    const { run, disk } = await world()
    const before = disk.tree()
    expect(await run(args)).toMatchObject({ code: 2, stdout: '' })
    expect(disk.tree()).toEqual(before)
  })
})
