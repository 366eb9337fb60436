import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { amp } from '../../../src/agents/backends/amp.ts'
import type { AgentEnd, AgentEvent, AgentRequest } from '../../../src/model/agent.ts'

const now = new Date('2026-11-26T12:00:00Z')

const folder = new URL('../../fixtures/agents/amp/', import.meta.url)

const request: AgentRequest = {
  prompt: 'Look at this.',
  sandbox: 'read-only',
  model: undefined,
  cwd: '/project',
  allow: [],
}

/** Nobody drove it: its start is held to its help, its lines to those of the agent that it says it speaks like. */
describe('amp', () => {
  it('is said to be untried, and refuses the sandbox that it cannot give', () => {
    expect([amp.untried, amp.sandboxes['workspace-write']]).toEqual([true, 'none'])
  })

  it('gets the prompt through stdin, and its rules in a file', () => {
    const start = amp.build({ ...request, model: 'high' })
    expect({ ...start, files: settingsOf(start) }).toEqual({
      argv: ['amp', '-x', '--stream-json', '--settings-file', '{folder}/settings.json', '-m', 'high'],
      env: {},
      stdin: 'Look at this.',
      files: {
        'amp.tools.enable': ['Read', 'Grep', 'glob'],
        'amp.permissions': [
          { tool: 'Read', action: 'allow' },
          { tool: 'Grep', action: 'allow' },
          { tool: 'glob', action: 'allow' },
          { tool: '*', action: 'reject' },
        ],
      },
    })
  })

  it.each([
    [{ textOnly: true }, { 'amp.tools.enable': ['none'], 'amp.permissions': [{ tool: '*', action: 'reject' }] }],
    [{ sandbox: 'danger-full-access' }, { 'amp.dangerouslyAllowAll': true }],
  ] as const)('may do for %j what these settings say', (asked, settings) => {
    expect(settingsOf(amp.build({ ...request, ...asked }))).toEqual(settings)
  })

  it('uses words alone that its help has', () => {
    const help = readFileSync(new URL('help.txt', folder), 'utf8')
    const starts = (['read-only', 'danger-full-access'] as const).map(sandbox =>
      amp.build({ ...request, sandbox, model: 'high' }),
    )
    const flags = starts.flatMap(({ argv }) => argv.filter(word => word.startsWith('-')))
    const words = [...flags, ...starts.flatMap(start => Object.keys(settingsOf(start))), ...amp.login.variables]
    expect(words.filter(word => !help.includes(word))).toEqual([])
  })

  it('ends at the first sign where it waits for a login', () => {
    const stdout = readFileSync(new URL('no-key.full.stdout.txt', folder), 'utf8')
    const events = stdout.split('\n').flatMap(line => amp.read(line, 'out', now))
    expect(events).toEqual([{ kind: 'retry', why: 'no API key found', isLogin: true }])
    expect(amp.end({ events, code: null, stderr: '' })).toMatchObject({ status: 'auth' })
  })

  it('says what its server said', () => {
    const stderr = readFileSync(new URL('text.full.stderr.txt', folder), 'utf8')
    const events = stderr.split('\n').flatMap(line => amp.read(line, 'err', now))
    expect(amp.end({ events, code: 1, stderr })).toEqual({
      ...{ status: 'failed', text: '', usage: {}, sessionId: undefined, resetsAt: undefined },
      why: 'Error: API request for getUserInfo failed: 404',
    })
  })

  it('reads lines like those of Claude Code', () => {
    const content = [
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', name: 'Read', input: { path: 'a.js' } },
      null,
      7,
    ]
    const { events, end } = run([
      { type: 'system', subtype: 'init', session_id: 'T-1' },
      { type: 'user', message: { content: [{ type: 'text', text: '<promise>COMPLETE</promise>' }] } },
      { type: 'assistant', message: { content } },
      { type: 'assistant', parent_tool_use_id: 't', message: { content: [{ type: 'text', text: 'helper' }] } },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'Done.' }] } },
      { type: 'result', subtype: 'success', is_error: false, result: 'Done.' },
    ])
    expect(events).toEqual([
      { kind: 'session', id: 'T-1' },
      { kind: 'text', text: 'Reading.', whole: true },
      { kind: 'tool', name: 'Read', path: 'a.js' },
      { kind: 'text', text: 'Done.', whole: true },
      { kind: 'text', text: 'Done.', whole: true },
      { kind: 'end' },
    ])
    expect(end).toEqual({ status: 'ok', text: 'Done.', usage: {}, sessionId: 'T-1', resetsAt: undefined, why: '' })
  })

  it('believes no result that is an error', () => {
    expect(run([{ type: 'result', is_error: true, error: 'Out of credits.' }]).end).toMatchObject({
      status: 'failed',
      why: 'Out of credits.',
    })
  })
})

function settingsOf({ files }: ReturnType<typeof amp.build>): object {
  return JSON.parse(files?.['settings.json'] ?? '') as object
}

function run(lines: readonly object[]): { readonly events: readonly AgentEvent[]; readonly end: AgentEnd } {
  const events = lines.flatMap(line => amp.read(JSON.stringify(line), 'out', now))
  return { events, end: amp.end({ events, code: 0, stderr: '' }) }
}
