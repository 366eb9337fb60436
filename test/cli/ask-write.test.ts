import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { schemas } from '../support/json-schemas.ts'
import { endRelays, type RelayEnd, runRelay, startRelay, testPath } from '../support/real-relay.ts'
import { runHere } from '../support/relay-here.ts'
import { until } from '../support/until.ts'

/** A home with a project in git and a fake `codex`. */
let home: string
let cwd: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-ask-'))
  cwd = join(home, 'project')
  for (const folder of [cwd, join(home, 'bin')]) mkdirSync(folder)
  git('init', '-q', '-b', 'main')
  writeFileSync(join(cwd, 'a.js'), '1\n')
  writeFileSync(join(cwd, '.gitignore'), '/.relaycode/\n')
  configure({})
  git('add', '-A')
  git('commit', '-qm', 'first')
})
afterEach(async () => {
  await endRelays()
  rmSync(home, { recursive: true, force: true })
})

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd, env: environment(), encoding: 'utf8' })
}

function environment() {
  const who = {
    GIT_AUTHOR_NAME: 'user',
    GIT_AUTHOR_EMAIL: 'u@x',
    GIT_COMMITTER_NAME: 'user',
    GIT_COMMITTER_EMAIL: 'u@x',
  }
  return { HOME: home, XDG_STATE_HOME: join(home, 'state'), PATH: `${join(home, 'bin')}:${testPath}`, ...who }
}

function configure(config: object) {
  writeFileSync(join(cwd, 'relaycode.config.json'), JSON.stringify({ projectId: 'demo', ...config }))
}

/** The agent runs this script in its checkout, and then says that it is done. */
function codex(script: string) {
  const events = [
    { type: 'item.completed', item: { type: 'agent_message', text: 'Done.' } },
    { type: 'turn.completed' },
  ]
  const said = events.map(event => JSON.stringify(event)).join('\n')
  const text = `#!/bin/sh\ncat > '${home}/prompt'\n${script}\ncat <<'EOF'\n${said}\nEOF\n`
  writeFileSync(join(home, 'bin/codex'), text, { mode: 0o755 })
}

const ask = ['ask', 'Make it two', '--sandbox', 'workspace-write']
/** Its lines, unwrapped. */
const relay = async (...more: readonly string[]) =>
  unwrapped(await runHere([...ask, ...more], { cwd, env: environment() }))
function unwrapped({ code, stdout, stderr }: RelayEnd) {
  return { code, stdout, stderr: stderr.replaceAll(/\n {2}(?=[\w/])/g, ' ') }
}
const read = (path: string) => readFileSync(join(cwd, path), 'utf8')
/** What of checkouts and of kept work lies in relay's own folder. */
const left = () => {
  const folder = join(home, 'state/relaycode')
  return ['work', 'kept'].flatMap(name => (existsSync(join(folder, name)) ? readdirSync(join(folder, name)) : []))
}

describe('relay ask --sandbox workspace-write', () => {
  it('starts no program of the project, and leaves the PATH to the agent in its checkout and to hooks', async () => {
    const tools = join(cwd, 'tools')
    mkdirSync(tools)
    for (const name of ['codex', 'git']) {
      writeFileSync(join(tools, name), `#!/bin/sh\necho ${name} >> '${home}/ran'\nexit 1\n`, { mode: 0o755 })
    }
    writeFileSync(join(cwd, '.git/hooks/pre-commit'), `#!/bin/sh\necho "$PATH" > '${home}/hook'\n`, { mode: 0o755 })
    codex(`echo 2 > a.js; echo "$PATH" > '${home}/path'; pwd > '${home}/pwd'`)
    const env = environment()
    const { code } = await runRelay(ask, { cwd, env: { ...env, PATH: `${tools}:${env.PATH}` } })
    expect({ code, ran: existsSync(join(home, 'ran')) }).toEqual({ code: 0, ran: false })
    const noted = (name: string) => readFileSync(join(home, name), 'utf8').trim()
    expect(noted('path').split(':')[0]).toBe(`${noted('pwd')}/tools`)
    expect(noted('hook').split(':')).toContain(tools)
  })

  it('brings home what the agent made in its checkout, and commits it', async () => {
    codex(`echo 2 > a.js; echo '${'b'}' > b.js; pwd > '${home}/pwd'`)
    const { code, stdout, stderr } = unwrapped(await runRelay(ask, { cwd, env: environment() }))
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' })
    expect(stderr.split('\n')[0]).toBe('○ asking codex (workspace-write: enforced), for at most 10 min')
    expect(stderr).toMatch(/✔ kept #1 {2}auto[^\n]*\n✔ committed as [0-9a-f]{7}\n$/)
    expect([read('a.js'), read('b.js')]).toEqual(['2\n', 'b\n'])
    expect(git('log', '--format=%s', '--name-only').trim().split('\n')).toEqual([
      ...['Make it two', '', 'a.js', 'b.js'],
      ...['first', '', '.gitignore', 'a.js', 'relaycode.config.json'],
    ])
    const agentsFolder = readFileSync(join(home, 'pwd'), 'utf8').trim()
    expect(readFileSync(join(home, 'prompt'), 'utf8')).toContain(`Repository path: ${agentsFolder}\n`)
    expect(agentsFolder.startsWith(join(home, 'state/relaycode/work'))).toBe(true)
    expect(left()).toEqual([])
    expect((await runHere(['undo', '--yes'], { cwd, env: environment() })).code).toBe(0)
    expect([read('a.js'), existsSync(join(cwd, 'b.js'))]).toEqual(['1\n', false])
  })

  it('tells programs what happens', async () => {
    codex('echo 2 > a.js')
    const { stdout } = await relay('--json')
    const events = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    for (const event of events) expect(v.safeParse(schemas.event, event).issues).toBeUndefined()
    const own = events.filter(({ event }) => /^(work|task|attempt|agent)/.test(event))
    expect(own).toMatchObject([
      { event: 'work-begun', agent: 'codex', sandbox: 'workspace-write', tasks: 1 },
      { event: 'attempt-begun', task: { title: 'Make it two' }, attempt: 1, of: 1 },
      { event: 'agent-answered', status: 'ok' },
      { event: 'task-ended', result: 'landed', number: 1, files: 1, commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
      { event: 'work-ended', stopped: 'all-done', done: 1, failed: 0 },
    ])
    expect(events.map(({ event }) => event)).toContain('kept')
  })

  it.each<[string, string, object, readonly string[], number, RegExp]>([
    ['has no one to agree', 'echo 2 > a.js', { approval: 'no' }, [], 3, /nobody can be asked here/],
    [
      'brings errors',
      'echo 2 > a.js',
      { linter: '! grep -Hn 2 *.js | sed "s/:2$/:1: error: no/" | grep .' },
      ['--trust'],
      3,
      /✖ not accepted: 1 new error$/m,
    ],
    ['breaks off', 'exit 3', {}, [], 9, /✖ codex /],
    [
      'makes a repository',
      'git init -q sub; echo 1 > sub/a; git -C sub add a',
      {},
      [],
      9,
      /made a git repository inside the project, in sub\/.*is kept in .*work: `relay apply --kept 1`/s,
    ],
  ])('leaves the project as it was where the agent %s', async (_, script, config, more, code, says) => {
    configure(config)
    git('commit', '-qam', 'second', '--allow-empty')
    codex(script)
    const before = read('a.js')
    const end = await relay(...more)
    expect({ code: end.code, says: end.stderr }).toEqual({ code, says: expect.stringMatching(says) })
    expect([read('a.js'), git('status', '--short')]).toEqual([before, ''])
  })

  it('fails where the agent writes outside of the project', async () => {
    mkdirSync(join(cwd, 'inner'))
    writeFileSync(join(cwd, 'inner/relaycode.config.json'), '{"projectId":"inner"}')
    git('add', '-A')
    git('commit', '-qm', 'second')
    codex('echo 2 > ../a.js; echo 3 > b.js')
    const { code, stderr } = await runRelay(ask, { cwd: join(cwd, 'inner'), env: environment() })
    expect([code, stderr]).toEqual([9, expect.stringContaining("Files outside of the project's folder")])
    expect([read('a.js'), existsSync(join(cwd, 'inner/b.js'))]).toEqual(['1\n', false])
  })

  it('says that nothing was changed, and commits nothing where it is told so', async () => {
    codex('true')
    expect((await relay()).stderr).toMatch(/✔ the agent changed no file\n$/)
    codex('echo 2 > a.js')
    expect((await relay('--no-commit')).code).toBe(0)
    expect([git('log', '--format=%s'), git('status', '--short')]).toEqual(['first\n', ' M a.js\n'])
  })

  it('stops at Ctrl+C, and the same command goes on with what the agent had done', async () => {
    codex(`echo 2 > a.js; touch '${home}/begun'; sleep 600`)
    const first = startRelay(ask, { cwd, env: environment() })
    await until(() => existsSync(join(home, 'begun')), 'the agent is at work')
    first.kill('SIGINT')
    const { code, stderr } = await first.end
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: expect.stringContaining('the same command goes on from here'),
    })
    expect(read('a.js')).toBe('1\n')
    codex(`echo 3 >> a.js`)
    const second = await relay()
    expect({ code: second.code, stderr: second.stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('It goes on from there.'),
    })
    expect(read('a.js')).toBe('2\n3\n')
    expect(left()).toEqual([])
  })

  it.each<[string, string, number]>([
    ['a pattern for a name', "echo x > ':(glob)*'", 6],
    ['a closed file', 'echo x > b.js; chmod 000 b.js', 9],
    ['no folder any more', 'rm -rf "$PWD"', 9],
  ])('is not stuck by what an agent leaves: %s', async (_, script, expected) => {
    codex(script)
    const { code, stderr } = await relay()
    // Root reads what is closed.
    expect([0, expected], stderr).toContain(code)
    codex('echo 2 > a.js')
    expect((await relay()).code).toBe(0)
    expect(read('a.js')).toBe('2\n')
  })

  it('follows no link that the agent has put in the place of its folder', async () => {
    codex(`mv "$PWD" "$PWD.away"; ln -s '${cwd}' "$PWD"`)
    const { code, stderr } = await relay()
    expect({ code, stderr }).toEqual({ code: 9, stderr: expect.stringContaining('moved or replaced the folder') })
    expect([git('log', '--format=%s'), git('status', '--short')]).toEqual(['first\n', ''])
  })

  it.each<[string, string, number, RegExp]>([
    ['says no', 'echo "error: not today"; exit 1', 0, /not committed: .*not today/],
    ['hangs', 'sleep 600', 0, /not committed: .*took longer than/],
  ])('lands, and says why it is not committed, where a hook %s', async (_, hook, expected, says) => {
    configure({ commandTimeout: 1 })
    git('commit', '-qam', 'second')
    writeFileSync(join(cwd, '.git/hooks/pre-commit'), `#!/bin/sh\n${hook}\n`, { mode: 0o755 })
    codex('echo 2 > a.js; echo 3 > b.js')
    const { code, stderr } = await relay()
    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringMatching(says) })
    expect([git('log', '--format=%s'), git('status', '--short')]).toEqual(['second\nfirst\n', ' M a.js\n?? b.js\n'])
  })

  it('leaves the index as the commit is where a hook formats, and finds a commit whose message was changed', async () => {
    const hooks = join(cwd, '.git/hooks')
    const format = 'sed -i s/2/two/ a.js; echo more > extra.js; git add a.js extra.js'
    writeFileSync(join(hooks, 'pre-commit'), `#!/bin/sh\n${format}\n`, { mode: 0o755 })
    writeFileSync(join(hooks, 'commit-msg'), '#!/bin/sh\nsed -i "1s/^/[X-1] /" "$1"\n', { mode: 0o755 })
    codex('echo 2 > a.js')
    expect((await relay()).stderr).toMatch(/committed as [0-9a-f]{7}/)
    expect([git('log', '-1', '--format=%s'), git('status', '--short')]).toEqual(['[X-1] Make it two\n', ''])
    const { stdout } = await runHere(['show', '--json'], { cwd, env: environment() })
    expect(JSON.parse(stdout)).toMatchObject({ commit: git('rev-parse', 'HEAD').trim() })
  })

  it('does not commit into a rebase', async () => {
    git('checkout', '-qb', 'other')
    writeFileSync(join(cwd, 'c.js'), 'other\n')
    git('add', '-A')
    git('commit', '-qm', 'other')
    git('checkout', '-q', 'main')
    writeFileSync(join(cwd, 'c.js'), 'main\n')
    git('add', '-A')
    git('commit', '-qm', 'main')
    expect(() => execFileSync('git', ['rebase', 'other'], { cwd, env: environment(), stdio: 'ignore' })).toThrow()
    execFileSync('git', ['checkout', '--theirs', 'c.js'], { cwd, env: environment(), stdio: 'ignore' })
    git('add', 'c.js')
    const head = git('rev-parse', 'HEAD')
    codex('echo 2 > a.js')
    expect((await relay()).stderr).toContain('not committed: a rebase is under way')
    expect([git('rev-parse', 'HEAD'), read('a.js')]).toEqual([head, '2\n'])
  })

  it('tells an agent that was stopped what is there, and that the request is to be carried out', async () => {
    codex(`echo 2 > a.js; touch '${home}/begun'; sleep 600`)
    const first = startRelay(ask, { cwd, env: environment() })
    await until(() => existsSync(join(home, 'begun')), 'the agent is at work')
    first.kill('SIGKILL')
    await first.end
    const { stdout } = await runHere(['status'], { cwd, env: environment() })
    expect(stdout).toMatch(/agent +codex, Make it two: relay is gone, its agent \(pid \d+\) still runs/)
    codex('true')
    expect((await relay()).code).toBe(0)
    const prompt = readFileSync(join(home, 'prompt'), 'utf8')
    expect(prompt).toContain('The request is to be carried out')
    expect(prompt).toContain('An earlier run was stopped in the middle of this attempt.')
    expect(read('a.js')).toBe('2\n')
  })

  it('needs a project, and one agent', async () => {
    rmSync(join(cwd, 'relaycode.config.json'))
    codex('true')
    expect((await relay()).code).toBe(2)
    expect(existsSync(join(home, 'prompt'))).toBe(false)
  })
})
