import { describe, expect, it } from 'vitest'
import { openRunFolder } from '../../src/agents/run/run-folder.ts'
import { main } from '../../src/main.ts'
import { around } from '../support/around.ts'
import { diskError } from '../support/fake-disk.ts'
import { fakeTalk } from '../support/fake-project.ts'
import { fakeSystem } from '../support/fake-system.ts'
import { journalWorld } from '../support/journal-world.ts'
import { respond } from '../support/respond.ts'
import { take } from '../support/take.ts'

const history = '.relaycode/history.jsonl'

/** A project with three kept patches of one file. */
async function threeKept() {
  const world = journalWorld({ a: '0\n' })
  for (const number of [1, 2, 3]) await world.patch({ a: `${number}\n` })
  return world
}

describe('relay recover', () => {
  it('adds a kept transaction to the history that has lost its line', async () => {
    const { disk, run } = await threeKept()
    const whole = disk.readText(history)
    disk.write(history, whole.replace(/.*"number":3.*\n/, ''))

    const doctor = await run(['doctor'])
    expect(doctor.stdout).toContain('▲ state       not in the history: 1 kept change (#3)\n')
    expect((await run(['recover', '--dry-run'])).stderr).toMatchInlineSnapshot(`
      "Nothing is unfinished.
      Not in the history: 1 kept change (#3). \`relay recover\` puts them back.
      "
    `)
    expect(await run(['recover'])).toMatchObject({
      code: 0,
      stderr: 'Nothing is unfinished.\nPut back into the history: 1 kept change (#3).\n',
    })
    expect(disk.readText(history)).toBe(whole)
    expect((await run(['recover'])).stderr).toBe('Nothing is unfinished.\n')
    expect((await run(['doctor'])).stdout).not.toContain('history')
  })
})

describe('relay recover of a history that is gone', () => {
  it('names its transactions in the order of their numbers', async () => {
    const { disk, run, patch } = journalWorld({ a: '0\n' })
    const entry = '.relaycode/a0000000-0000-4000-8000-000000000000.yml'
    await patch({ a: '1\n' }, { uuid: 'a0000000-0000-4000-8000-000000000000' })
    await patch({ a: '2\n' })
    const text = disk.readText(entry)
    disk.remove(entry)
    disk.write(entry, text)
    disk.remove(history)
    expect((await run(['recover', '--dry-run'])).stderr).toContain('2 kept changes (#1, #2)')
  })
})

describe('relay recover, where init or doctor was killed', () => {
  it('removes what they had written for a moment, and nothing else', async () => {
    const { disk, run } = journalWorld({ a: '0\n' })
    const name = '01234567-89ab-4cde-8f01-23456789abcd.tmp'
    for (const probe of [`init-${name}`, `doctor-${name}`, `mine-${name}`]) disk.write(`.relaycode/${probe}`, 'x')
    expect((await run(['recover'])).code).toBe(0)
    const left = Object.keys(disk.text({ journal: true })).filter(path => path.endsWith('.tmp'))
    expect(left).toEqual([`.relaycode/mine-${name}`])
  })

  it('ends well where one of their names is a folder, as a cloned project may hold it', async () => {
    const { disk, run } = journalWorld({ a: '0\n' })
    const path = '.relaycode/init-01234567-89ab-4cde-8f01-23456789abcd.tmp'
    disk.folder(path)
    expect((await run(['recover'])).code).toBe(0)
    expect(disk.exists(path)).toBe(true)
  })
})

describe('relay recover --dry-run', () => {
  /** Killed while it asked, with a file that was edited then. */
  async function editedSince() {
    const world = journalWorld({ a: '0\n' })
    const { system, kill } = fakeSystem({ disk: world.disk })
    const killing = fakeTalk([
      () => {
        kill()
        return 'yes'
      },
    ])
    await take(system, { a: '1\n' }, { approval: 'no' }, killing).catch(() => undefined)
    world.disk.write('a', 'mine\n')
    return world
  }

  it('ends with 7 where an edit needs the user, and nobody can be asked', async () => {
    const { run } = await editedSince()
    const shown = await run(['recover', '--dry-run'])
    expect(shown.stderr).toContain('a: edited since')
    expect(shown.code).toBe(7)
    expect((await run(['recover', '--dry-run', '--json'])).code).toBe(7)
    expect((await run(['recover'])).code).toBe(5)
    expect((await run(['recover', '--dry-run'])).code).toBe(0)
  })

  it('ends with 0 where the recovery could ask about it', async () => {
    const { run } = await editedSince()
    expect((await run(['recover', '--dry-run'], { answers: [] })).code).toBe(0)
    expect((await run(['recover'], { answers: ['n'] })).code).toBe(0)
  })
})

describe('a damaged history', () => {
  it.each<[string, (whole: string) => string]>([
    ['empty', () => ''],
    ['garbage', () => 'garbage\n'],
    ['full of NUL', whole => '\0'.repeat(whole.length)],
    ['with NUL at its end', whole => whole.slice(0, -80) + '\0'.repeat(80)],
  ])('hides no kept patch, and gives no number twice: %s', async (_name, damaged) => {
    const { disk, run, patch } = await threeKept()
    const log = (await run(['log'])).stdout
    disk.write(history, damaged(disk.readText(history)))
    expect((await run(['log'])).stdout).toBe(log)
    await patch({ a: '4\n' })
    const numbers = (await run(['log', '--json'])).stdout.match(/(?<="number": )\d+/g)
    expect(numbers).toEqual(['4', '3', '2', '1'])
    expect((await run(['undo', '--yes'])).code).toBe(0)
    expect(disk.readText('a')).toBe('3\n')
  })
})

describe('a patch that was left open and is kept on a disk that fails', () => {
  it.each([
    [['recover'], 'EIO', 8],
    [['apply', 'next.md'], 'EIO', 8],
    [['recover'], 'EISDIR', 1],
  ])('is taken back, which ends %j with %s', async (args, error, code) => {
    const next = respond({ b: 'b\n' }, { uuid: '00000000-0000-4000-8000-000000000002' })
    const files = { a: '0\n', 'first.md': respond({ a: '1\n' }), 'next.md': next }
    const { disk, run } = journalWorld(files, { config: { approval: 'no' } })
    expect((await run(['apply', 'first.md'], { answers: ['q'] })).code).toBe(7)
    disk.onCall = (name, path) => {
      if (name !== 'create' || !path.endsWith('/draft')) return
      disk.onCall = undefined
      throw diskError(error)
    }
    const ended = await run(args, { answers: ['y', 'y'] })
    expect(ended.stderr).toContain('↩ rolled back #1')
    expect(ended.stderr).toContain('Error: relay did nothing else: #1 was rolled back because of an error\n')
    expect(ended.code).toBe(code)
    expect(disk.text({ journal: false })).toMatchObject({ a: '0\n' })
    expect(disk.exists('b')).toBe(false)
  })
})

describe('relay recover, where relay was killed while an agent worked', () => {
  it.each([
    ['a project', { 'relaycode.config.json': '{"projectId":"demo"}' }],
    ['a folder without a configuration', { 'a.txt': '' }],
  ])('names the agent in a dry run, and ends it, in %s', async (name, files) => {
    const killed = fakeSystem({ files })
    const { disk, shell } = killed
    const agent = { ...shell.mark, pid: 4121 }
    disk.processes.set(agent.pid, agent)
    const run = await openRunFolder({}, killed.system)
    await run.note(agent, 'X=1', { agent: 'codex', cwd: '/project', title: 'Is it safe?' })
    disk.processes.delete(shell.mark.pid)
    const recover = async (...args: readonly string[]) => {
      const { system, terminal } = fakeSystem({ disk })
      return { code: await main(['recover', ...args], around(system)), ...terminal }
    }
    const left = 'codex: relay is gone, its agent (pid 4121) still runs: `relay recover` ends it'
    if (name === 'a project') expect((await recover('--dry-run')).stderr.replaceAll(/\n +/g, ' ')).toContain(left)
    expect(await recover()).toMatchObject({ code: 0, stderr: 'Ended 1 agent that kept running after relay stopped.\n' })
    expect(disk.processes.has(agent.pid)).toBe(false)
  })
})
