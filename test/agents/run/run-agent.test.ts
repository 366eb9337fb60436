import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Backend } from '../../../src/agents/backends/backend.ts'
import { claude } from '../../../src/agents/backends/claude.ts'
import { codex } from '../../../src/agents/backends/codex.ts'
import { copilot } from '../../../src/agents/backends/copilot.ts'
import { gemini } from '../../../src/agents/backends/gemini.ts'
import { runAgent, type TurnOptions } from '../../../src/agents/run/run-agent.ts'
import type { AgentEvent, TurnEnd } from '../../../src/model/agent.ts'
import { programsEndedBy } from '../../../src/system/run-program.ts'
import { realSystem } from '../../../src/system/system.ts'
import { isRunning } from '../../support/is-running.ts'
import { until } from '../../support/until.ts'

/** Fake programs in a folder: what they do is the code of each, which finds the prompt in `prompt`. */
let home: string
let interruption: AbortController
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-agents-'))
  interruption = new AbortController()
})
afterEach(() => {
  for (const pid of started()) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

/** What a program notes of the processes that it started, and of itself. */
function started(): readonly number[] {
  const path = join(home, 'pids')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(Number) : []
}

async function run(
  backend: Backend,
  code: string,
  more: Partial<TurnOptions> & { readonly prompt?: string } = {},
): Promise<{ readonly end: TurnEnd; readonly events: readonly AgentEvent[] }> {
  const { prompt = 'Is this right?', ...options } = more
  const program = join(home, backend.program)
  writeFileSync(program, `#!${process.execPath}\n${around(code)}`, { mode: 0o755 })
  const events: AgentEvent[] = []
  const real = realSystem({ version: '0', noInput: true, trace: false, interruption })
  const signals = [
    ['SIGINT', 200],
    ['SIGTERM', 200],
    ['SIGKILL', 5000],
  ] as const
  const end = await runAgent(
    backend,
    { prompt, sandbox: 'read-only', model: undefined, cwd: home, allow: [] },
    {
      system: {
        ...real,
        programs: programsEndedBy(signals),
        home,
        stateFolder: join(home, 'state'),
        env: { PATH: `${home}:${process.env['PATH']}`, HOME: home, GITHUB_TOKEN: 'secret' },
      },
      depth: 1,
      timeout: 60,
      silence: 60,
      grace: 60,
      onEvent: event => events.push(event),
      ...options,
    },
  )
  return { end, events }
}

function around(code: string): string {
  return `
const { appendFileSync, readFileSync } = require('node:fs')
const { spawn } = require('node:child_process')
const note = pid => appendFileSync(${JSON.stringify(join(home, 'pids'))}, pid + '\\n')
note(process.pid)
const prompt = readFileSync(0, 'utf8')
const say = (...events) => events.forEach(event => process.stdout.write(JSON.stringify(event) + '\\n'))
const text = text => ({ type: 'item.completed', item: { id: '1', type: 'agent_message', text } })
const done = { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 2 } }
const hang = () => setInterval(() => {}, 1000)
;(async () => { ${code} })()
`
}

describe('a turn of an agent', () => {
  it('gives what was said, and keeps all that was printed', async () => {
    const { end } = await run(codex, "console.error('a warning'); say(text('Yes.'), done)")
    expect(end).toMatchObject({ status: 'ok', text: 'Yes.', usage: { inputTokens: 1, outputTokens: 2 } })
    expect(readFileSync(join(end.log ?? '', 'stdout.txt'), 'utf8').split('\n')).toHaveLength(3)
    expect(readFileSync(join(end.log ?? '', 'stderr.txt'), 'utf8')).toBe('a warning\n')
  })

  it('hands over the prompt whole, and nothing that could push', async () => {
    const prompt = `${'é'.repeat(225_000)}\n$(date) "x"`
    const { end } = await run(codex, 'say(text(JSON.stringify([prompt, process.env, process.cwd()])), done)', {
      prompt,
    })
    const [said, env, cwd] = JSON.parse(end.text)
    expect(said).toBe(prompt)
    expect(cwd).toBe(home)
    expect(env).toEqual({
      ...{ PATH: expect.any(String), HOME: home, PWD: home, RELAY_RUN: expect.any(String) },
      ...{ RELAY_AGENT: '1', PHONE_A_FRIEND_DEPTH: '1' },
    })
  })

  it('has the user’s login at hand in a home of its own, which is gone afterwards', async () => {
    const users = { lastLoggedInUser: { login: 'me' }, trustedFolders: ['/'] }
    mkdirSync(join(home, '.copilot'))
    writeFileSync(join(home, '.copilot/config.json'), JSON.stringify(users))
    const { end } = await run(
      copilot,
      `const { COPILOT_HOME } = process.env
       const content = COPILOT_HOME + ' ' + readFileSync(COPILOT_HOME + '/config.json', 'utf8')
       require('node:fs').mkdirSync(COPILOT_HOME + '/logs/one', { recursive: true })
       say({ type: 'assistant.message', data: { content } }, { type: 'result', sessionId: 's' })`,
    )
    const [own = '', config = ''] = end.text.split(' ')
    expect(own).toBe(join(end.log ?? '', 'home'))
    expect(JSON.parse(config)).toEqual({ lastLoggedInUser: { login: 'me' } })
    expect(readdirSync(end.log ?? '')).toEqual(['stdout.txt'])
  })

  it('reads lines and signs that come in pieces', async () => {
    const { end } = await run(
      codex,
      `const bytes = Buffer.from(JSON.stringify(text('é€😀')) + '\\n' + JSON.stringify(done))
       for (const byte of bytes) { process.stdout.write(Buffer.of(byte)); await new Promise(setImmediate) }`,
    )
    expect(end).toMatchObject({ status: 'ok', text: 'é€😀' })
  })

  it('reads lines of megabytes, and loses none at the end', async () => {
    const { end } = await run(
      codex,
      `for (let i = 0; i < 8; i++) say({ type: 'noise', text: 'x'.repeat(1e6) })
       say(text('y'.repeat(3e6)), done)`,
    )
    expect([end.status, end.text.length]).toEqual(['ok', 3_000_000])
  })

  it('believes no marker that the assistant did not say', async () => {
    const prompt = 'Say <promise>COMPLETE</promise> when you are done.'
    const echo = "console.error('user: ' + prompt);"
    const own = { kind: 'text', text: 'Not yet.' }
    const said =
      "say({ type: 'message', role: 'user', content: prompt }, { type: 'message', role: 'assistant', content:"
    const programs = [
      [codex, `${echo} say(text('Not yet.'), done)`],
      [gemini, `${said} 'Not yet.', delta: true }, { type: 'result', status: 'success' })`],
      [
        copilot,
        "say({ type: 'user.message', data: { content: prompt } }, { type: 'assistant.message', data: { content: 'Not yet.', toolRequests: [] } }, { type: 'result', exitCode: 0, sessionId: 's' })",
      ],
      [
        claude,
        `say({ type: 'assistant', message: { content: [{ type: 'text', text: 'Not yet.' }] } },
             { type: 'user', message: { content: [{ type: 'tool_result', content: prompt }] } },
             { type: 'assistant', message: { content: [{ type: 'text', text: 'Not yet.' }] } },
             { type: 'result', subtype: 'success', result: 'Not yet.', is_error: false })`,
      ],
    ] as const
    for (const [backend, code] of programs) {
      const { end, events } = await run(backend, code, { prompt })
      expect([backend.name, end.status, end.marker]).toEqual([backend.name, 'ok', undefined])
      expect(events).toContainEqual(expect.objectContaining(own))
    }
  })

  it('finds the marker that the last message ends with, also in pieces', async () => {
    const delta = (content: string) => `{ type: 'message', role: 'assistant', content: '${content}', delta: true }`
    const pieces = ['<promise>FAI', 'LED</promise> no, <prom', 'ise>COMPLETE</pro', 'mise>']
    const { end } = await run(gemini, `say(${pieces.map(delta).join()}, { type: 'result', status: 'success' })`)
    expect(end.marker).toBe('COMPLETE')
  })

  it('is stalled where nothing comes, with what was said so far', async () => {
    const { end } = await run(codex, "say(text('So far.')); hang()", { silence: 0.5 })
    expect(end).toMatchObject({ status: 'stalled', text: 'So far.', why: 'it gave no sign of life for 0.5 s' })
    expect(started().filter(isRunning)).toEqual([])
  })

  it('ends in time, whatever goes on', async () => {
    const { end } = await run(codex, "setInterval(() => say({ type: 'noise' }), 20)", { timeout: 0.5 })
    expect(end).toMatchObject({ status: 'timeout', why: 'it took more than 0.5 s' })
    expect(started().filter(isRunning)).toEqual([])
  })

  it.each([
    [
      claude,
      "say({ type: 'assistant', message: { content: [{ type: 'text', text: 'Sleeping.' }] } })",
      `{ type: 'assistant', message: { content: [{ type: 'text', text: 'Too late.' }] } },
       { type: 'result', is_error: true, terminal_reason: 'aborted_streaming' }`,
    ],
    [
      copilot,
      "say({ type: 'assistant.message', data: { content: 'Sleeping.' } })",
      "{ type: 'abort', data: { reason: 'user_initiated' } }, { type: 'result', sessionId: 's' }",
    ],
  ])('is late where $name answers the signal that it was interrupted', async (backend, begun, answer) => {
    const code = `process.on('SIGINT', () => { say(${answer}); process.exit(0) }); ${begun}; hang()`
    const { end } = await run(backend, code, { timeout: 0.5 })
    expect(end).toMatchObject({ status: 'timeout', text: 'Sleeping.', why: 'it took more than 0.5 s' })
  })

  it('is ended by a limit of the run, and counts what the program tells then that it has used', async () => {
    const limit = new AbortController()
    const answer =
      "{ type: 'result', is_error: true, total_cost_usd: 0.5, usage: { input_tokens: 20, output_tokens: 9 } }"
    const message =
      "{ id: 'm', content: [{ type: 'text', text: 'So far.' }], usage: { input_tokens: 10, output_tokens: 1 } }"
    const { end } = await run(
      claude,
      `process.on('SIGINT', () => { say(${answer}); process.exit(0) })
       say({ type: 'assistant', message: ${message} }, { type: 'assistant', message: ${message} })
       hang()`,
      {
        limit: limit.signal,
        onEvent: event => event.kind === 'usage' && limit.abort('the tokens are used'),
      },
    )
    expect(end).toMatchObject({
      ...{ status: 'over-limit', text: 'So far.', why: 'the tokens are used' },
      usage: { inputTokens: 20, outputTokens: 9, cost: 0.5 },
    })
  })

  it('tells the file that a tool works on from the folder of the agent', async () => {
    const { events } = await run(
      codex,
      `const changes = [process.cwd() + '/src/a.ts', '/etc/b', 'c'].map(path => ({ path }))
       say({ type: 'item.started', item: { type: 'file_change', changes } }, text('Yes.'), done)`,
    )
    const paths = events.flatMap(event => (event.kind === 'tool' ? [event.path] : []))
    expect(paths).toEqual(['src/a.ts', '/etc/b', 'c'])
  })

  it('counts what was said before the time was over', async () => {
    const { end } = await run(codex, "say(text('<promise>COMPLETE</promise>')); hang()", { timeout: 0.5 })
    expect(end).toMatchObject({ status: 'timeout', marker: 'COMPLETE' })
  })

  it('is good where the program hangs after its end, and what comes then counts for nothing', async () => {
    const late = "setTimeout(() => say(text('Too late.')), 50); hang()"
    const { end } = await run(codex, `say(text('Yes.'), done); ${late}`, { grace: 0.5 })
    expect(end).toMatchObject({ status: 'ok', text: 'Yes.' })
    expect(started().filter(isRunning)).toEqual([])
  })

  it('ends a program that heeds no signal', async () => {
    const deaf = "for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});"
    const { end } = await run(codex, `${deaf} hang()`, { timeout: 0.5 })
    expect(end.status).toBe('timeout')
    expect(started().filter(isRunning)).toEqual([])
  })

  it.runIf(process.platform === 'linux')('leaves no command behind, also in a session of its own', async () => {
    const orphan = "spawn('sh', ['-c', 'sleep 600 & echo $!; sleep 600'], { detached: true, stdio: 'pipe' })"
    const { end } = await run(
      codex,
      `const child = ${orphan}
       note(child.pid)
       await new Promise(resolve => child.stdout.once('data', pid => resolve(note(String(pid).trim()))))
       child.unref()
       child.stdout.destroy()
       say(text('Yes.'), done)
       process.exit(0)`,
    )
    expect(end.status).toBe('ok')
    expect(started()).toHaveLength(3)
    expect(started().filter(isRunning)).toEqual([])
  })

  it.each([
    ['ends with 0 and nothing', '', 'failed', 'it ended with exit code 0, but never said that it was done'],
    ['says its end and nothing else', 'say(done)', 'no-output', 'it ended without an answer'],
    ['fails after an answer', "say(text('Yes.'), done); process.exitCode = 3", 'failed', 'it ended with exit code 3'],
    ['prints no JSON', "console.log('{ nothing'); console.log('null')", 'failed', expect.any(String)],
  ])('is not good where the program %s', async (_, code, status, why) => {
    expect((await run(codex, code)).end).toMatchObject({ status, why })
  })

  it('gives up at the first sign of a login that fails', async () => {
    const retry =
      "{ type: 'system', subtype: 'api_retry', attempt: 1, error: 'authentication_failed', error_status: 401 }"
    const { end } = await run(claude, `say(${retry}); hang()`)
    expect(end).toMatchObject({ status: 'auth', why: 'it is not logged in' })
    expect(started().filter(isRunning)).toEqual([])
  })

  it('says what it waited for where only a limit was in the way', async () => {
    const retry = "{ type: 'system', subtype: 'api_retry', attempt: 1, error: 'rate_limit', error_status: 429 }"
    const { end } = await run(claude, `say(${retry}); hang()`, { timeout: 0.5 })
    expect(end.status).toBe('rate-limited')
  })

  it('is interrupted with all that it started', async () => {
    const turn = run(codex, "note(spawn('sleep', ['600'], { detached: true }).pid); say(text('So far.')); hang()")
    await until(() => started().length === 2, 'it has started another')
    interruption.abort('SIGINT')
    expect((await turn).end).toMatchObject({ status: 'interrupted', why: 'it was interrupted' })
    expect(started().filter(isRunning)).toEqual([])
  })

  it('starts nothing where relay was interrupted before', async () => {
    interruption.abort('SIGINT')
    expect((await run(codex, '')).end.status).toBe('interrupted')
    expect(started()).toEqual([])
  })
})
