import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { relay } from '../src/flows/relay.ts'
import type { Outcome } from '../src/model/talk.ts'
import { realSystem } from '../src/system/system.ts'
import { treeOf } from './faults/world.ts'
import { fakeConfig, fakeTalk } from './support/fake-project.ts'
import { canRunWith } from './support/has-program.ts'
import { respond } from './support/respond.ts'

let base: string
let root: string
let serial = 0

/** A project in a home folder, in a repository with a submodule, a work tree and a bare one, full of links. */
function layOut(): void {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'relay-hostile-')))
  root = join(base, 'home')
  const write = (path: string, text = 'before\n') => {
    mkdirSync(dirname(join(base, path)), { recursive: true })
    writeFileSync(join(base, path), text)
  }
  write('outside/secret')
  write('outside/folder/file')
  write('home/src/a.ts')
  write('home/src/deep/b.ts')
  write('home/.local/state/relaycode/trust/x.json')
  write('home/notes.txt')
  const git = (cwd: string, ...args: readonly string[]) =>
    execFileSync(
      'git',
      ['-c', 'user.name=me', '-c', 'user.email=me@example.invalid', '-c', 'protocol.file.allow=always', ...args],
      {
        cwd: join(base, cwd),
        stdio: 'pipe',
        env: { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
      },
    )
  mkdirSync(join(base, 'library'))
  git('library', 'init', '-q')
  git('library', 'commit', '-q', '--allow-empty', '-m', 'x')
  git('home', 'init', '-q')
  git('home', 'submodule', 'add', '-q', join(base, 'library'), 'vendor/library')
  git('home', 'clone', '-q', '--bare', join(base, 'library'), 'mirror')
  git('home', 'clone', '-q', '--separate-git-dir', join(root, 'apart'), join(base, 'library'), 'separate')
  git('home/mirror', 'worktree', 'add', '-q', join(root, 'tree'))
  // The folder of a work tree, as git would find it anywhere.
  mkdirSync(join(root, 'meta'))
  for (const name of ['HEAD', 'commondir', 'gitdir']) {
    writeFileSync(join(root, 'meta', name), readFileSync(join(root, 'mirror/worktrees/tree', name)))
  }
  const link = (to: string, path: string) => symlinkSync(to, join(root, path))
  link('../outside/secret', 'link-out')
  link('../outside/not-there', 'link-to-nothing-outside')
  link('../outside/folder', 'folder-out')
  link(join(base, 'outside/folder'), 'folder-out-absolute')
  link('src', 'folder-in')
  link('src/a.ts', 'link-in')
  link('folder-out/file', 'link-by-link')
  link('.git/hooks', 'hooks-link')
  link('.git', 'git-link')
  link('.git/config', 'config-link')
  link('.relaycode', 'state-link')
  link('.local/state', 'own-link')
  link('../../../src/a.ts', '.local/state/relaycode/away')
  link('circle-b', 'circle-a')
  link('circle-a', 'circle-b')
  link('.', 'here')
  link('..', 'above')
  link('/', 'top')
  link('/proc/self', 'process')
  link('nothing', 'src/dangling')
  link('../../../outside', 'src/deep/out')
  linkSync(join(base, 'outside/secret'), join(root, 'hard-link'))
  execFileSync('mkfifo', [join(root, 'pipe')])
}

describe.runIf(process.platform === 'linux' && canRunWith('git'))('a hostile path on a real disk', () => {
  beforeAll(layOut)
  afterAll(() => {
    chmodSync(base, 0o755)
    rmSync(base, { recursive: true, force: true })
  })

  /** The answer to everything is yes: what must not be is refused, and not asked about. */
  async function apply(files: Readonly<Record<string, string | null>>): Promise<Outcome> {
    const real = realSystem({ version: '0', noInput: true, trace: false, interruption: new AbortController() })
    const system = { ...real, cwd: root, home: root, stateFolder: join(root, '.local/state/relaycode') }
    const uuid = `0b8f4f62-7d5e-4f5c-9a0e-${String(++serial).padStart(12, '0')}`
    const talk = fakeTalk(Array.from({ length: 9 }, () => 'yes'))
    return relay({ text: respond(files, { uuid }), source: 'stdin' }, { root, config: fakeConfig() }, system, talk)
  }

  /** Everything around the project and in it, also git's own folders. */
  const everything = () => {
    const { 'home/.relaycode/': _, ...tree } = treeOf(base)
    return Object.fromEntries(Object.entries(tree).filter(([path]) => !path.startsWith('home/.relaycode/')))
  }

  it.each(
    Object.entries({
      'leads-outside': [
        'link-out', 'folder-out/file', 'folder-out/new', 'folder-out/deep/new', 'folder-out-absolute/file', 'link-by-link', 'above/outside/secret',
        'top/etc/passwd', 'top/tmp/x', 'process/environ', 'src/deep/out/secret', 'src/deep/out/new', 'folder-in/deep/out/secret',
        'here/folder-out/file', 'here/here/above/outside/new', 'above/home/src/../../outside/secret',
      ],
      'leads-nowhere': ['src/dangling', 'folder-in/dangling', 'link-to-nothing-outside', 'circle-a', 'circle-a/x'],
      'path-protected': [
        '.git/config', '.git/hooks/pre-commit', '.GIT/config', '.git./config', '.git::$DATA', 'git~1/config', '.g\u0131t/config', 'src/../.git/HEAD',
        'hooks-link/pre-commit', 'git-link/config', 'git-link/hooks/new', 'config-link', 'here/.git/config', 'here/git-link/config',
        'vendor/library/.git', 'vendor/library/.git/config', '.git/modules/vendor/library/config', 'tree/.git', 'separate/.git',
        'mirror/config', 'mirror/hooks/post-update', 'mirror/worktrees/tree/commondir', 'apart/config', 'apart/hooks/pre-commit', 'apart/refs/heads/new',
        'meta/config.worktree', 'meta/commondir', 'here/meta/commondir', '.relaycode/x', '.RelayCode/x', 'state-link/x.yml', 'here/.relaycode/x',
        '.local/state/relaycode/trust/x.json', '.local/state/relaycode/new', '.local/state/relaycode/away', 'own-link/relaycode/trust/x.json', '.LOCAL/state/relaycode/trust/y',
        'here/.local/state/relaycode/trust/z/deep',
      ],
      'path-outside': ['../outside/secret', 'src/../../outside/secret', '../home/src/a.ts', 'src/deep/../../../outside/new', '..\\outside\\secret'],
      'path-absolute': ['/etc/passwd', '//etc/passwd', 'C:\\Windows\\x', '\\\\server\\share\\x', '/proc/self/cwd/x', '/dev/tcp/x/1'],
      'path-home': ['~/.bashrc', '~root/.bashrc'],
      'path-device': ['nul', 'src/con.ts', 'COM1.txt', 'aux/x.ts'],
      'path-ending': ['src/a.ts.', 'src./a.ts', 'src /a.ts'],
      'path-character': ['src/a.ts:stream', 'src/a.ts::$DATA', 'src/a|b', 'file:///etc/passwd'],
      'path-short-name': ['packag~1.jso', 'SRC~1/a.ts'],
      'path-invisible': ['src/a\u202e.ts', '.g\u200cit/config', 'src/a\x1b[2J.ts', 'src/\x00a'],
      'no-regular-file': ['pipe'],
      'folder-in-the-way': ['src/deep', 'here/src'],
      'file-in-the-way': ['notes.txt/x', 'folder-in/a.ts/x'],
    }).flatMap(([code, paths]) => paths.map(path => [JSON.stringify(path), code, path] as const)),
    // biome-ignore format: above, one path a line would be three screens
  )('is refused before anything is written: %s, %s', async (_, code, path) => {
    const before = everything()
    // A link that leads nowhere can be deleted, for it is the link that goes; and what is not there is gone already.
    for (const content of ['leads-nowhere', 'file-in-the-way'].includes(code) ? ['x\n'] : ['x\n', null]) {
      const outcome = await apply({ 'src/new.ts': 'with it\n', [path]: content })
      const codes = outcome.kind === 'refused' ? outcome.problems.map(problem => problem.code) : [outcome.kind]
      expect(codes).toContain(code)
      expect(everything()).toEqual(before)
    }
  })

  it('is no harm where it only looks odd: a link in the project, another name of one file', async () => {
    expect(await apply({ 'link-in': 'through\n', 'folder-in/new.ts': 'new\n', 'hard-link': 'mine\n' })).toMatchObject({
      kind: 'committed',
    })
    expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('through\n')
    expect(readFileSync(join(root, 'src/new.ts'), 'utf8')).toBe('new\n')
    // The name in the project is another file now, and the one outside is as it was.
    expect(readFileSync(join(root, 'hard-link'), 'utf8')).toBe('mine\n')
    expect(readFileSync(join(base, 'outside/secret'), 'utf8')).toBe('before\n')
    expect(readdirSync(join(base, 'outside')).sort()).toEqual(['folder', 'secret'])
  })

  it('is refused as well when two names are one file', async () => {
    for (const files of [
      { 'src/a.ts': '1\n', 'link-in': '2\n' },
      { 'src/deep/b.ts': '1\n', 'folder-in/deep/b.ts': '2\n' },
      { 'src/a.ts': '1\n', 'here/src/a.ts': null },
      { 'src/x.ts': '1\n', 'SRC/x.ts': '2\n' },
      { 'src/caf\u00e9.ts': '1\n', 'src/cafe\u0301.ts': '2\n' },
      { 'src/y': '1\n', 'src/y/z': '2\n' },
    ]) {
      const before = everything()
      expect((await apply(files)).kind).toBe('refused')
      expect(everything()).toEqual(before)
    }
  })
})
