import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isRunning } from '../support/is-running.ts'
import { runRelay } from '../support/real-relay.ts'
import { githubToken } from '../support/secrets.ts'
import { until } from '../support/until.ts'
import { DelegateWorld, token } from './delegate-world.ts'

let world: DelegateWorld
beforeEach(() => {
  world = new DelegateWorld()
})
afterEach(() => world.remove())

describe('relay delegate', () => {
  it('goes from a line of text to a pull request, and leaves the repository alone', async () => {
    await world.withOrigin().withApi()
    const before = world.git('for-each-ref')
    const { code, stdout } = await world.program('Add dark mode toggle to settings page')
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'https://github.com/o/r/pull/7\n' })
    const [session] = world.sessions()
    const { branch } = session as { branch: string }
    expect(branch).toMatch(/^claude\/add-dark-mode-toggle-to-settin-\d{10}$/)
    expect(world.gitIn(world.bare, 'log', '--format=%s', '--name-only', branch).trim().split('\n')).toEqual([
      'feat: Add dark mode toggle to settings page',
      '',
      'a.txt',
      'b.txt',
      'first',
      '',
      '.gitignore',
      'a.txt',
    ])
    expect([world.read('a.txt'), world.git('for-each-ref'), world.git('status', '--short')]).toEqual([
      '1\n',
      before,
      '',
    ])
    expect(world.requests).toMatchObject([
      { method: 'GET', url: expect.stringContaining('head=o%3Aclaude') },
      {
        method: 'POST',
        url: '/repos/o/r/pulls',
        authorization: `Bearer ${token}`,
        body: { title: 'Add dark mode toggle to settings page', head: branch, base: 'main' },
      },
    ])
    expect(world.requests[1]?.body?.['body']).toMatchInlineSnapshot(`
      "## Summary

      The toggle is there.

      ## Instructions

      Add dark mode toggle to settings page

      ## Checks

      The project has no commands of its own that relay could run.

      ---

      Made by an agent (claude), by way of \`relay delegate\`.
      "
    `)
    expect(world.seen[0]?.split('\n=====')[0]).toMatchInlineSnapshot(`
      "Add dark mode toggle to settings page

      ## Important Guidelines
      - Make the requested changes to the codebase
      - Run tests to verify that your changes work
      - Do NOT perform any git operations (no commit, push, branch, etc.)
      - When the changes are complete and the tests pass, simply stop"
    `)
    expect(session).toMatchObject({ status: 'completed', prUrl: 'https://github.com/o/r/pull/7' })
  })
  it('keeps the branch in the repository where there is no origin', async () => {
    const { code, stdout, stderr } = await world.relay('Make it two')
    const branch = stdout.trim()
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('has no remote `origin`') })
    expect(world.git('show', `${branch}:a.txt`)).toBe('2\n')
    expect(world.git('status', '--short', '--branch')).toBe('## main\n')
    const [session] = world.sessions()
    expect(session).toMatchObject({ status: 'completed', homeBranch: branch })
    expect(readdirSync(`${session?.['folder']}`)).toEqual(['session.json'])
  })

  it('is named by relay status in its project', async () => {
    world.write({ 'relaycode.config.json': '{"projectId":"demo"}' })
    world.commit('second')
    const branch = (await world.relay('Make it two')).stdout.trim()
    const { stdout } = await runRelay(['status'], { cwd: world.cwd, env: world.env })
    const [id] = world.sessions().map(each => `${each['id']}`.slice(0, 8))
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`sent ${id} ${branch}: Claude has finished. Branch: ${branch}`)
  })

  it('brings the branch home where the push is refused, and pushes it at the next try', async () => {
    await world.withOrigin().withApi()
    const hook = join(world.bare, 'hooks/pre-receive')
    writeFileSync(hook, '#!/bin/sh\necho no branches today >&2; exit 1\n', { mode: 0o755 })
    const { code, stderr } = await world.relay('Make it two')
    expect({ code, told: stderr.split('no branches today').length - 1 }).toEqual({ code: 9, told: 1 })
    const [failed] = world.sessions()
    expect(failed).toMatchObject({ status: 'error', error: { kind: 'git' }, homeBranch: failed?.['branch'] })
    expect(world.git('show', `${failed?.['branch']}:a.txt`)).toBe('2\n')
    writeFileSync(hook, '#!/bin/sh\n', { mode: 0o755 })
    const again = await world.relay('retry', `${failed?.['id']}`.slice(0, 8))
    expect(again).toMatchObject({ code: 0, stdout: 'https://github.com/o/r/pull/7\n' })
    // The agent was not asked a second time.
    expect(world.seen.length).toBe(1)
  })

  it('pushes to another host than GitHub, and says so', async () => {
    world.withOrigin('https://gitlab.com/o/r.git')
    const { code, stdout, stderr } = await world.relay('Make it two')
    const branch = `${world.sessions()[0]?.['branch']}`
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${branch}\n` })
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'https://gitlab.com/o/r.git is not on GitHub. The branch is pushed there, and no pull request is opened.',
    )
    expect(world.gitIn(world.bare, 'show', `${branch}:a.txt`)).toBe('2\n')
    expect(world.sessions()[0]).toMatchObject({ status: 'completed', remark: 'pushed, no pull request: not GitHub' })
  })

  it('finds the pull request that is open already', async () => {
    await world.withOrigin().withApi(['https://github.com/o/r/pull/3'])
    expect(await world.relay('Make it two')).toMatchObject({ code: 0, stdout: 'https://github.com/o/r/pull/3\n' })
    expect(world.requests.map(({ method }) => method)).toEqual(['GET'])
  })

  it('masks a secret in what it was asked for, and says so', async () => {
    await world.withOrigin().withApi()
    const { code, stderr } = await world.relay(`Sign in with ${githubToken}`)
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('secrets in its text were masked (***)'),
    })
    expect(world.requests[1]).toMatchObject({ body: { title: 'Sign in with ***' } })
    expect(JSON.stringify(world.requests)).not.toContain(githubToken)
    expect(world.sessions()[0]).toMatchObject({ status: 'completed', remark: 'secrets in its text were masked' })
  })

  it('opens it with gh where that is logged in, and never has its token', async () => {
    world.withOrigin()
    delete world.env['GITHUB_TOKEN']
    world.install(
      'gh',
      `echo "$@" >> '${world.home}/gh.txt'\ncase "$1 $2" in "pr list") echo '[]';; "pr create") echo https://github.com/o/r/pull/9;; esac`,
    )
    expect(await world.relay('Make it two')).toMatchObject({ code: 0, stdout: 'https://github.com/o/r/pull/9\n' })
    expect(readFileSync(join(world.home, 'gh.txt'), 'utf8')).not.toContain('token')
  })

  it('says that a pull request needs an account before anything is paid for', async () => {
    world.withOrigin()
    delete world.env['GITHUB_TOKEN']
    const { code, stderr } = await world.relay('Make it two')
    expect({ code, stderr }).toEqual({
      code: 8,
      stderr: expect.stringContaining('Run `gh auth login`, or set GITHUB_TOKEN.'),
    })
    expect([world.seen, world.sessions()]).toEqual([[], []])
    expect((await world.relay('Make it two', '--no-pr')).code).toBe(0)
  })

  it.each<[string, string, string, string]>([
    ['fails', 'exit 3', 'it ended with exit code 3', 'agent'],
    ['changes nothing', 'true', 'The agent changed no file', 'agent'],
  ])('is an error where the agent %s', async (_, script, message, kind) => {
    world.agent(script)
    const { code } = await world.program('Make it two', '--attempts', '1')
    expect(code).toBe(9)
    expect(world.sessions()[0]).toMatchObject({
      status: 'error',
      error: { kind, message: expect.stringContaining(message) },
    })
    expect(world.git('branch', '--list', 'claude/*')).toBe('')
  })

  it('says on one line why work was not accepted, with what would agree to it and where it is kept', async () => {
    world.agent('mkdir .husky; echo x > .husky/pre-commit')
    const { stderr } = await world.relay('Add\na hook')
    const [id] = world.sessions().map(each => `${each['id']}`)
    const retry = `relay delegate retry ${id?.slice(0, 8)} --allow-sensitive`
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      `Hint: Its work is kept: \`relay apply --kept 1\`. Then: \`${retry}\`.`,
    )
    const { stdout } = await world.relay('list')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Add a hook Error: Not accepted: .husky/pre-commit: runs on')
    expect((await world.relay('status', `${id}`)).stdout.replaceAll(/\s+/g, ' ')).toContain(
      'status error: Not accepted: .husky/pre-commit: runs on',
    )
    expect((await world.relay('retry', `${id}`, '--allow-sensitive')).code).toBe(0)
  })

  it('takes no part in what an agent does to its clone', async () => {
    await world.withOrigin().withApi()
    const trap = `touch '${world.home}/sprung'`
    world.agent(
      [
        'echo 2 > a.txt',
        'git checkout -q -b evil; git commit -qam evil; git remote add origin https://example.com/x.git',
        `git config core.sshCommand '${trap}'; git config credential.helper '!${trap}'; git config core.fsmonitor '${trap}'`,
        `mkdir -p .git/hooks; for hook in pre-push pre-commit post-checkout; do printf '#!/bin/sh\\n${trap}\\n' > .git/hooks/$hook; chmod +x .git/hooks/$hook; done`,
        'git push -q origin evil 2>/dev/null; git update-ref refs/heads/main HEAD; true',
      ].join('\n'),
    )
    expect(await world.relay('Make it two')).toMatchObject({ code: 0 })
    const [session] = world.sessions()
    const branches = world.gitIn(world.bare, 'for-each-ref', '--format=%(refname:short)').trim().split('\n')
    expect(branches).toEqual([session?.['branch'], 'main'])
    expect(world.gitIn(world.bare, 'log', '--format=%s', `${branches[0]}`).trim().split('\n')).toEqual([
      'feat: Make it two',
      'first',
    ])
    expect(world.git('branch', '--format=%(refname:short)')).toBe('main\n')
    expect(existsSync(join(world.home, 'sprung'))).toBe(false)
  })

  it('hands the token to nobody, and keeps it nowhere', async () => {
    await world.withOrigin().withApi()
    world.git('config', 'remote.origin.url', `https://user:${token}@github.com/o/r.git`)
    world.git('config', '--global', `url.${world.bare}.insteadOf`, `https://user:${token}@github.com/o/r.git`)
    const end = await world.relay('Make it two', '--json')
    expect(end.code).toBe(0)
    expect(`${end.stdout}${end.stderr}`).not.toContain(token)
    const all = (folder: string): string[] =>
      readdirSync(folder, { withFileTypes: true }).flatMap(each => {
        const path = join(folder, each.name)
        return each.isDirectory() ? all(path) : each.isFile() ? [path] : []
      })
    const holding = [...all(join(world.home, 'state')), ...all(join(world.home, 'seen'))].filter(path =>
      readFileSync(path).includes(token),
    )
    expect(holding).toEqual([])
    expect(world.requests.map(({ body }) => JSON.stringify(body ?? '')).join('')).not.toContain(token)
  })

  it('hands no token to the commands that run what the agent wrote', async () => {
    await world.withOrigin().withApi()
    world.env['SSH_AUTH_SOCK'] = join(world.home, 'agent.sock')
    const linter = `sh -c 'echo "$GITHUB_TOKEN$SSH_AUTH_SOCK." >> "$HOME/linted"'`
    world.write({ 'relaycode.config.json': JSON.stringify({ projectId: 'demo', linter }) })
    world.commit('a linter')
    expect((await world.relay('Make it two', '--trust')).code).toBe(0)
    expect([...new Set(readFileSync(join(world.home, 'linted'), 'utf8').trim().split('\n'))]).toEqual(['.'])
  })

  it('goes on after a kill with what the agent had done', async () => {
    await world.withOrigin().withApi()
    world.agent(`echo 2 > a.txt; touch '${world.home}/begun'; exec sleep 600`)
    const first = world.start('Make it two')
    await until(() => existsSync(join(world.home, 'begun')), 'the agent is at work')
    first.kill('SIGKILL')
    await first.end
    const list = JSON.parse((await world.relay('list', '--json')).stdout)
    const interrupted = {
      status: 'error',
      errorMessage: 'Session interrupted',
      pid: null,
      agentPid: expect.any(Number),
    }
    expect(list.sessions).toMatchObject([interrupted])
    expect((await world.relay('list')).stdout).toMatch(
      /relay is gone, its agent \(pid \d+\) still\s+runs: `relay recover`/,
    )
    world.agent('echo 3 >> a.txt')
    const { id, branch } = list.sessions[0]
    expect(await world.relay('retry', id)).toMatchObject({ code: 0, stdout: 'https://github.com/o/r/pull/7\n' })
    expect(world.gitIn(world.bare, 'show', `${branch}:a.txt`)).toBe('2\n3\n')
  })

  it('takes one from before a boot as interrupted, and cleans nothing that is nowhere else', async () => {
    world.agent(`echo 2 > a.txt; touch '${world.home}/begun'; sleep 600`)
    const first = world.start('Make it two')
    await until(() => existsSync(join(world.home, 'begun')), 'the agent is at work')
    const [session] = world.sessions()
    const path = join(`${session?.['folder']}`, 'session.json')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace(/"boot": ".*"/, '"boot": "another"'))
    expect((await world.relay('status', `${session?.['id']}`)).stdout).toContain('Session interrupted')
    first.kill('SIGKILL')
    await first.end
    expect((await world.relay('clean')).stderr).toContain('kept, since its work is nowhere else')
    expect(world.sessions().length).toBe(1)
    const cleaned = await world.relay('clean', `${session?.['id']}`, '--json')
    expect(JSON.parse(cleaned.stdout)).toEqual({ removed: [session?.['id']], bytes: expect.any(Number), branches: [] })
    expect(world.sessions()).toEqual([])
  })

  it.each(['SIGCONT', 'SIGKILL'] as const)(
    'ends the agent and removes the session, after %s, at cancel',
    async signal => {
      world.agent(`echo $$ > '${world.home}/pid'; touch '${world.home}/begun'; sleep 600`)
      const first = world.start('Make it two')
      await until(() => existsSync(join(world.home, 'begun')), 'the agent is at work')
      first.kill(signal)
      const [session] = world.sessions()
      const { code, stderr } = await world.relay('cancel', `${session?.['id']}`.slice(0, 8))
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: expect.stringMatching(/^Cancelled 1 session: .* freed\.\n$/),
      })
      expect((await first.end).code).toBe(signal === 'SIGKILL' ? null : 143)
      expect(isRunning(Number(readFileSync(join(world.home, 'pid'), 'utf8')))).toBe(false)
      expect([world.sessions(), readdirSync(world.sessionsFolder)]).toEqual([[], []])
    },
  )

  it('stops at Ctrl+C, and a retry goes on with what the agent had done', async () => {
    world.agent(`echo 2 > a.txt; touch '${world.home}/begun'; sleep 600`)
    const first = world.start('Make it two')
    await until(() => existsSync(join(world.home, 'begun')), 'the agent is at work')
    first.kill('SIGINT')
    const { code, stderr } = await first.end
    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining('Session interrupted') })
    world.agent('echo 3 >> a.txt')
    const { id, branch } = world.sessions()[0] as { id: string; branch: string }
    expect(await world.relay('retry', id)).toMatchObject({ code: 0, stdout: `${branch}\n` })
    expect(world.git('show', `${branch}:a.txt`)).toBe('2\n3\n')
  })

  it('opens one pull request though it is killed while it asks for it', async () => {
    world.withOrigin()
    world.env['GITHUB_API_URL'] = 'http://127.0.0.1:1'
    const gh = `echo "$@" >> '${world.home}/gh.txt'; case "$1 $2" in "pr list") echo '[]';; "pr create") `
    world.install('gh', `${gh} echo $$ > '${world.home}/pid'; exec sleep 600;; esac`)
    const first = world.start('Make it two')
    await until(() => existsSync(join(world.home, 'pid')), 'gh is asked')
    first.kill('SIGKILL')
    await first.end
    process.kill(Number(readFileSync(join(world.home, 'pid'), 'utf8')), 'SIGKILL')
    world.install('gh', `${gh} echo https://github.com/o/r/pull/9;; esac`)
    const { id } = world.sessions()[0] as { id: string }
    expect(await world.relay('retry', id)).toMatchObject({ code: 0, stdout: 'https://github.com/o/r/pull/9\n' })
    expect(world.seen.length).toBe(1)
  })

  it.each<[string, string, number, object]>([
    ['the API is not reached', 'http://127.0.0.1:1', 8, { kind: 'network' }],
    ['the token is not good', '', 8, { kind: 'auth' }],
  ])('says what to do where %s, and keeps what was pushed', async (_, api, code, error) => {
    await world.withOrigin().withApi([], 401)
    if (api !== '') world.env['GITHUB_API_URL'] = api
    const end = await world.relay('Make it two')
    expect({ code: end.code, stderr: end.stderr }).toEqual({
      code,
      stderr: expect.stringMatching(/Hint: .*Then: `relay delegate retry \w{8}`\./s),
    })
    const [session] = world.sessions()
    expect(session).toMatchObject({ status: 'error', error, isPushed: true })
    expect(world.gitIn(world.bare, 'show', `${session?.['branch']}:a.txt`)).toBe('2\n')
  })

  it('is tried again by one relay at a time', async () => {
    world.agent('exit 3')
    await world.relay('Make it two', '--attempts', '1')
    const { id } = world.sessions()[0] as { id: string }
    world.agent(`echo x >> '${world.home}/begun'; until [ -e '${world.home}/go' ]; do sleep 0.1; done; echo 2 > a.txt`)
    const both = [world.start('retry', id), world.start('retry', id)]
    const other = await Promise.race(both.map(({ end }) => end))
    expect({ code: other.code, stderr: other.stderr }).toEqual({
      code: 8,
      stderr: expect.stringMatching(/process \d+\)/),
    })
    writeFileSync(join(world.home, 'go'), '')
    expect((await Promise.all(both.map(({ end }) => end))).map(({ code }) => code).toSorted()).toEqual([0, 8])
    expect(world.sessions()).toMatchObject([{ status: 'completed' }])
    expect(readFileSync(join(world.home, 'begun'), 'utf8')).toBe('x\n')
  })

  it('goes on in the background', async () => {
    await world.withOrigin().withApi()
    world.agent(`until [ -e '${world.home}/go' ]; do sleep 0.1; done; echo 2 > a.txt`)
    const { code, stdout } = await world.program('Make it two', '--detach')
    const [session] = world.sessions()
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${`${session?.['id']}`.slice(0, 8)}\n` })
    writeFileSync(join(world.home, 'go'), '')
    await until(() => world.sessions()[0]?.['status'] === 'completed', 'it is done')
    expect(world.sessions()[0]).toMatchObject({ prUrl: 'https://github.com/o/r/pull/7' })
  })

  it('has three under way at most, and names them', async () => {
    world.agent('sleep 600')
    for (const each of ['one', 'two', 'three']) expect((await world.program(each, '--detach')).code).toBe(0)
    const { code, stderr } = await world.relay('four')
    expect({ code, stderr }).toEqual({
      code: 8,
      stderr: expect.stringMatching(/3 sessions are under way: .*one.*two.*three/s),
    })
    expect(world.sessions().length).toBe(3)
    for (const { id } of world.sessions()) await world.relay('cancel', `${id}`)
  })

  it('starts no agent on a branch whose settings nobody has seen', async () => {
    world.git('checkout', '-qb', 'other')
    world.write({ '.mcp.json': '{"mcpServers":{"x":{"command":"evil"}}}' })
    world.commit('settings')
    world.git('checkout', '-q', 'main')
    const { code, stderr } = await world.relay('Make it two', '--base', 'other')
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining('.mcp.json: not what stands in your folder'),
    })
    expect([world.seen, world.sessions()]).toEqual([[], []])
    expect((await world.relay('Make it two', '--base', 'other', '--trust')).code).toBe(0)
  })

  it('begins nothing in a repository that holds another one', async () => {
    world.git('update-index', '--add', '--cacheinfo', `160000,${world.git('rev-parse', 'HEAD').trim()},lib`)
    world.git('commit', '-qm', 'a submodule')
    const { code, stderr } = await world.relay('Make it two')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('lib is another git repository') })
    expect(world.sessions()).toEqual([])
  })

  it('begins where it is told, and goes there', async () => {
    await world.withOrigin().withApi()
    world.git('checkout', '-qb', 'other')
    world.write({ 'c.txt': 'c\n' })
    world.commit('second')
    world.git('checkout', '-q', 'main')
    expect((await world.relay('Make it two', '--base', 'other')).code).toBe(0)
    expect(world.requests[1]?.body).toMatchObject({ base: 'other' })
    expect(world.gitIn(world.bare, 'log', '--format=%s', `${world.sessions()[0]?.['branch']}`).trim()).toBe(
      'feat: Make it two\nsecond\nfirst',
    )
  })

  it('says what of the folder the agent does not see, and which commits are pushed with its work', async () => {
    await world.withOrigin().withApi()
    world.write({ 'c.txt': 'c\n' })
    world.commit('second')
    world.write({ 'a.txt': 'mine\n', 'new.txt': 'n\n' })
    const { stderr } = await world.relay('Make it two')
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
      'not committed, so the agent does not see it: a.txt, new.txt ▲ pushed with its work: 1 commit of yours that origin does not have',
    )
    expect(world.read('a.txt')).toBe('mine\n')
  })

  it('only says what would be done', async () => {
    const { code, stdout } = await world.relay('Make it two', '--dry-run')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('Nothing was run: this is a dry run.'),
    })
    expect([world.seen, world.sessions()]).toEqual([[], []])
  })

  it.each<[string, readonly string[], RegExp]>([
    ['no instructions', [''], /is empty|required/],
    ['blank instructions', ['  '], /Instructions are required/],
    ['two more texts', ['x', '--extra', 'y', '--instructions-file', 'z.md'], /either --extra or --instructions-file/],
    ['a file that is not there', ['x', '--instructions-file', 'z.md'], /There is no file/],
    ['a file that is no Markdown', ['x', '--instructions-file', 'a.txt'], /takes a \.md file/],
    ['no repository', ['x', '--git-dir', '/'], /is not in a git repository/],
    ['no folder', ['x', '--git-dir', 'nowhere'], /There is no folder/],
    ['a session that there is not', ['status', '12345678'], /There is no session 12345678/],
    ['--review with --detach', ['x', '--review', '--detach'], /--review/],
  ])('refuses %s', async (_, args, says) => {
    const { code, stderr } = await world.relay(...args)
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(says) })
    expect(world.sessions()).toEqual([])
  })
})
