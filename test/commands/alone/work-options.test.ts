import { describe, expect, it } from 'vitest'
import { showDryRun } from '../../../src/commands/alone/dry-run.ts'
import { readWork, type WorkCommandOptions } from '../../../src/commands/alone/work-options.ts'
import { plainProject } from '../../../src/project/plain-project.ts'
import { fakeConfig, fakeProject } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'

/** Reads the options on a machine with these programs. */
function read(options: WorkCommandOptions, config: Parameters<typeof fakeProject>[0] = {}, installed = ['claude']) {
  const world = fakeSystem({ files: { 'a.js': '1\n' }, env: { PATH: '/usr/bin' } })
  for (const name of installed) world.shell.programs.set(name, `/usr/bin/${name}`)
  return readWork(options, fakeProject(config), 'claude', world.system)
}

describe('the options of commands that have agents work', () => {
  it('are those of the configuration where nothing else is said', async () => {
    const { work, project } = await read({}, { attempts: 2, turnTimeout: 1.5, allow: ['make test'], linter: 'lint' })
    expect(work).toMatchObject({ sandbox: 'workspace-write', model: undefined, depth: 1, backend: { name: 'claude' } })
    expect(work.limits).toEqual({
      ...{ attempts: 2, timeout: 90, silence: 600, grace: 5, wait: 18_000 },
      ...{ time: undefined, cost: undefined, tokens: undefined },
    })
    expect(work.allow).toEqual(expect.arrayContaining(['npm test', 'lint', 'make test']))
    expect(project.config.approval).toBe('yes')
  })

  it('take times in minutes, and amounts as people write them', async () => {
    const options = { timeout: '5', maxTime: '1h', wait: '0', attempts: '1', maxCost: '$2.50', maxTokens: '200k' }
    expect((await read({ ...options, model: 'opus' })).work).toMatchObject({
      model: 'opus',
      limits: { attempts: 1, timeout: 300, time: 3600, wait: 0, cost: 2.5, tokens: 200_000 },
    })
  })

  it('have everything asked about with --review', async () => {
    await expect(read({ review: true })).rejects.toMatchObject({ kind: 'declined' })
    expect((await read({ review: true, yes: true })).project.config.approval).toBe('no')
  })

  it.each<[string, WorkCommandOptions, string, RegExp]>([
    ['an agent that there is not', { agent: 'nope' }, 'usage', /Unsupported relay backend: nope/],
    ['an agent that is not here', { agent: 'codex' }, 'environment', /codex CLI not found/],
    ['a sandbox that brings nothing home', { sandbox: 'read-only' }, 'usage', /brings nothing home/],
    ['a sandbox that the agent cannot give', { agent: 'amp' }, 'usage', /Invalid sandbox mode: workspace-write/],
    [
      'a limit that the agent does not tell of',
      { agent: 'codex', maxCost: '1' },
      'usage',
      /codex does not tell its cost/,
    ],
    ['no attempt', { attempts: '0' }, 'usage', /--attempts takes a whole number/],
    ['no time', { timeout: '0' }, 'usage', /--timeout takes a time above zero/],
    ['a time that is none', { maxTime: 'soon' }, 'usage', /--max-time takes a time/],
    ['tokens that are none', { maxTokens: 'many' }, 'usage', /--max-tokens takes a number/],
  ])('refuse %s', async (_, options, kind, message) => {
    const installed = ['claude', 'amp', ...(options.maxCost === undefined ? [] : ['codex'])]
    await expect(read(options, {}, installed)).rejects.toMatchObject({ kind, message: expect.stringMatching(message) })
  })

  it('are shown by a dry run, with the tasks and how the agent would be started', async () => {
    const { work } = await read({})
    const { terminal } = fakeSystem()
    const tasks = [
      { id: '01', title: 'Check input', bytes: 1234 },
      { id: '02', title: 'Say what is wrong', bytes: 99 },
    ]
    showDryRun('RAF/abcdef-login', tasks, work, { terminal })
    expect(terminal.stdout).toMatch(
      /^. RAF\/abcdef-login: at most 2 tasks x 3 attempts x 1 h, with claude\n {2}\(workspace-write: rules\)\n {2}01 Check input \(envelope: 1\.2 kB\)\n {2}02 Say what is wrong \(envelope: 99 bytes\)\n {2}starts {2}\/usr\/bin\/claude /,
    )
    expect(terminal.stdout).toMatch(/Nothing was run: this is a dry run\.\n$/)
  })
})

it('has a project without a configuration run nothing', () => {
  const { config } = plainProject('/project', 'demo', {})
  expect(config).toEqual({ ...fakeConfig(), projectId: 'demo' })
})
