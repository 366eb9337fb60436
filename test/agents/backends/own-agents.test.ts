import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { agentsOf } from '../../../src/agents/backends/own-agents.ts'
import { backends } from '../../../src/agents/backends/table.ts'
import { type AgentEvent, type AgentRequest, agentNames, type OwnAgent } from '../../../src/model/agent.ts'

const now = new Date('2026-11-26T12:00:00Z')

const request: AgentRequest = {
  prompt: 'Look at this.',
  sandbox: 'read-only',
  model: undefined,
  cwd: '/project',
  allow: [],
}

function own(agent: OwnAgent) {
  const found = agentsOf({ agents: { mine: agent } }).at(-1)
  if (found?.name !== 'mine') throw new Error('it is not there')
  return found
}

function known(name: string) {
  const found = backends.find(backend => backend.name === name)
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}

describe('the agents that can be asked', () => {
  it('are those that relay knows, by the names that no other may have', () => {
    expect(agentsOf(undefined)).toEqual(backends)
    expect(backends.map(({ name }) => name)).toEqual(agentNames)
  })

  it('go by files that lie in a project', () => {
    const wrong = backends.filter(({ projectFiles }) => {
      return projectFiles.length === 0 || projectFiles.some(path => /^\/|\/$|\.\.|[*\\]/.test(path))
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
  })

  it('are then the project’s own, in the order of its configuration', () => {
    const agents = { local: { command: 'llm' }, mine: { like: 'claude', command: 'npx mine' } } as const
    expect(agentsOf({ agents }).map(({ name }) => name)).toEqual([...agentNames, 'local', 'mine'])
  })
})

describe('an agent that is a command', () => {
  const local = own({ command: 'llm -m x' })

  it('gets the prompt through stdin, in an empty folder', () => {
    expect(local.build({ ...request, model: 'y', allow: ['npm test'] })).toEqual({
      argv: ['/bin/sh', '-c', 'llm -m x "$@"', 'sh'],
      env: {},
      stdin: 'Look at this.',
      inEmptyFolder: true,
    })
  })

  it('is only ever asked to read', () => {
    const { sandboxes, own } = local
    expect({ own, sandboxes }).toEqual({
      own: true,
      sandboxes: { 'read-only': 'rules', 'workspace-write': 'none', 'danger-full-access': 'none' },
    })
  })

  it('is run by no question for its version, and goes by no file of a project', () => {
    expect([local.program, local.versionArgs, local.projectFiles]).toEqual(['/bin/sh', [], []])
  })

  it.each<[string, string, number | null, string, [status: string, text: string, why: string]]>([
    ['text and 0', 'a\n\n  b\r', 0, '', ['ok', 'a\n\n  b\r\n', '']],
    ['text, 0 and noise', 'a', 0, 'warning', ['ok', 'a\n', '']],
    ['what looks like an event', '{"type":"result"}', 0, '', ['ok', '{"type":"result"}\n', '']],
    ['nothing and 0', '', 0, '', ['no-output', '\n', 'it ended without an answer']],
    ['text and another code', 'a', 2, 'Noise.\nIt broke.\n', ['failed', 'a\n', 'It broke.']],
    ['a code alone', '', 2, '', ['failed', '\n', 'it ended with exit code 2']],
    ['text and a signal', 'a', null, '', ['failed', 'a\n', 'it was ended before it was done']],
    ['no program', '', 127, 'sh: 1: llm: not found', ['missing', '\n', 'sh: 1: llm: not found']],
  ])('is judged by its exit code and its text: %s', (_, stdout, code, stderr, expected) => {
    const events: readonly AgentEvent[] = [
      ...stdout.split('\n').flatMap(line => local.read(line, 'out', now)),
      ...stderr.split('\n').flatMap(line => local.read(line, 'err', now)),
    ]
    const { status, text, why } = local.end({ events, code, stderr })
    expect([status, text, why]).toEqual(expected)
  })
})

describe('an agent that is like a known one', () => {
  it.each(agentNames)('gets the words of %s behind its command, and then its own', name => {
    const mine = own({ like: name, command: ' npx my-agent\n', args: ['--effort', 'high'] })
    const start = known(name).build(request)
    expect(mine.build(request)).toEqual({
      ...start,
      argv: ['/bin/sh', '-c', 'npx my-agent "$@"', 'sh', ...start.argv.slice(1), '--effort', 'high'],
    })
  })

  it('gets each word as it is', () => {
    const mine = own({ like: 'claude', command: 'printf "<%s>" a', args: ['b c', '$HOME', '"'] })
    const { argv } = mine.build({ ...request, textOnly: true })
    const [program = '', ...words] = argv
    const printed = execFileSync(program, words, { encoding: 'utf8' })
    const known =
      '<-p><--output-format><stream-json><--verbose><--no-session-persistence>' +
      '<--setting-sources><><--strict-mcp-config><--disable-slash-commands>'
    expect(printed).toBe(`<a>${known}<--tools><><b c><$HOME><">`)
  })

  it.each([
    [undefined, undefined, []],
    ['opus', undefined, ['--model', 'opus']],
    ['opus', 'haiku', ['--model', 'haiku']],
    [undefined, 'haiku', ['--model', 'haiku']],
  ])('has the model %s, unless the request names one: %s', (model, asked, expected) => {
    const { argv } = own({ like: 'claude', command: 'x', model }).build({ ...request, model: asked })
    const at = argv.indexOf('--model')
    expect(at === -1 ? [] : argv.slice(at, at + 2)).toEqual(expected)
  })

  it.each([
    ['claude', 'rules', 'rules', 'rules'],
    ['codex', 'rules', 'rules', 'rules'],
    ['amp', 'rules', 'none', 'rules'],
  ] as const)('is kept to what %s is, as far as the program itself does it', (like, ...expected) => {
    expect(Object.values(own({ like, command: 'x' }).sandboxes)).toEqual(expected)
  })

  it('is read and judged as that one is', () => {
    const { read, end } = own({ like: 'gemini', command: 'x' })
    const events = read('{"type":"message","role":"assistant","content":"Hi."}', 'out', now)
    expect(events).toEqual([{ kind: 'text', text: 'Hi.' }])
    expect(end({ events, code: 41, stderr: '' })).toMatchObject({ status: 'auth' })
    expect(end({ events: [], code: 127, stderr: 'sh: 1: x: not found\n' })).toMatchObject({
      status: 'missing',
      why: 'sh: 1: x: not found',
    })
  })

  it('goes by the files of a project that one goes by', () => {
    expect(own({ like: 'codex', command: 'x' }).projectFiles).toEqual(['.codex'])
  })

  it('is untried where that one is', () => {
    expect([own({ like: 'amp', command: 'x' }).untried, own({ like: 'claude', command: 'x' }).untried]).toEqual([
      true,
      undefined,
    ])
  })
})
