import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readOrigin } from '../../../src/agents/ship/origin.ts'
import { type Pushed, type PushRequest, pushBranch } from '../../../src/agents/ship/push.ts'
import { ShipWorld, write } from './world.ts'

const gitHub = 'https://github.com/o/r.git'

let world: ShipWorld
let bare: string
let server: Server | undefined
beforeEach(() => {
  world = new ShipWorld()
  bare = world.bareRemote(gitHub)
  world.branch('claude/work', { 'b.txt': 'b\n' })
})
afterEach(() => {
  server?.close()
  server = undefined
  world.remove()
})

const push = (more: Partial<PushRequest> = {}): Promise<Pushed> =>
  pushBranch({ root: world.top, branch: 'claude/work', url: gitHub, timeLimit: 60, ...more }, world.system)
/** The branch in a repository of relay's alone. */
const clone = (): string => {
  const gitDir = join(world.home, 'a "clone": ü.git')
  world.gitIn(world.home, 'clone', '-q', '--bare', '--no-hardlinks', world.top, gitDir)
  world.git('branch', '-q', '-D', 'claude/work')
  world.git('reflog', 'expire', '--expire=all', '--all')
  world.git('prune')
  return gitDir
}
const inBare = (...args: readonly string[]) => world.gitIn(bare, ...args).trim()

describe('a push', () => {
  it('brings the branch to origin, which it follows then, and finds that done the next time', async () => {
    expect(await push()).toEqual({ kind: 'pushed' })
    expect(inBare('rev-parse', 'claude/work')).toBe(world.commitAt('claude/work'))
    expect(world.git('rev-parse', '--abbrev-ref', 'claude/work@{upstream}')).toBe('origin/claude/work\n')
    expect(await push()).toEqual({ kind: 'up-to-date' })
  })

  it('pushes nothing but the branch', async () => {
    world.git('tag', '-a', '-m', 'tag', 'v1', 'claude/work')
    world.git('config', 'push.followTags', 'true')
    world.git('config', 'push.default', 'matching')
    expect(await push()).toEqual({ kind: 'pushed' })
    expect(inBare('for-each-ref', '--format=%(refname)')).toBe('refs/heads/claude/work\nrefs/heads/main')
  })

  it('goes where origin led before, whatever it says now', async () => {
    world.git('remote', 'set-url', 'origin', 'https://example.com/elsewhere.git')
    expect(await push()).toEqual({ kind: 'pushed' })
    expect(inBare('rev-parse', 'claude/work')).toBe(world.commitAt('claude/work'))
    expect(() => world.git('config', 'branch.claude/work.remote')).toThrow()
    expect(world.git('remote')).toBe('origin\n')
  })

  it('goes by what the user has set for pushes', async () => {
    const other = world.bareRemote('other:o/r.git', 'other')
    world.git('config', '--global', '--unset-all', `url.${bare}.insteadOf`)
    world.git('config', '--global', `url.${other}.pushInsteadOf`, gitHub)
    expect(await push()).toEqual({ kind: 'pushed' })
    expect(world.gitIn(other, 'rev-parse', 'claude/work').trim()).toBe(world.commitAt('claude/work'))
  })

  it('runs the hooks of the user in their repository, and none in one of relay', async () => {
    world.hook('pre-push', 'echo "error: not on a Friday" >&2; exit 1')
    world.git('config', '--global', 'core.hooksPath', join(world.top, '.git/hooks'))
    const message = `Cannot push claude/work to ${gitHub}: failed to push some refs to '${bare}'`
    expect(await push()).toMatchObject({ kind: 'failed', cause: 'git', message })
    expect(await push({ gitDir: clone() })).toEqual({ kind: 'pushed' })
  })

  it('comes from a repository of relay as from the user, who learns nothing of it', async () => {
    world.git('config', '--global', '--unset-all', `url.${bare}.insteadOf`)
    world.git('config', `url.${bare}.insteadOf`, gitHub)
    const commit = world.commitAt('claude/work')
    const gitDir = clone()
    const before = world.git('for-each-ref') + world.git('config', '--list')
    expect(await push({ gitDir })).toEqual({ kind: 'pushed' })
    expect(inBare('rev-parse', 'claude/work')).toBe(commit)
    expect(world.git('for-each-ref') + world.git('config', '--list')).toBe(before)
    expect(() => world.git('cat-file', '-e', commit)).toThrow()
    expect(await push({ gitDir })).toEqual({ kind: 'up-to-date' })
  })

  it('takes nothing away that others pushed there', async () => {
    world.branch('theirs', { 'c.txt': 'c\n' })
    world.git('push', '-q', 'origin', 'theirs:claude/work')
    expect(await push()).toEqual({
      kind: 'failed',
      cause: 'rejected',
      message: `Cannot push claude/work to ${gitHub}: claude/work has other commits there`,
      hint: 'Look at what is there: `git fetch origin claude/work`. relay never overwrites it.',
    })
    expect(inBare('rev-parse', 'claude/work')).toBe(world.commitAt('theirs'))
  })

  it('says why the other side did not take it', async () => {
    write(join(bare, 'hooks'), { 'pre-receive': '#!/bin/sh\necho "error: GH006: Protected branch" >&2; exit 1\n' })
    expect(await push()).toEqual({
      kind: 'failed',
      cause: 'rejected',
      message: `Cannot push claude/work to ${gitHub}: remote rejected: pre-receive hook declined, GH006: Protected branch`,
      hint: 'The rules of the repository there say what it takes.',
    })
  })
})

describe('a push that fails', () => {
  const ssh = 'git@github.com:o/r.git'

  /** An ssh that says this and fails; it notes how it was called. */
  const sshSays = (text: string): string => {
    world.programs({ ssh: `#!/bin/sh\necho "$* ask=$SSH_ASKPASS" >> ${world.home}/called\n${text}\n` })
    return join(world.home, 'bin/ssh')
  }

  it('says that no SSH agent is running, and lets SSH ask nobody', async () => {
    sshSays('echo "git@github.com: Permission denied (publickey)." >&2; exit 255')
    Object.assign(world.system.env, { SSH_ASKPASS: '/bin/window', DISPLAY: ':0' })
    expect(await push({ url: ssh })).toEqual({
      kind: 'failed',
      cause: 'auth',
      message: `Cannot push claude/work to ${ssh}: no SSH agent is running, and github.com took no key`,
      hint: 'Start it and add your key: `eval "$(ssh-agent)" && ssh-add`.',
    })
    expect(world.read('called')).toMatch(/^-o BatchMode=yes .*git-receive-pack 'o\/r\.git' ask=\n$/)
  })

  it('says that the SSH agent has no key that is good', async () => {
    sshSays('echo "git@github.com: Permission denied (publickey)." >&2; exit 255')
    Object.assign(world.system.env, { SSH_AUTH_SOCK: '/run/agent' })
    expect(await push({ url: ssh })).toMatchObject({
      cause: 'auth',
      message: `Cannot push claude/work to ${ssh}: github.com took none of the keys of your SSH agent`,
    })
  })

  it('leaves the way to SSH alone that the user has set', async () => {
    const own = sshSays('exit 255')
    world.git('config', 'core.sshCommand', `${own} --mine`)
    await push({ url: ssh })
    expect(world.read('called')).toMatch(/^--mine git@github\.com /)
    Object.assign(world.system.env, { GIT_SSH_COMMAND: `${own} --other` })
    await push({ url: ssh })
    expect(world.read('called')).toMatch(/\n--other git@github\.com /)
  })

  it.each([
    ['Host key verification failed.', 'auth', 'SSH does not know the key of github.com'],
    ['ERROR: Repository not found.', 'auth', 'your account may not push there, or there is no such repository'],
    [
      'ERROR: Permission to o/r.git denied to me.',
      'auth',
      'your account may not push there, or there is no such repository',
    ],
    ['ssh: Could not resolve hostname github.com: no', 'network', 'ssh: Could not resolve hostname github.com: no'],
    [
      'ssh: connect to host github.com port 22: Connection timed out',
      'network',
      'ssh: connect to host github.com port 22: Connection timed out',
    ],
  ])('knows "%s"', async (line, cause, says) => {
    sshSays(`echo "${line}" >&2; exit 255`)
    const message = `Cannot push claude/work to ${ssh}: ${says}`
    expect(await push({ url: ssh })).toMatchObject({ kind: 'failed', cause, message })
  })

  it('says that no credential helper gave a password, and opens no window for one', async () => {
    const url = await serve(401)
    world.programs({ window: `#!/bin/sh\ntouch ${world.home}/asked\necho secret\n` })
    world.git('config', '--global', 'credential.helper', '!f() { echo "helper is broken" >&2; exit 1; }; f')
    world.git('config', '--global', 'core.askPass', join(world.home, 'bin/window'))
    Object.assign(world.system.env, { GIT_ASKPASS: join(world.home, 'bin/window') })
    expect(await push({ url })).toEqual({
      kind: 'failed',
      cause: 'auth',
      message: `Cannot push claude/work to ${url}: no credential helper gave a password for 127.0.0.1`,
      hint: 'Run `gh auth setup-git`, or set another `credential.helper` that has your password.',
    })
    expect(() => world.read('asked')).toThrow()
  })

  it('says that the password is not good', async () => {
    const url = await serve(401)
    world.git('config', '--global', 'credential.helper', '!f() { echo username=me; echo password=old; }; f')
    expect(await push({ url })).toMatchObject({
      cause: 'auth',
      message: `Cannot push claude/work to ${url}: 127.0.0.1 did not take the password of your credential helper`,
    })
  })

  it.each([
    [403, 'auth'],
    [404, 'auth'],
    [502, 'network'],
  ])('knows the status %d', async (status, cause) => {
    expect(await push({ url: await serve(status) })).toMatchObject({ kind: 'failed', cause })
  })

  it('says that nothing is there', async () => {
    const url = await serve(200)
    server?.close()
    expect(await push({ url })).toMatchObject({ cause: 'network', hint: 'Look at your network, then try again.' })
  })

  it('ends when its time is over', async () => {
    sshSays('sleep 100')
    const message = `Cannot push claude/work to ${ssh}: git took longer than 1 seconds`
    expect(await push({ url: ssh, timeLimit: 1 })).toMatchObject({ cause: 'network', message })
  })

  it('tells no password of a URL, and gives none on a command line', async () => {
    const url = `${(await serve(403)).replace('//', '//me:hunter2secret@')}`
    world.programs({ git: `#!/bin/sh\necho "$*" >> ${world.home}/argv\nexec ${world.gitPath()} "$@"\n` })
    const pushed = await push({ url, gitDir: clone() })
    expect(pushed).toMatchObject({ kind: 'failed', cause: 'auth' })
    expect(JSON.stringify(pushed)).toContain('http://***@127.0.0.1')
    expect(`${JSON.stringify(pushed)}${world.read('argv')}`).not.toContain('hunter2secret')
  })

  const serve = async (status: number): Promise<string> => {
    server = createServer((_, response) => {
      response.writeHead(status, { 'WWW-Authenticate': 'Basic realm="x"' }).end()
    })
    await new Promise<void>(listening => server?.listen(0, '127.0.0.1', listening))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/o/r.git`
  }
})

describe('origin', () => {
  it('is where the repository came from, with the branch that is the default there', async () => {
    const common = { github: { owner: 'o', name: 'r' }, pushesTo: { owner: 'o', name: 'r' } }
    world.git('push', '-q', 'origin', 'main')
    const read = () => readOrigin(world.top, world.system)
    expect(await read()).toEqual({ url: gitHub, pushUrl: gitHub, ...common, defaultBranch: 'main' })
    world.git('update-ref', 'refs/remotes/origin/release/next', 'main')
    world.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/release/next')
    world.git('config', 'remote.origin.pushurl', 'git@github.com:me/fork.git')
    expect(await read()).toEqual({
      url: gitHub,
      pushUrl: 'git@github.com:me/fork.git',
      github: { owner: 'o', name: 'r' },
      pushesTo: { owner: 'me', name: 'fork' },
      defaultBranch: 'release/next',
    })
  })

  it('is found behind a short form of the user, and on other hosts', async () => {
    world.git('config', '--global', 'url.https://github.com/.insteadOf', 'gh:')
    world.git('remote', 'set-url', 'origin', 'gh:p/q')
    const github = { owner: 'p', name: 'q' }
    expect(await readOrigin(world.top, world.system)).toMatchObject({ url: 'gh:p/q', github, pushesTo: github })
    world.git('remote', 'set-url', 'origin', 'https://gitlab.com/p/q')
    const { github: none, defaultBranch } = (await readOrigin(world.top, world.system)) ?? {}
    expect([none, defaultBranch]).toEqual([undefined, 'main'])
    world.git('remote', 'remove', 'origin')
    expect(await readOrigin(world.top, world.system)).toBeUndefined()
  })
})
