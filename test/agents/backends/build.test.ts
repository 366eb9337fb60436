import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { claude } from '../../../src/agents/backends/claude.ts'
import { backends } from '../../../src/agents/backends/table.ts'
import type { AgentRequest } from '../../../src/model/agent.ts'

const folder = new URL('../../fixtures/agents/', import.meta.url)

const request: AgentRequest = {
  prompt: 'Please work on the README of this project.',
  sandbox: 'read-only',
  model: undefined,
  cwd: '$PROJECT',
  allow: [],
}

describe('how an agent is started', () => {
  it.each([
    ['claude/text.read-only', {}],
    ['claude/text.text', { textOnly: true }],
    ['claude/shell-test.scoped', { sandbox: 'workspace-write', allow: ['npm test'] }],
    ['claude/write.full', { sandbox: 'danger-full-access' }],
    ['codex/text.read-only', {}],
    ['codex/unknown-model.read-only', { model: 'some-unknown-model' }],
    ['codex/text.text', { textOnly: true }],
    ['codex/write.workspace-write', { sandbox: 'workspace-write' }],
    ['codex/shell-commit.full', { sandbox: 'danger-full-access' }],
    ['gemini/text.read-only', { model: 'gemini-2.5-pro' }],
    ['gemini/text.policy-deny', { model: 'gemini-2.5-pro', textOnly: true }],
    ['gemini/write.workspace-write', { model: 'gemini-2.5-pro', sandbox: 'workspace-write' }],
    ['gemini/shell-test.policy', { model: 'gemini-2.5-pro', sandbox: 'workspace-write', allow: ['npm test'] }],
    ['gemini/shell-commit.full', { model: 'gemini-2.5-pro', sandbox: 'danger-full-access' }],
    ['opencode/text.read-only', {}],
    ['opencode/write.text', { textOnly: true }],
    ['opencode/shell-test.workspace-write', { sandbox: 'workspace-write', allow: ['npm test'] }],
    ['opencode/write-outside.full', { sandbox: 'danger-full-access' }],
    ['copilot/text.read-only', {}],
    ['copilot/text.text', { textOnly: true }],
    ['copilot/shell-test.workspace-write', { sandbox: 'workspace-write', allow: ['npm test'] }],
    ['copilot/shell-commit.full', { sandbox: 'danger-full-access' }],
  ] as const)('is as in %s, the prompt through stdin', (name, asked) => {
    const start = build(name.split('/')[0], asked)
    const recorded = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as { argv: string[] }
    expect(start.argv.slice(1)).toEqual(asRelayHasIt(recorded.argv))
    expect(start.argv.join(' ')).not.toContain(request.prompt)
    expect(start.stdin).toBe(request.prompt)
  })

  it('lets claude talk with the user, and write in one folder unasked', () => {
    const request = { rules: 'Plan.', opening: 'Begin.', model: 'opus', writes: 'RAF/abcdef-x' }
    expect(claude.converse?.(request)).toEqual({
      argv: [
        ...['claude', '--model', 'opus', '--append-system-prompt', 'Plan.', '--allowedTools'],
        ...['Read,Grep,Glob,Edit(./RAF/abcdef-x/**),Write(./RAF/abcdef-x/**)', '--', 'Begin.'],
      ],
      env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1' },
    })
    // Such a name would let more through than is meant.
    const folder = 'RAF/abcdef-x/**),Bash(rm -rf *'
    expect(claude.converse?.({ ...request, writes: folder }).argv).toContain('Read,Grep,Glob')
  })

  it('passes a model on', () => {
    expect(build('claude', { model: 'opus' }).argv).toEqual(expect.arrayContaining(['--model', 'opus']))
  })

  it('lets gemini run what a policy lists, and nothing else', () => {
    const { files } = build('gemini', { sandbox: 'workspace-write', allow: ['npm test', 'echo "a"', ' '] })
    expect(files).toEqual({
      'policy.toml': `[[rule]]
toolName = "run_shell_command"
commandPrefix = "npm test"
decision = "allow"
priority = 500

[[rule]]
toolName = "run_shell_command"
commandPrefix = "echo \\"a\\""
decision = "allow"
priority = 500
`,
    })
  })

  it('takes every tool from gemini for a text', () => {
    expect(build('gemini', { textOnly: true }).files).toEqual({
      'policy.toml': '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n',
    })
  })

  it.each(['x),Bash(rm', 'npm test, Bash', 'rm *', '', ' ', 'a\nb'])(
    'never lets claude run more by allowing %j',
    command => {
      const { argv } = build('claude', { sandbox: 'workspace-write', allow: [command, 'npm test'] })
      expect(argv.at(-1)).toBe('Read,Grep,Glob,Edit(./**),Write(./**),Bash(npm test)')
    },
  )
})

describe('what an agent may do, told beside its words', () => {
  it.each([
    ['opencode/text.read-only', {}],
    ['opencode/write.text', { textOnly: true }],
    ['opencode/shell-test.workspace-write', { sandbox: 'workspace-write', allow: ['npm test', 'npm *', 'a?', ' '] }],
  ] as const)('is as in %s', (name, asked) => {
    const recorded = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Recorded
    const { permission } = JSON.parse(recorded.env['OPENCODE_CONFIG_CONTENT'] ?? '') as { permission: object }
    const { env } = build('opencode', asked)
    expect(env['OPENCODE_CONFIG_CONTENT']).toBe(JSON.stringify({ permission }))
  })

  it('is left to opencode where it may do all', () => {
    const { env } = build('opencode', { sandbox: 'danger-full-access' })
    expect(env).toEqual({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' })
  })

  it.each(['x),write', 'a, shell(rm', 'rm:*', '', ' ', 'a\nb'])('lets copilot run no more by allowing %j', command => {
    const { argv } = build('copilot', { sandbox: 'workspace-write', allow: [command, 'npm run test:run'] })
    expect(argv.slice(-4)).toEqual(['--allow-tool', 'write', '--allow-tool', 'shell(npm run test:run)'])
  })

  it('takes the model of copilot from its environment', () => {
    expect(build('copilot', { model: 'fake-model' }).env).toEqual({ COPILOT_MODEL: 'fake-model' })
    expect(build('opencode', { model: 'a/b' }).argv.slice(-2)).toEqual(['-m', 'a/b'])
  })
})

interface Recorded {
  readonly env: Readonly<Record<string, string>>
}

function build(name: string | undefined, asked: Partial<AgentRequest>) {
  const backend = backends.find(each => each.name === name)
  if (backend === undefined) throw new Error(`no agent ${name}`)
  return backend.build({ ...request, ...asked })
}

/** The answer is read from the events, not from a file; a policy lies in a folder of relay's. */
function asRelayHasIt(argv: readonly string[]): readonly string[] {
  const answerFile = argv.indexOf('$TMP/last-message.txt')
  return argv
    .filter((_, at) => answerFile === -1 || (at !== answerFile && at !== answerFile - 1))
    .map(word => word.replace(/^\$LAB\/.*/, '{folder}/policy.toml'))
}
