import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { main } from '../../../src/main.ts'
import { around } from '../../support/around.ts'
import { FakeDisk } from '../../support/fake-disk.ts'
import { type FakeSystemOptions, fakeSystem } from '../../support/fake-system.ts'
import { journalWorld, uuidOf } from '../../support/journal-world.ts'
import { schemas } from '../../support/json-schemas.ts'
import { respond } from '../../support/respond.ts'

const lint = (lines: string) => ({ output: lines, exit: lines === '' ? 0 : 1 })
const bad = 'src/a.ts(1,1): error TS1: bad\n'

/** Watches, lets each text be copied, and answers every line that a program was told. */
async function told(
  copied: readonly string[],
  options: FakeSystemOptions = {},
  config: object = {},
  keys: readonly string[] = [],
) {
  const files = {
    'relaycode.config.json': JSON.stringify({ projectId: 'demo', ...config }),
    ...(options.disk === undefined ? { 'src/a.ts': 'one\n' } : {}),
    ...options.files,
  }
  const world = fakeSystem({ ...options, files })
  const end = main(['watch', '--json', '--trust'], around(world.system))
  await world.clock.someoneSleeps()
  const settled = async () => {
    for (let turn = 0, last = -1; turn < 10_000; turn++) {
      await new Promise(resolve => setImmediate(resolve))
      if (turn % 500 === 499 && last === world.terminal.stdout.length) return
      if (turn % 500 === 499) last = world.terminal.stdout.length
    }
  }
  for (const text of copied) {
    world.clipboard.text = text
    await world.clock.advance(2000)
    await settled()
  }
  for (const key of keys) {
    world.terminal.press(key)
    await settled()
  }
  world.interrupt()
  expect(await end).toBe(0)
  const lines = world.terminal.stdout.split('\n')
  expect(lines.pop()).toBe('')
  const events = lines.map(line => JSON.parse(line) as { event: string; [field: string]: unknown })
  for (const event of events) {
    const { issues } = v.safeParse(schemas.event, event)
    expect({ event, issues: issues?.map(issue => `${v.getDotPath(issue)}: ${issue.message}`) }).toEqual({
      event,
      issues: undefined,
    })
  }
  return { events, names: events.map(({ event }) => event), world }
}

describe('relay watch --json', () => {
  it('tells a program each step of what it does, a line each', async () => {
    const { names, events } = await told(
      [
        'Just a text.',
        respond({ 'src/a.ts': 'two\n', 'src/\u202eb.ts': 'b\n' }, { uuid: uuidOf(1) }),
        respond({ 'src/a.ts': 'two\n', 'src/b.ts': 'b\n' }, { uuid: uuidOf(1) }),
        respond({ 'src/a.ts': 'two\n', 'src/b.ts': 'b\n' }, { uuid: uuidOf(1), projectId: 'else' }),
      ],
      { commands: { lint: lint(bad), format: {} } },
      { linter: 'lint', postCommand: 'format' },
    )
    expect(names).toEqual([
      'watching',
      ...['detected', 'refused'],
      ...['detected', 'begun', 'step', 'checked', 'step', 'written', 'step', 'command', 'step', 'checked', 'kept'],
      'ignored',
      'stopped',
    ])
    expect(events.find(({ event }) => event === 'kept')).toEqual({
      event: 'kept',
      at: expect.stringMatching(/^2026-11-20T/),
      number: 1,
      uuid: uuidOf(1),
      by: 'auto',
      files: 2,
      checked: true,
      ranNoTest: false,
      newErrors: 0,
      rescued: [],
      kept: [],
      commit: null,
      ms: expect.any(Number),
    })
  })

  it('tells why it asked, and that nobody answered', async () => {
    const { names, events } = await told(
      [respond({ 'src/a.ts': 'two\n' }, { uuid: uuidOf(1) }), respond({ 'src/a.ts': 'two\n' }, { uuid: uuidOf(1) })],
      { commands: { lint: [lint(''), lint(bad), lint('')] } },
      { linter: 'lint' },
    )
    expect(names.slice(-4)).toEqual(['asked', 'answered', 'rolled-back', 'stopped'])
    expect(events.slice(-4, -1)).toMatchObject([
      { question: 'gate', number: 1, reasons: [{ kind: 'new-errors', text: '1 new error (0 allowed)' }] },
      { answer: 'unasked' },
      { reason: 'unasked', restored: ['src/a.ts'], reasons: [{ kind: 'new-errors' }] },
    ])
    const checked = events.findLast(({ event }) => event === 'checked')
    expect(checked).toMatchObject({
      step: 'lint',
      new: 1,
      newErrors: [{ file: 'src/a.ts', line: 1, code: 'TS1', message: 'bad' }],
    })
  })

  it('leaves the screen and its questions to the person at the terminal', async () => {
    const { names, world } = await told(
      [respond({ 'src/a.ts': 'two\n' }, { uuid: uuidOf(1) })],
      { answers: ['n'], terminal: { live: true } },
      { approval: 'no' },
    )
    expect(names.slice(-4)).toEqual(['asked', 'answered', 'rolled-back', 'stopped'])
    expect(world.terminal.stderr).toContain('declined #1')
  })

  it('tells of a clipboard that fails, and of what could not be handled', async () => {
    const { names } = await told(
      [respond({ 'src/a.ts': 'two\n' }, { uuid: uuidOf(1) }).replace(/```yaml[\s\S]*/, '')],
      { clipboard: respond({ 'src/a.ts': 'offered\n' }, { uuid: uuidOf(2) }) },
    )
    expect(names).toEqual(['detected', 'watching', 'asked', 'answered', 'detected', 'ignored', 'stopped'])
  })

  it('offers nothing that had its turn before it began, however its paths are spelled, or that can have none', async () => {
    const answer = respond({ './src/x/../a.ts': 'two\n' }, { uuid: uuidOf(1) })
    const { names, world } = await told([answer])
    expect(names.slice(-2)).toEqual(['kept', 'stopped'])
    const { disk } = world
    const later = (clipboard: string) => told(['Just a text.'], { disk, clipboard })
    expect((await later(answer)).names).toEqual(['detected', 'watching', 'skipped', 'stopped'])
    const outside = respond({ '../a.ts': 'two\n' }, { uuid: uuidOf(2) })
    expect((await later(outside)).names).toEqual(['detected', 'watching', 'refused', 'stopped'])
  })

  it('tells of each answer to another project, of which the screen names the first', async () => {
    const elsewhere = (n: number) => respond({ 'src/a.ts': 'two\n' }, { uuid: uuidOf(n), projectId: 'else' })
    const { names, world } = await told([elsewhere(1), elsewhere(2), elsewhere(1)])
    expect(names).toEqual(['watching', 'ignored', 'ignored', 'stopped'])
    expect(world.terminal.stderr.match(/an answer for "else"/g)).toHaveLength(1)
  })

  it('tells what the keys of a watcher that waits do, and nothing else on stdout', async () => {
    const { names, events } = await told(
      [respond({ 'src/a.ts': 'two\n' }, { uuid: uuidOf(1) })],
      { answers: ['y'] },
      {},
      ['?', 'l', 'p', 'p', 'u', 'u'],
    )
    const steps = ['paused', 'paused', 'begun', 'checked', 'step', 'written', 'checked', 'kept', 'stopped']
    expect(names.slice(-steps.length)).toEqual(steps)
    expect(events.filter(({ event }) => event === 'paused').map(({ paused }) => paused)).toEqual([true, false])
    expect(events.findLast(({ event }) => event === 'begun')).toMatchObject({
      number: 2,
      title: 'Undo #1 I changed what you asked for',
    })
  })

  it('tells first what it recovered', async () => {
    const disk = new FakeDisk()
    const { patch } = journalWorld({ 'src/a.ts': 'one\n' }, { disk })
    disk.crashInTransaction()
    await patch({ 'src/a.ts': 'five\n' }).catch(() => undefined)
    disk.onCall = undefined
    const { names } = await told([], { disk })
    expect(names).toEqual(['recovered', 'watching', 'stopped'])
  })
})
