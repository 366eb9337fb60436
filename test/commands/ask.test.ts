import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import type { Backend } from '../../src/agents/backends/backend.ts'
import { claude } from '../../src/agents/backends/claude.ts'
import { codex } from '../../src/agents/backends/codex.ts'
import { main } from '../../src/main.ts'
import { around } from '../support/around.ts'
import type { ProgramReply } from '../support/fake-programs.ts'
import { type FakeSystemOptions, fakeSystem } from '../support/fake-system.ts'
import { schemas } from '../support/json-schemas.ts'
import { respond } from '../support/respond.ts'
import { until } from '../support/until.ts'

const codexCall = callOf(codex)
const claudeCall = callOf(claude)
const said = (text: string): ProgramReply => ({
  out: [
    JSON.stringify({ type: 'thread.started', thread_id: 't-1' }),
    JSON.stringify({
      type: 'item.started',
      item: { id: '0', type: 'command_execution', command: 'ls', exit_code: 0 },
    }),
    JSON.stringify({ type: 'item.completed', item: { id: '1', type: 'agent_message', text } }),
    JSON.stringify({ type: 'turn.completed', usage: { input_tokens: 1234, output_tokens: 5 } }),
  ],
})

const quiet = 'git -c core.fsmonitor=false -c core.hooksPath=/dev/null'
const filters = `${quiet} config --show-scope -z --name-only --get-regexp ^filter\\.`
const noFilters = { [filters]: { exit: 1 } }
const where = `${quiet} rev-parse --git-dir`
const git = `${quiet} -c diff.autoRefreshIndex=false diff --no-ext-diff --no-textconv --ignore-submodules=dirty --submodule=short --no-color`

/** How a backend is called to read `/project`. */
function callOf({ build }: Backend): string {
  const request = { prompt: '', sandbox: 'read-only', model: undefined, cwd: '/project', allow: [] } as const
  return `/usr/bin/${build(request).argv.join(' ')}`
}

interface Given extends FakeSystemOptions {
  /** What `codex` does. */
  readonly codex?: ProgramReply
  readonly programs?: Readonly<Record<string, ProgramReply>>
  /** Which programs are on the PATH. */
  readonly installed?: readonly string[]
}

async function relay(argv: readonly string[], given: Given = {}) {
  const { codex = said('Yes.'), programs = {}, installed = ['codex'], ...options } = given
  const world = fakeSystem({ autoAdvance: true, files: { 'a.js': '1\n' }, ...options })
  for (const name of installed) world.shell.programs.set(name, `/usr/bin/${name}`)
  for (const [call, reply] of Object.entries({ [codexCall]: codex, ...programs }))
    world.programs.replies.set(call, reply)
  const code = await main(['ask', ...argv], around(world.system))
  const { stdout } = world.terminal
  // The fake clock jumps on whenever somebody sleeps.
  const stderr = world.terminal.stderr.replaceAll(/\((?:[\d.]+ (?:ms|s|min)\s?)+/g, '(1 s')
  const asked = world.programs.ran.filter(({ argv }) => argv[0] !== 'git')
  return { ...world, code, stdout, stderr, asked, prompt: asked[0]?.options.stdin }
}

describe('relay ask', () => {
  it('prints the answer and nothing else, and says beside it whom it asked', async () => {
    const { code, stdout, stderr, prompt } = await relay(['Is this right?'])
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: 'Yes.\n',
      stderr:
        '○ asking codex (read-only: enforced), for at most 10 min\n✔ codex answered (1 s, 1,234 tokens in, 5 out)\n',
    })
    expect(prompt).toBe(`You are helping another coding agent by reviewing or advising on work in a local repository.
Repository path: /project
Use the repository files for context when needed.
Respond with concise, actionable feedback.

Request:
Is this right?`)
  })

  it('sends context and differences along, each in its place', async () => {
    const diff = { out: ['diff --git a/a.js b/a.js', '+2\r'] }
    const argv = ['--context-file', 'notes.md', '--include-diff', '  Look  ']
    const { prompt } = await relay(argv, {
      files: { 'notes.md': '\nOne.\n\n' },
      programs: { ...noFilters, [`${git} --`]: diff },
    })
    expect(prompt?.split('\n').slice(4)).toEqual(
      ['', 'Request:', 'Look', '', 'Additional Context:', 'One.', '', 'Git Diff:', ...diff.out].map(line =>
        line.trimEnd(),
      ),
    )
    const other = await relay(['--include-diff=main', 'Look'], { programs: { ...noFilters, [`${git} main --`]: diff } })
    expect(other.prompt).toContain('Git Diff:')
  })

  it('says that all is staged where nothing else is to be sent', async () => {
    const programs = { ...noFilters, [`${git} --`]: {}, [`${git} --cached --quiet --`]: { exit: 1 } }
    const { code, stderr, prompt } = await relay(['x', '--include-diff'], { programs })
    expect({ code, line: stderr.split('\n')[0] }).toEqual({
      code: 0,
      line: '▲ nothing is unstaged: `--include-diff=HEAD` sends what is staged as well',
    })
    expect(prompt).not.toContain('Git Diff:')
  })

  it.each<[string, Readonly<Record<string, ProgramReply>>, number, string]>([
    ['no git', {}, 8, 'Error: git was not found\nHint: Ask without --include-diff.\n'],
    [
      'no repository',
      {
        ...noFilters,
        [`${git} --`]: { exit: 129, err: ['warning: Not a git repository.', 'usage: …'] },
        [where]: { exit: 128 },
      },
      2,
      'Error: This folder is not in a git repository\nHint: Ask without --include-diff.\n',
    ],
    [
      'something else',
      { ...noFilters, [`${git} --`]: { exit: 128, err: ['fatal: bad index'] }, [where]: {} },
      2,
      'Error: Failed to collect git diff: fatal: bad index\n',
    ],
    [
      'a filter that cannot be turned off',
      { [filters]: { out: ['local\0filter.a=b.clean\0'] } },
      2,
      'Error: The settings of this repository name a filter that cannot be turned off\nHint: Look for [filter …] in .git/config, or ask without --include-diff.\n',
    ],
  ])('says in a line why there are no differences: %s', async (_, programs, code, said) => {
    const { stderr, ...end } = await relay(['x', '--include-diff'], { programs })
    expect({ code: end.code, stderr, asked: end.asked }).toEqual({ code, stderr: said, asked: [] })
  })

  it('reads the prompt from a pipe, but never where one is given', async () => {
    const piped = { terminal: { stdin: 'From the pipe.' } }
    expect((await relay([], piped)).prompt).toContain('Request:\nFrom the pipe.')
    expect((await relay(['-'], piped)).prompt).toContain('Request:\nFrom the pipe.')
    expect((await relay(['Given.'], piped)).prompt).toContain('Request:\nGiven.')
  })

  it.each<[readonly string[], string, Given?]>([
    [[' '], 'Prompt is required'],
    [[], 'Prompt is required'],
    [['', '--timeout', '0'], "the argument after 'ask' is empty"],
    [['x', '--timeout', '0', '--repo', 'gone'], 'Timeout must be greater than zero'],
    [['x', '--timeout', 'soon'], '--timeout takes a time such as 90s, 5m or 1h, not "soon"'],
    [['x', '--repo', 'gone', '--to', 'gpt'], 'Repository path does not exist or is not a directory: /project/gone'],
    [['x', '--repo', 'a.js'], 'Repository path does not exist or is not a directory: /project/a.js'],
    [
      ['x', '--to', 'gpt', '--sandbox', 'none'],
      'Unsupported relay backend: gpt. Supported: amp, claude, codex, copilot, gemini, opencode',
    ],
    [
      ['x', '--sandbox', 'none', '--context-file', 'gone'],
      'Invalid sandbox mode: none. Allowed values: danger-full-access, read-only, workspace-write',
    ],
    [
      ['x', '--sandbox', 'workspace-write', '--to', 'codex', '--to', 'claude'],
      '--sandbox workspace-write takes the work of one agent: give --to once',
    ],
    [
      ['x', '--context-file', 'gone', '--context-text', 'text', '--include-diff=-x'],
      'Use either context_file or context_text, not both',
    ],
    [['x', '--context-file', 'gone'], 'Context file does not exist: /project/gone'],
    [['x', '--context-file', '.'], 'Context path is not a file: /project'],
    [['x', '--context-text', 'é'.repeat(100_001)], 'Context text is too large (200002 bytes; max 200000 bytes)'],
    [
      ['x', '--context-file', 'a.txt'],
      'Context file is too large (200001 bytes; max 200000 bytes)',
      { files: { 'a.txt': 'x'.repeat(200_001) } },
    ],
    [['x', '--include-diff=-x'], '--include-diff takes a branch or a commit, not "-x"'],
    [['x'.repeat(500_000)], 'Relay prompt is too large (500222 bytes; max 500000 bytes)'],
    [['x', '--model', '-yolo'], '--model takes the name of a model, not "-yolo"'],
    [['x', '--apply', '--to', 'codex', '--to', 'claude'], '--apply takes the answer of one agent: give --to once'],
    [['x', '--apply', '--sandbox', 'workspace-write'], '--apply goes with `--sandbox read-only` alone'],
    [
      ['x'],
      'Relay depth limit reached; refusing nested relay invocation',
      { env: { PHONE_A_FRIEND_DEPTH: '1', RELAY_AGENT: '1' } },
    ],
    [
      ['x'],
      'An agent of relay runs this (RELAY_AGENT=1), and relay asks no other for it',
      { env: { PHONE_A_FRIEND_DEPTH: '0', RELAY_AGENT: '1' } },
    ],
    [
      ['x'],
      '"agent" in the configuration is "nope", and there is no such agent',
      { files: { 'relaycode.config.json': '{"projectId":"demo","agent":"nope"}' } },
    ],
    [['x', '--timeout', '0.0001'], 'Timeout must be greater than zero'],
    [['x', '--include-diff', 'main'], "too many arguments for 'ask'. Expected 1 argument but got 2."],
  ])('refuses what is wrong before anything is started (%#)', async (argv, message, given) => {
    const { code, stdout, stderr, programs } = await relay(argv, given)
    expect({ code, stdout, ran: programs.ran }).toEqual({ code: 2, stdout: '', ran: [] })
    expect(stderr.split('\n')[0]).toBe(`Error: ${message}`)
  })

  it('sends what is just within a limit', async () => {
    const { code } = await relay(['x', '--context-text', 'x'.repeat(200_000)])
    expect(code).toBe(0)
  })

  it.each(['nothing', '-3', ' 1 ', '0'])('takes a depth of "%s" for none', async depth => {
    expect((await relay(['x'], { env: { PHONE_A_FRIEND_DEPTH: depth } })).code).toBe(0)
  })

  it('names what is missing', async () => {
    const { code, stderr } = await relay(['x', '--to', 'claude'])
    expect({ code, stderr }).toEqual({
      code: 8,
      stderr: 'Error: claude CLI not found in PATH\nHint: Install it: npm install -g @anthropic-ai/claude-code\n',
    })
    const none = await relay(['x'], { installed: [] })
    expect({ code: none.code, stderr: none.stderr }).toEqual({
      code: 8,
      stderr: 'Error: No agent is installed here\nHint: Install one, for example: npm install -g @openai/codex\n',
    })
  })

  it('takes the first agent that is there', async () => {
    const { asked, stderr } = await relay(['x'], { installed: ['amp', 'gemini'] })
    expect(asked.map(({ argv }) => argv[0])).toEqual(['/usr/bin/gemini'])
    expect(stderr).toContain('asking gemini (read-only: rules)')
  })

  it('asks several side by side, and one failure hides no answer', async () => {
    const { code, stdout, stderr } = await relay(['x', '--to', 'claude', '--to', 'codex', '--to', 'codex'])
    expect({ code, stdout }).toEqual({ code: 9, stdout: '# codex\n\nYes.\n' })
    expect(stderr).toContain(
      '✖ claude is not there (1 s)\n  Install it: npm install -g @anthropic-ai/claude-code\n✔ codex answered',
    )
  })

  it('says why an agent failed, and where to look', async () => {
    const failed = { out: [JSON.stringify({ type: 'turn.failed', error: { message: 'no credit' } })], exit: 1 }
    const { code, stdout, stderr, system } = await relay(['x'], { codex: failed })
    expect({ code, stdout }).toEqual({ code: 9, stdout: '' })
    const log = /Its output: (.*)/.exec(stderr)?.[1] ?? ''
    expect(stderr).toContain('✖ codex failed: no credit (1 s)\n  Its output: /home/me/')
    expect(String(await system.files.read(`${log}/stdout.txt`))).toBe(`${failed.out[0]}\n`)
  })

  it('says how to log in', async () => {
    const message = 'unexpected status 401 Unauthorized'
    const { code, stderr } = await relay(['x'], {
      codex: { out: [JSON.stringify({ type: 'error', message })], exit: 1 },
    })
    expect({ code, lines: stderr.split('\n').slice(1, 3) }).toEqual({
      code: 8,
      lines: ['✖ codex is not logged in (1 s)', '  Log in: codex login'],
    })
  })

  it('shows beside stdout what a program had said before it failed', async () => {
    const { code, stdout, stderr } = await relay(['x'], { codex: { ...said('All of it.'), exit: 1 } })
    expect({ code, stdout }).toEqual({ code: 9, stdout: '' })
    expect(stderr).toMatch(/\n {2}Its output: .*\n {2}It had said:\nAll of it\.\n$/)
  })

  it('names how a commit is given with --include-diff', async () => {
    expect((await relay(['x', '--include-diff', 'main'])).stderr).toContain(
      'Hint: A commit follows on a `=`: `--include-diff=main`.',
    )
  })

  it('says a time of less than a second', async () => {
    const { stderr } = await relay(['x', '--timeout', '0.25'], { codex: { takes: 100_000 } })
    expect(stderr).toContain('for at most 250 ms\n')
    expect(stderr).toContain('✖ codex was ended: it took more than 0.25 s (1 s)')
    const { stderr: other } = await relay(['x', '--timeout', '1.1m'], { codex: { takes: 100_000 } })
    expect(other).toContain('it took more than 66 s')
  })

  async function askTwo(...more: readonly string[]) {
    const answer = [
      { type: 'assistant', message: { content: [{ type: 'text', text: 'From claude.' }] } },
      { type: 'result', subtype: 'success', is_error: false, result: 'From claude.' },
    ]
    const world = fakeSystem({ files: { 'a.js': '1\n' } })
    for (const name of ['codex', 'claude']) world.shell.programs.set(name, `/usr/bin/${name}`)
    world.programs.replies.set(codexCall, { takes: 100_000 })
    world.programs.replies.set(claudeCall, { out: answer.map(each => JSON.stringify(each)) })
    const code = main(['ask', 'x', '--to', 'codex', '--to', 'claude', ...more], around(world.system))
    const run = () => world.programs.ran.find(({ argv }) => argv[0] === '/usr/bin/claude')
    await until(() => run() !== undefined, 'claude has started')
    // The clock stands still: what is left to do waits for nothing.
    for (let steps = 0; steps < 100; steps++) await new Promise(setImmediate)
    return { ...world, code }
  }

  it('tells at Ctrl+C what has come, and that the rest is being ended', async () => {
    const { terminal, interrupt, code } = await askTwo()
    expect(terminal.stdout).toBe('')
    interrupt()
    // At once, and not only when codex has ended.
    expect(terminal.stdout).toBe('# claude\n\nFrom claude.\n')
    expect(terminal.stderr).toContain('○ ending codex; Ctrl+C again ends it at once\n✔ claude answered')
    expect(await code).toBe(130)
  })

  it('tells a program of each answer as it comes', async () => {
    const { terminal, interrupt, code } = await askTwo('--json')
    const last = JSON.parse(terminal.stdout.trim().split('\n').at(-1) ?? '')
    expect(last).toMatchObject({ event: 'agent-answered', agent: 'claude', text: 'From claude.' })
    interrupt()
    await code
  })

  it('ends an agent whose time is over', async () => {
    const { code, stderr } = await relay(['x', '--timeout', '1.5m'], { codex: { takes: 100_000 } })
    expect({ code, line: stderr.split('\n').find(line => line.startsWith('✖')) }).toEqual({
      code: 9,
      line: '✖ codex was ended: it took more than 90 s (1 s)',
    })
  })

  it('tells a program what happens, one object a line', async () => {
    const { stdout } = await relay(['x', '--json'])
    const events = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    for (const event of events) expect(v.safeParse(schemas.event, event).issues).toBeUndefined()
    expect(events).toEqual([
      {
        ...{
          event: 'agent-asked',
          at: expect.any(String),
          agent: 'codex',
          sandbox: 'read-only',
          enforcement: 'enforced',
        },
        ...{ model: null, folder: '/project', timeout: 600 },
      },
      {
        ...{ event: 'agent-tool', at: expect.any(String), agent: 'codex', tool: 'command_execution' },
        ...{ command: 'ls', path: null },
      },
      {
        ...{ event: 'agent-answered', at: expect.any(String), agent: 'codex', status: 'ok', text: 'Yes.', why: '' },
        ...{ inputTokens: 1234, outputTokens: 5, cost: null, sessionId: 't-1', resetsAt: null, marker: null },
        log: expect.any(String),
      },
    ])
  })
})

describe('relay ask in a project', () => {
  const config = {
    projectId: 'demo',
    agent: 'local',
    agents: { local: { command: 'llm -m x' }, mine: { like: 'codex', command: 'npx codex', args: ['-q'] } },
  }
  const files = { 'relaycode.config.json': JSON.stringify(config), 'a.js': '1\n' }
  const local = { '/bin/sh -c llm -m x "$@" sh': { out: ['Yes.', '', 'It is.'] } }
  const given: Given = { files, programs: local, installed: ['codex', '/bin/sh'] }

  it('asks its own agent once its command is agreed to', async () => {
    const no = await relay(['x'], given)
    expect({ code: no.code, asked: no.asked }).toEqual({ code: 3, asked: [] })
    const yes = await relay(['x', '--trust'], given)
    expect({ code: yes.code, stdout: yes.stdout }).toEqual({ code: 0, stdout: 'Yes.\n\nIt is.\n' })
    expect(yes.asked[0]?.options.cwd).toMatch(/agents\/[^/]+\/empty$/)
  })

  it('speaks to another program as to a known one', async () => {
    const call = codexCall.replace('/usr/bin/codex', '/bin/sh -c npx codex "$@" sh').replace(/$/, ' -q')
    const { code, stdout } = await relay(['x', '--trust', '--to', 'mine'], {
      ...given,
      programs: { [call]: said('Mine.') },
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Mine.\n' })
  })

  it('starts nothing before what the project makes the agent run is agreed to', async () => {
    const own = { '.codex/config.toml': 'notify = ["sh", "-c", "id"]\n' }
    const no = await relay(['x'], { files: own })
    expect({ code: no.code, asked: no.asked }).toEqual({ code: 3, asked: [] })
    expect(no.stderr).toContain('notify = ["sh", "-c", "id"]')
    expect((await relay(['x', '--trust'], { files: own })).code).toBe(0)
    expect((await relay(['x'], { files: own, answers: ['y'] })).code).toBe(0)
  })
})

describe('relay ask --apply', () => {
  const project = { 'relaycode.config.json': '{"projectId":"demo"}', 'a.js': '1\n' }
  const answer = respond({ 'a.js': '2\n' })

  it('applies the answer like one that was copied', async () => {
    const { code, stdout, stderr, disk, prompt } = await relay(['Make it two', '--apply'], {
      files: project,
      codex: said(answer),
    })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(disk.text()['a.js']).toBe('2\n')
    expect(stderr).toContain('kept #1')
    expect(prompt).toContain('Request:\nMake it two\n\n')
    expect(prompt).toContain('projectId: demo')
  })

  it('prints an answer that is no patch', async () => {
    const { code, stdout, disk } = await relay(['Make it two', '--apply'], { files: project })
    expect({ code, stdout }).toEqual({ code: 6, stdout: 'Yes.\n' })
    expect(disk.text()['a.js']).toBe('1\n')
  })

  it('asks nobody before the commands of the project are agreed to', async () => {
    const files = { ...project, 'relaycode.config.json': '{"projectId":"demo","linter":"lint"}' }
    const { code, asked } = await relay(['Make it two', '--apply'], { files })
    expect({ code, asked }).toEqual({ code: 3, asked: [] })
  })

  it('needs a project', async () => {
    const { code, stderr } = await relay(['x', '--apply'])
    expect({ code, line: stderr.split('\n')[0] }).toEqual({
      code: 2,
      line: 'Error: No relaycode.config.json in /project or above',
    })
  })
})
