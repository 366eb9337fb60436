import { execFile, execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AgentRequest, Sandbox } from '../../../src/model/agent.ts'
import { runHere } from '../../support/relay-here.ts'
import { until } from '../../support/until.ts'
import { type Installed, install } from './install.ts'
import { type ModelServer, startModelServer, textsIn } from './model-server.ts'
import { programs, type RealProgram } from './programs.ts'
import { makeWorld, type Place, usualTest, type World, writeFiles } from './world.ts'

/** `npm run test:agents`: what the adapters believe of the real programs, held against these programs and a model of ours. */
describe.each(programs.map(program => [nameOf(program), program] as const))('%s', (_, program) => {
  let server: ModelServer
  let installed: Installed | string
  let world: World
  const open = (place: Partial<Place> = {}) => {
    const { path } = installed as Installed
    world = makeWorld(program, { path, url: server.url, ...place })
    return world
  }

  beforeAll(async () => {
    server = await startModelServer()
    installed = await install(program)
    console.log(typeof installed === 'string' ? installed : `${program.backend.name} ${installed.version}`)
  }, 300_000)
  afterAll(async () => {
    await server.close()
    if (typeof installed !== 'string') installed.remove()
  })
  beforeEach(context => context.skip(typeof installed === 'string', String(installed)))
  afterEach(() => world?.remove())

  it('answers, and tells what it used', async () => {
    server.say({ kind: 'text', text: 'The project has one README.' })
    expect(await open().run({})).toEqual({
      turn: {
        status: 'ok',
        text: 'The project has one README.',
        usage: program.usage,
        sessionId: expect.stringMatching(/^\S+$/),
        resetsAt: undefined,
        why: '',
        marker: undefined,
        log: expect.any(String),
      },
      denied: [],
      left: [],
    })
  })

  it('neither writes nor runs what writes in `read-only`', async () => {
    const { project, run } = open()
    const calls = [program.write(join(project, 'inside.txt'), 'text'), program.run('npm test')]
    server.say({ kind: 'calls', calls, text: 'Done.' })
    const { turn, denied, left } = await run({})
    expect(turn).toMatchObject({ status: 'ok', text: 'Done.' })
    expect(denied).toHaveLength(2)
    expect(readdirSync(project)).toEqual(['package.json'])
    expect(left).toEqual([])
  })

  it('writes inside and runs what is listed in `workspace-write`, and nothing else', async () => {
    const { project, outside, run } = open()
    const calls = [
      program.write(join(project, 'inside.txt'), 'text'),
      program.write(join(outside, 'outside.txt'), 'text'),
      program.run('npm test'),
      program.run(`npm test && touch ${join(outside, 'touched.txt')}`),
    ]
    server.say({ kind: 'calls', calls, text: 'Done.' })
    const { turn, denied, left } = await run({ sandbox: 'workspace-write' })
    expect(turn).toMatchObject({ status: 'ok', text: 'Done.' })
    expect(denied).toHaveLength(2)
    expect(readdirSync(project)).toEqual(['inside.txt', 'package.json', 'tested.txt'])
    expect(readdirSync(outside)).toEqual([])
    expect(left).toEqual([])
  })

  it.each([
    ['read-only', { inside: [], outside: [] }],
    ['workspace-write', { inside: ['inside.txt', 'tested.txt'], outside: [] }],
    [
      'danger-full-access',
      { inside: ['free.txt', 'inside.txt', 'tested.txt'], outside: ['outside.txt', 'touched.txt'] },
    ],
  ] as const)(
    'is kept to `%s` in a home that allows all, and by no attempt before',
    async (sandbox, expected) => {
      const { project, outside, wideFiles, run } = open({ isWide: true })
      const inTemporary = join(tmpdir(), `relay-${randomUUID()}`)
      const calls = [
        program.write(join(project, 'inside.txt'), 'text'),
        program.run('npm test'),
        // Elsewhere the sandbox is made of the commands, here of the system.
        ...(isEnforced(program, sandbox) ? [] : [program.run('touch free.txt')]),
        ...(sandbox === 'danger-full-access' ? [] : [program.run(`touch ${inTemporary}`)]),
        program.run(`touch ${join(outside, 'touched.txt')}`),
        program.run(`npm test && echo > ${join(outside, 'outside.txt')}`),
      ]
      for (const attempt of [1, 2]) {
        server.say({ kind: 'calls', calls, text: 'Done.' })
        const { turn, left } = await run({ sandbox })
        expect({ attempt, ...turn, left }).toMatchObject({ status: 'ok', text: 'Done.', left: [] })
        const inside = readdirSync(project).filter(name => name.endsWith('.txt'))
        expect({ attempt, inside, outside: readdirSync(outside) }).toEqual({ attempt, ...expected })
        expect(existsSync(inTemporary)).toBe(false)
        // What the work holds is there after each turn, and ruled none.
        if (attempt === 2) expect(filesIn(project, Object.keys(wideFiles))).toEqual(wideFiles)
        rmSync(project, { recursive: true })
        rmSync(outside, { recursive: true })
        mkdirSync(outside)
        writeFiles(project, { 'package.json': JSON.stringify({ scripts: { test: usualTest } }), ...wideFiles })
      }
    },
    300_000,
  )

  it('offers no tool for a text', async () => {
    server.say({ kind: 'text', text: 'A text.' })
    const { turn } = await open().run({ textOnly: true })
    expect(turn).toMatchObject({ status: 'ok', text: 'A text.' })
    expect([...new Set(server.requests.flatMap(({ tools }) => tools))]).toEqual(program.textTools)
  })

  it.each([
    ['auth', { kind: 'refuse', why: 'login' }],
    ['overflow', { kind: 'refuse', why: 'overflow' }],
    ['no-output', { kind: 'nothing' }],
  ] as const)('ends as %s', async (status, saying) => {
    server.say(saying)
    const { turn, left } = await open().run({})
    expect(turn).toMatchObject({ status, text: '' })
    expect(left).toEqual([])
  })

  it('sends a long prompt whole', async () => {
    server.say({ kind: 'text', text: 'Read.' })
    const line = 'A line with signs of two, three and four bytes: äöü € 𝄞 and "quotes" \\ \n'
    const prompt = line.repeat(Math.ceil(450_000 / Buffer.byteLength(line)))
    const { turn } = await open().run({ prompt })
    expect(turn).toMatchObject({ status: 'ok', text: 'Read.' })
    // Some leave out the end of the last line.
    const whole = server.requests.filter(({ body }) => textsIn(body).some(text => text.includes(prompt.trimEnd())))
    expect(whole).not.toEqual([])
  })

  it('leaves nothing running when it is interrupted while the model speaks', async () => {
    const interruption = new AbortController()
    server.say({ kind: 'hang', began: () => interruption.abort('SIGINT') })
    const { turn, left } = await open().run({}, { interruption })
    expect(turn.status).toBe('interrupted')
    expect(left).toEqual([])
  })

  it('leaves nothing running when it is interrupted while a command runs', async () => {
    const interruption = new AbortController()
    const { project, run } = open({ test: 'echo > started.txt; sleep 600' })
    server.say({ kind: 'calls', calls: [program.run('npm test')], text: 'Done.' })
    const ended = run({ sandbox: 'workspace-write' }, { interruption })
    await until(() => existsSync(join(project, 'started.txt')), 'the command runs')
    interruption.abort('SIGINT')
    const { turn, left } = await ended
    expect(turn.status).toBe('interrupted')
    expect(left).toEqual([])
  })

  it('has had its time when that is over, whatever it says to the signal', async () => {
    const over = new AbortController()
    server.say({ kind: 'hang', began: () => over.abort() })
    const { turn, left } = await open().run({}, { over: over.signal })
    expect(turn).toMatchObject({ status: 'timeout', why: 'it took more than 120 s' })
    expect(left).toEqual([])
  })

  it('carries out a plan, and mends what the linter refused', async () => {
    const { project, env: given } = open()
    writeFiles(project, planned)
    const env = { ...given, ...author, XDG_STATE_HOME: join(given['HOME'] ?? '', '.local/state') }
    const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: project, env, encoding: 'utf8' })
    git('init', '-q', '-b', 'main')
    git('add', '-A')
    git('commit', '-qm', 'first')
    // It finds in its prompt where it works, and what was wrong.
    const calls = (asked: string) => {
      const at = /You work in (\S+): a private copy/.exec(asked)?.[1] ?? ''
      return [program.write(join(at, asked.includes('two.js is missing') ? 'two.js' : 'one.js'), 'export {}')]
    }
    server.say({ kind: 'calls', calls, text: 'Done. <promise>COMPLETE</promise>' })
    const model = program.model === undefined ? [] : ['--model', program.model]
    const words = ['do', 'demo', '--agent', program.backend.name, ...model, '--trust']
    const { code, stderr } = await runHere(words, { cwd: project, env })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/1 task done/) })
    expect(git('log', '--format=%s')).toBe('RAF[abcdef:01] Add two files\nfirst\n')
    expect(git('show', '--format=', '--name-only').trim().split('\n')).toEqual([
      ...[`${plan}/outcomes/01-files.md`, 'one.js', 'two.js'],
    ])
    expect(git('status', '--short')).toBe('')
  })

  it('knows every flag that it is given', async () => {
    const { project, env } = open()
    const help = await Promise.all(
      program.help.map(words => promisify(execFile)(program.backend.program, [...words], { cwd: project, env })),
    )
    const known = new Set(help.flatMap(({ stdout, stderr }) => `${stdout}${stderr}`.match(flag) ?? []))
    const starts = [
      ...requests(project).map(request => program.backend.build(request)),
      program.backend.converse?.(talk),
    ]
    const given = starts.flatMap(start => start?.argv.filter(isFlag) ?? [])
    expect([...new Set(given)].filter(each => !known.has(each))).toEqual([])
  })
})

function nameOf({ backend, package: name }: RealProgram): string {
  return [backend.name, ...(/(?<=.@)[\d.]+$/.exec(name) ?? [])].join(' ')
}

/** Codex runs any command in its sandbox. */
function isEnforced({ backend }: RealProgram, sandbox: Sandbox): boolean {
  return sandbox === 'workspace-write' && backend.sandboxes[sandbox] === 'enforced'
}

function filesIn(folder: string, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.map(name => [name, readFileSync(join(folder, name), 'utf8')]))
}

const talk = { rules: 'Plan.', opening: 'Begin.', model: 'some-model', writes: 'RAF' }

const author = {
  ...{ GIT_AUTHOR_NAME: 'user', GIT_AUTHOR_EMAIL: 'u@x', GIT_COMMITTER_NAME: 'user', GIT_COMMITTER_EMAIL: 'u@x' },
}

const plan = 'RAF/abcdef-demo'
/** A plan with one task; its linter wants a second file beside the first. */
const planned = {
  'relaycode.config.json': JSON.stringify({ projectId: 'demo', linter: 'node lint.cjs' }),
  'lint.cjs': `const { existsSync } = require('node:fs')
if (existsSync('one.js') && !existsSync('two.js')) {
  console.log('one.js:1:1: error: two.js is missing')
  process.exit(1)
}
`,
  '.gitignore': '/.relaycode/\n',
  [`${plan}/input.md`]: 'Two files.\n',
  [`${plan}/plans/01-files.md`]: '# Task: Add two files\n\n## Objective\nThere are two files.\n',
}

const flag = /(?<![\w-])--?[a-zA-Z][\w-]*/g
const isFlag = (word: string) => /^--?[a-zA-Z][\w-]*$/.test(word)

/** One of every kind. */
function requests(cwd: string): readonly AgentRequest[] {
  const sandboxes: readonly Sandbox[] = ['read-only', 'workspace-write', 'danger-full-access']
  const plain = { prompt: '', model: 'some-model', cwd, allow: ['npm test'] }
  return [...sandboxes.map(sandbox => ({ ...plain, sandbox })), { ...plain, sandbox: 'read-only', textOnly: true }]
}
