import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { describe, expect, it } from 'vitest'
import { type Backend, noSettings } from '../../../src/agents/backends/backend.ts'
import { claude } from '../../../src/agents/backends/claude.ts'
import { backends } from '../../../src/agents/backends/table.ts'
import type { AgentRequest, AgentSettings, AgentStart } from '../../../src/model/agent.ts'

const folder = new URL('../../fixtures/agents/', import.meta.url)

const request: AgentRequest = {
  prompt: 'Please work on the README of this project.',
  sandbox: 'read-only',
  model: undefined,
  cwd: '$PROJECT',
  allow: [],
}

/** What relay adds to every start, for the user's own settings to change nothing. */
const alone: Readonly<Record<string, string[]>> = {
  claude: ['--setting-sources', '', '--strict-mcp-config', '--disable-slash-commands', '--add-dir', '$PROJECT'],
  codex: [
    ...['--ignore-rules', '-c', 'approval_policy="never"', '-c', 'notify=[]', '-c', 'features.hooks=false'],
    ...['-c', 'features.plugins=false', '-c', 'features.apps=false'],
    ...['-c', 'sandbox_workspace_write.network_access=false', '-c', 'sandbox_workspace_write.writable_roots=[]'],
    ...['-c', 'sandbox_workspace_write.exclude_slash_tmp=true'],
  ],
  gemini: ['--policy', '{folder}/policy.toml', '--extensions', 'none', '--allowed-mcp-server-names', 'none'],
  opencode: ['--pure', '--agent', 'relay-{run}', '--print-logs', '--log-level', 'WARN'],
  copilot: [],
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
    const [agent = ''] = name.split('/')
    const start = build(agent, asked)
    const recorded = JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as { argv: string[] }
    const added = wordsBeside(asRelayHasIt(recorded.argv), start.argv.slice(1))
    expect(alone[agent]).toEqual(expect.arrayContaining([...added]))
    expect(start.argv.join(' ')).not.toContain(request.prompt)
    expect(start.stdin).toBe(request.prompt)
  })

  it('lets claude talk with the user, and write in one folder unasked', () => {
    const request = { rules: 'Plan.', opening: 'Begin.', model: 'opus', writes: 'RAF/abcdef-x' }
    expect(claude.converse?.(request)).toEqual({
      argv: [
        ...['claude', '--model', 'opus', '--append-system-prompt', 'Plan.', '--permission-mode', 'default'],
        ...['--allowedTools', 'Read,Grep,Glob,Edit(./RAF/abcdef-x/**),Write(./RAF/abcdef-x/**)', '--', 'Begin.'],
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

  it('tells claude what it may cost, and never nothing', () => {
    expect(build('claude', { budget: 0.30000000000000004 }).argv.join(' ')).toContain('--max-budget-usd 0.3000 ')
    expect(build('claude', { budget: 1e-17 }).argv.join(' ')).toContain('--max-budget-usd 0.0001 ')
  })

  it('lets gemini use what a policy lists, and nothing else', () => {
    const { files } = build('gemini', { sandbox: 'workspace-write', allow: ['npm test', 'echo "a"', ' '] })
    const rules = rulesIn(files)
    expect(rules[0]).toEqual({ toolName: '*', decision: 'deny', priority: 900 })
    expect(new Set(rules.slice(1).map(({ decision, priority }) => `${decision} ${priority}`))).toEqual(
      new Set(['allow 950']),
    )
    expect(rules.flatMap(({ commandPrefix = [] }) => commandPrefix)).toEqual(['npm test', 'echo "a"'])
    const reading = rulesIn(build('gemini', {}).files)
    expect(reading.filter(({ decision }) => decision === 'allow').map(({ toolName }) => toolName)).toEqual([
      ...['list_directory', 'read_file', 'read_many_files', 'glob', 'grep_search', 'search_file_content'],
      ...['google_web_search', 'update_topic', 'write_todos'],
    ])
  })

  it.each([
    ['/work/a (b)+/x.txt', true],
    ['x.txt', true],
    ['sub/..x/y', true],
    ['/work/a (b)+x/y', false],
    ['/elsewhere/x', false],
    ['../x', false],
    ['sub/../../x', false],
    ['/work/a (b)+/../x', false],
    ['/work/a (b)+/sub/../../x', false],
    ['~/x', false],
  ])('lets gemini write %s: %j', (path, isAllowed) => {
    const { files } = build('gemini', { sandbox: 'workspace-write', cwd: '/work/a (b)+/' })
    const patterns = rulesIn(files).flatMap(({ argsPattern }) => argsPattern ?? [])
    expect(patterns).toHaveLength(2)
    const content = `{"file_path":"/work/a (b)+/inside"}`
    for (const pattern of patterns) {
      // What Gemini takes for a pattern that may be slow, and leaves out.
      expect(pattern).not.toMatch(/\([^)]*[*+?{].*\)[*+?{]/)
      expect(new RegExp(pattern).test(JSON.stringify({ content, file_path: path }))).toBe(isAllowed)
    }
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
  it('is an agent of relay for opencode, under a name that nobody knows before', () => {
    const reading = {
      ...{ '*': 'deny', read: { '*': 'allow', '*.env': 'deny', '*.env.*': 'deny', '*.env.example': 'allow' } },
      ...{ glob: 'allow', grep: 'allow', list: 'allow', todoread: 'allow', todowrite: 'allow' },
    }
    const allow = ['npm test', 'npm *', 'a?', ' ']
    const rights = (asked: Partial<AgentRequest>) => configOf(build('opencode', asked))['agent']
    expect(rights({ textOnly: true })).toEqual({ 'relay-{run}': { mode: 'primary', permission: { '*': 'deny' } } })
    expect(rights({})).toEqual({
      'relay-{run}': { mode: 'primary', permission: { ...reading, external_directory: 'deny' } },
    })
    const writing = { edit: 'allow', bash: { '*': 'deny', 'npm test': 'allow' }, external_directory: 'deny' }
    expect(JSON.stringify(rights({ sandbox: 'workspace-write', allow }))).toBe(
      JSON.stringify({ 'relay-{run}': { mode: 'primary', permission: { ...reading, ...writing } } }),
    )
    expect(rights({ sandbox: 'danger-full-access' })).toBeUndefined()
  })

  it.each(['x),write', 'a, shell(rm', 'rm:*', '', ' ', 'a\nb'])('lets copilot run no more by allowing %j', command => {
    const { argv } = build('copilot', { sandbox: 'workspace-write', allow: [command, 'npm run test:run'] })
    expect(argv.slice(-4)).toEqual(['--allow-tool', 'write', '--allow-tool', 'shell(npm run test:run)'])
  })

  it('takes the model of copilot from its environment', () => {
    expect(build('copilot', { model: 'fake-model' }).env).toMatchObject({ COPILOT_MODEL: 'fake-model' })
    expect(build('opencode', { model: 'a/b' }).argv.slice(-4, -2)).toEqual(['-m', 'a/b'])
  })
})

describe('the user’s own settings', () => {
  it('bring claude to its model, and keep what they forbid; what they allow stays away', () => {
    const users = {
      ...{ env: { A: '1' }, model: 'opus', apiKeyHelper: 'key', hooks: { Stop: [] }, enabledPlugins: { 'a@b': true } },
      permissions: { allow: ['Bash(*)'], deny: ['Read(~/.ssh/**)'], defaultMode: 'bypassPermissions' },
    }
    const { argv, files = {} } = build('claude', {}, { users: [`${JSON.stringify(users)} // mine`] })
    expect(argv).toEqual(expect.arrayContaining(['--settings', '{folder}/settings.json']))
    expect(JSON.parse(files['settings.json'] ?? '')).toEqual({
      ...{ env: { A: '1' }, model: 'opus', apiKeyHelper: 'key', permissions: { deny: ['Read(~/.ssh/**)'] } },
    })
    expect(build('claude', {}, { users: ['{}', 'no JSON'] }).files).toEqual({})
  })

  it('start no server of the user’s in codex', () => {
    const users = ['[mcp_servers.one]\ncommand = "x"\n[mcp_servers."two.three"]\nurl = "y"\n', 'no = = TOML']
    expect(build('codex', {}, { users }).argv).toContain(
      'mcp_servers={"one"={enabled=false},"two.three"={enabled=false}}',
    )
  })

  it('start no server of the user’s in opencode, and stay where nothing else says them', () => {
    const given = {
      provider: { mine: { name: 'mine' } },
      agent: { build: { mode: 'all' } },
      mcp: { b: { enabled: true } },
    }
    const env = { OPENCODE_CONFIG_CONTENT: JSON.stringify(given) }
    const config = configOf(build('opencode', {}, { env, users: ['{"mcp": {"a": {"type": "local"}}} // mine'] }))
    expect(config).toMatchObject({ provider: given.provider, agent: given.agent, snapshot: false })
    expect(config['mcp']).toEqual({ a: { enabled: false }, b: { enabled: false } })
  })

  it('bring copilot its login, in a home of its own', () => {
    const users = ['{"lastLoggedInUser": {"login": "x"}, "trustedFolders": ["/"], "hooks": {}, "model": "m"}']
    const { env, files = {} } = build('copilot', {}, { users })
    expect(env).toEqual({ COPILOT_HOME: '{folder}/home', COPILOT_ALLOW_ALL: '' })
    expect(JSON.parse(files['home/config.json'] ?? '')).toEqual({ lastLoggedInUser: { login: 'x' }, model: 'm' })
  })

  it.each<[string, AgentSettings['env'], string]>([
    ['claude', { CLAUDE_CONFIG_DIR: '/c' }, '/c/settings.json'],
    ['codex', { CODEX_HOME: '/c' }, '/c/config.toml'],
    ['copilot', { COPILOT_HOME: '/c' }, '/c/config.json'],
    ['opencode', { XDG_CONFIG_HOME: '/c' }, '/c/opencode/opencode.json'],
    ['opencode', { OPENCODE_CONFIG: '/c.json' }, '/c.json'],
  ])('of %s are found where %j puts them', (name, env, path) => {
    expect(backendOf(name).userFiles?.(env)).toContain(path)
  })
})

describe('what was confirmed of a project', () => {
  const confirmed = (files: Readonly<Record<string, object>>) => ({
    confirmed: Object.entries(files).map(([path, value]) => {
      return { folder: '/project', isAbove: false, path, bytes: new TextEncoder().encode(JSON.stringify(value)) }
    }),
  })

  it('is handed on to claude, which reads none of it by itself', () => {
    const files = {
      '.claude/settings.json': {
        hooks: { Stop: [1] },
        permissions: { allow: ['Bash(*)', 'mcp__db__ask'], deny: ['A'] },
      },
      '.claude/settings.local.json': { hooks: { Stop: [2] }, permissions: { deny: ['B'] }, defaultMode: 'auto' },
      '.claude/skills/x/SKILL.md': {},
      '.mcp.json': { mcpServers: { db: { command: 'db' } } },
    }
    const start = build('claude', {}, confirmed(files))
    expect(start.argv).toEqual(expect.arrayContaining(['--mcp-config', '{folder}/servers.json']))
    expect(JSON.parse(start.files?.['settings.json'] ?? '')).toEqual({
      hooks: { Stop: [1, 2] },
      permissions: { allow: ['mcp__db__ask'], deny: ['A', 'B'] },
    })
    expect(JSON.parse(start.files?.['servers.json'] ?? '')).toEqual({ mcpServers: { db: { command: 'db' } } })
    expect(build('claude', { textOnly: true }, confirmed(files)).files).toEqual({})
  })

  it('is handed on to opencode as far as it changes no rights', () => {
    const files = {
      'opencode.json': { model: 'a/b', permission: 'allow', agent: {}, plugin: ['x'], instructions: ['y'] },
    }
    expect(configOf(build('opencode', { sandbox: 'danger-full-access' }, confirmed(files)))).toEqual({
      ...{ model: 'a/b', provider: {}, mcp: {}, snapshot: false },
      instructions: ['y', '$PROJECT/AGENTS.md', '$PROJECT/CLAUDE.md'],
    })
  })
})

function configOf({ env }: AgentStart): Readonly<Record<string, unknown>> {
  return JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '')
}

function rulesIn(files: AgentStart['files']): readonly Readonly<Record<string, string>>[] {
  const { rule } = parse(files?.['policy.toml'] ?? '')
  return rule as unknown as readonly Readonly<Record<string, string>>[]
}

function build(name: string | undefined, asked: Partial<AgentRequest>, settings: Partial<AgentSettings> = {}) {
  return backendOf(name).build({ ...request, ...asked }, { ...noSettings, ...settings })
}

function backendOf(name: string | undefined): Backend {
  const backend = backends.find(each => each.name === name)
  if (backend === undefined) throw new Error(`no agent ${name}`)
  return backend
}

/** The words that are not in the recorded command line, which has to be there in its order. */
function wordsBeside(recorded: readonly string[], argv: readonly string[]): readonly string[] {
  let at = 0
  const beside = argv.filter(word => (word === recorded[at] ? at++ < 0 : true))
  expect(recorded.slice(at)).toEqual([])
  return beside
}

/** The answer is read from the events, not from a file; a policy lies in a folder of relay's. */
function asRelayHasIt(argv: readonly string[]): readonly string[] {
  const answerFile = argv.indexOf('$TMP/last-message.txt')
  return argv
    .filter((_, at) => answerFile === -1 || (at !== answerFile && at !== answerFile - 1))
    .map(word => word.replace(/^\$LAB\/.*/, '{folder}/policy.toml'))
}
