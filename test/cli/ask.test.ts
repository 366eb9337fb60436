import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning } from '../support/is-running.ts'
import { endRelays, runRelay, startRelay, testPath } from '../support/real-relay.ts'
import { respond } from '../support/respond.ts'
import { stateHome } from '../support/state-home.ts'
import { until } from '../support/until.ts'

/** A folder with a fake `codex` in it, and one to work in. */
let programs: string
let cwd: string
beforeEach(() => {
  programs = mkdtempSync(join(tmpdir(), 'relay-programs-'))
  cwd = mkdtempSync(join(tmpdir(), 'relay-ask-'))
})
afterEach(async () => {
  await endRelays()
  for (const pid of pids()) if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  for (const folder of [programs, cwd]) rmSync(folder, { recursive: true, force: true })
})

const pids = () => {
  const path = join(programs, 'pids')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').map(Number) : []
}

const said = (text: string) => {
  const events = [{ type: 'item.completed', item: { type: 'agent_message', text } }, { type: 'turn.completed' }]
  writeFileSync(join(programs, 'answer'), events.map(event => `${JSON.stringify(event)}\n`).join(''))
  return `cat > /dev/null; cat '${programs}/answer'`
}
/** It heeds no INT, and has a child in a session of its own. */
const hangs = () => `trap '' INT; echo $$ > '${programs}/pids'; setsid sleep 600 & echo $! >> '${programs}/pids'; wait`

function codex(script: string) {
  writeFileSync(join(programs, 'codex'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return { cwd, env: { PATH: `${programs}:${testPath}` } }
}

const runs = () => join(stateHome(), 'relaycode', 'agents')
const marks = () => readdirSync(runs()).filter(name => existsSync(join(runs(), name, 'run.json')))

describe('relay ask', () => {
  it('prints what a program answers', async () => {
    const { code, stdout, stderr } = await runRelay(['ask', 'Is this right?'], codex(said('Yes.')))
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Yes.\n' })
    expect(stderr).toMatch(
      /^○ asking codex \(read-only: enforced\), for at most 10 min\n✔ codex answered \([\d.]+ m?s\)\n$/,
    )
  })

  it.each([
    ['.', ''],
    ['', ''],
    ['$PWD/node_modules/.bin', 'node_modules/.bin'],
    ['$PWD', ''],
  ])('runs nothing that lies in the project, with %j on the PATH', async (first, folder) => {
    mkdirSync(join(cwd, folder), { recursive: true })
    for (const name of ['codex', 'git', 'cat']) {
      writeFileSync(join(cwd, folder, name), `#!/bin/sh\necho ${name} >> '${cwd}/ran'\n`, { mode: 0o755 })
    }
    execFileSync('git', ['init', '-q'], { cwd })
    const { env } = codex(said('Yes.'))
    const PATH = `${first.replace('$PWD', cwd)}:${env.PATH}`
    const { code, stdout } = await runRelay(['ask', 'x', '--include-diff'], { cwd, env: { PATH } })
    expect({ code, stdout, ran: existsSync(join(cwd, 'ran')) }).toEqual({ code: 0, stdout: 'Yes.\n', ran: false })
  })

  it('runs nothing that a repository names to tell its differences, and writes nothing there', async () => {
    const git = (...args: readonly string[]) => {
      const who = { GIT_AUTHOR_NAME: 'u', GIT_AUTHOR_EMAIL: 'u@x', GIT_COMMITTER_NAME: 'u', GIT_COMMITTER_EMAIL: 'u@x' }
      return execFileSync('git', args, { cwd, env: { ...process.env, ...who, HOME: cwd }, encoding: 'utf8' })
    }
    const ran = `sh -c 'echo "$0" >> ${cwd}/ran; cat'`
    git('init', '-q')
    for (const name of ['a', 'b', 'c']) writeFileSync(join(cwd, name), `${name}\n`)
    git('add', 'a', 'b', 'c')
    git('commit', '-qm', 'first')
    writeFileSync(join(cwd, '.gitattributes'), 'b filter=own diff=own\n')
    git('config', 'filter.own.clean', `${ran} clean`)
    git('config', 'filter.own.required', 'true')
    git('config', 'diff.own.textconv', `${ran} textconv`)
    git('config', 'diff.own.command', `${ran} command`)
    git('config', 'core.fsmonitor', `${ran} monitor`)
    // A commit whose object is to be fetched.
    git('config', 'core.repositoryformatversion', '1')
    git('config', 'extensions.partialClone', 'origin')
    git('config', 'remote.origin.url', cwd)
    git('config', 'remote.origin.promisor', 'true')
    git('config', 'remote.origin.uploadpack', `${ran} upload`)
    const hook = join(cwd, '.git/hooks/post-index-change')
    mkdirSync(join(cwd, '.git/hooks'), { recursive: true })
    writeFileSync(hook, `#!/bin/sh\necho hook >> '${cwd}/ran'\n`, { mode: 0o755 })
    writeFileSync(join(cwd, 'b'), 'changed\n')
    // Touched alone: git would write its index.
    utimesSync(join(cwd, 'a'), 1, 1)
    const [blob = ''] = git('rev-parse', 'HEAD:c').trim().split('\n')
    rmSync(join(cwd, '.git/objects', blob.slice(0, 2), blob.slice(2)))
    const index = readFileSync(join(cwd, '.git/index'))
    rmSync(join(cwd, 'ran'), { force: true })

    const given = codex(`cat > '${programs}/prompt'; cat '${programs}/answer'`)
    said('Yes.')
    const { code } = await runRelay(['ask', 'x', '--include-diff'], given)
    expect(code).toBe(0)
    expect(readFileSync(join(programs, 'prompt'), 'utf8')).toContain('\n-b\n+changed')
    // It needs the object that is not there.
    writeFileSync(join(cwd, 'c'), 'changed\n')
    expect((await runRelay(['ask', 'x', '--include-diff'], given)).code).toBe(2)
    expect(readFileSync(join(cwd, '.git/index')).equals(index)).toBe(true)
    writeFileSync(join(cwd, 'relaycode.config.json'), '{"projectId":"demo"}')
    await runRelay(['pack', '--changed', '--stdout'], given)
    expect(existsSync(join(cwd, 'ran')) ? readFileSync(join(cwd, 'ran'), 'utf8') : '').toBe('')
  })

  it('applies an answer', async () => {
    writeFileSync(join(cwd, 'relaycode.config.json'), '{"projectId":"demo"}')
    const { code } = await runRelay(['ask', 'Make it', '--apply'], codex(said(respond({ 'a.js': '1\n' }))))
    expect([code, readFileSync(join(cwd, 'a.js'), 'utf8')]).toEqual([0, '1\n'])
    const { stdout } = await runRelay(['show', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ source: 'agent:codex' })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends the agent, and what it started, on %s', async (signal, code) => {
    const relay = startRelay(['ask', 'x'], codex(hangs()))
    await until(() => pids().length === 2, 'the agent has started')
    relay.kill(signal)
    const end = await relay.end
    expect(end.code).toBe(code)
    expect(end.stderr).toContain('codex was interrupted')
    expect(pids().filter(isRunning)).toEqual([])
    expect(marks()).toEqual([])
  })

  it('ends with the agent at once on a second Ctrl+C', async () => {
    const relay = startRelay(['ask', 'x'], codex(`trap '' TERM; ${hangs()}`))
    await until(() => pids().length === 2, 'the agent has started')
    relay.kill('SIGINT')
    await relay.says(/ending codex; Ctrl\+C again ends it at once/)
    relay.kill('SIGINT')
    const end = await relay.end
    expect([end.code, end.stderr.endsWith('stopped at once\n')]).toEqual([130, true])
    await until(() => pids().every(pid => !isRunning(pid)), 'the agent is gone')
  })

  it.each([['ask', 'x'], ['recover']])('relay %s ends an agent that outlived its relay', async (...argv) => {
    writeFileSync(join(cwd, 'relaycode.config.json'), '{"projectId":"demo"}')
    const relay = startRelay(['ask', 'x'], codex(hangs()))
    await until(() => pids().length === 2, 'the agent has started')
    relay.kill('SIGKILL')
    await relay.end
    expect(pids().filter(isRunning)).toHaveLength(2)
    expect((await runRelay(argv, codex(said('Yes.')))).code).toBe(0)
    expect(pids().filter(isRunning)).toEqual([])
    expect(marks()).toEqual([])
  })
})

describe('inside an agent', () => {
  const env = { RELAY_AGENT: '1' }

  it.each([['init'], ['apply'], ['watch'], ['undo'], ['redo'], ['revert', '1'], ['recover'], ['prune'], ['pack']])(
    'relay %s changes nothing',
    async (...argv) => {
      writeFileSync(join(cwd, 'relaycode.config.json'), '{"projectId":"demo"}')
      const { code, stderr } = await runRelay(argv, { cwd, env })
      expect({ code, line: stderr.split('\n')[0] }).toEqual({
        code: 2,
        line: 'Error: An agent of relay runs this (RELAY_AGENT=1), and relay changes nothing for it',
      })
      expect(readdirSync(cwd)).toEqual(['relaycode.config.json'])
    },
  )

  it('relay shows what there is', async () => {
    writeFileSync(join(cwd, 'relaycode.config.json'), '{"projectId":"demo"}')
    expect((await runRelay(['status'], { cwd, env })).code).toBe(0)
    expect((await runRelay(['config', 'linter', 'x'], { cwd, env })).code).toBe(2)
  })
})
