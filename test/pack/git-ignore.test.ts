import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { walkFiles } from '../../src/pack/walk-files.ts'
import { systemFiles } from '../../src/system/files/files.ts'
import { FakeDisk, Life } from '../support/fake-disk.ts'
import { canRunWith } from '../support/has-program.ts'

/** Trees with the rules of git in them; every other file holds nothing. */
const trees: readonly (readonly [name: string, files: Readonly<Record<string, string>>])[] = [
  ['a name, in every folder', { '.gitignore': 'a.log\n', 'a.log': '', 'b/a.log': '', 'b/a.txt': '' }],
  ['a path from here', { '.gitignore': '/a\nb/c\n', a: '', 'd/a': '', 'b/c': '', 'd/b/c': '' }],
  ['a folder, and no file of its name', { '.gitignore': 'build/\n', 'build/a': '', 'b/build': '', 'c/build/d': '' }],
  ['what an exception brings back', { '.gitignore': '*.log\n!keep.log\n', 'a.log': '', 'keep.log': '', 'b/keep.log': '' }],
  ['nothing of a folder that is ignored as a whole', { '.gitignore': 'a/\n!a/keep\n', 'a/keep': '', 'a/b': '' }],
  ['an exception further in', { '.gitignore': '*.log\n', 'a/.gitignore': '!x.log\n', 'a/x.log': '', 'a/b/x.log': '', 'x.log': '' }],
  ['a folder that is brought back further in', { '.gitignore': 'logs/\n', 'a/.gitignore': '!logs/\n', 'a/logs/x': '', 'logs/x': '' }],
  ['paths that are meant from further in', { 'a/.gitignore': '/b\nc/d\ne\n', 'a/b': '', b: '', 'a/c/d': '', 'c/d': '', 'a/x/e': '', e: '' }],
  ['a folder whose name is a pattern', { 'a[b]*/.gitignore': 'x\n', 'a[b]*/x': '', 'ab/x': '', 'a[b]*/c/x': '' }],
  ['comments, blanks and escaped signs', { '.gitignore': '# a\n\n\\#b\n\\!c\nd \ne\\ \n', '#b': '', '!c': '', d: '', 'e ': '', 'f/#b': '' }],
  ['blanks at the beginning', { '.gitignore': ' a\n', ' a': '', a: '', 'b/.gitignore': ' c\n', 'b/ c': '', 'b/c': '' }],
  ['stars', { '.gitignore': 'a/**/b\n**/c/*.txt\nd/**\n', 'a/b': '', 'a/x/y/b': '', 'c/x.txt': '', 'x/c/y.txt': '', 'd/x': '', 'x/d/y': '' }],
  ['classes and single signs', { '.gitignore': '[ab].txt\nx?z\n', 'a.txt': '', 'c.txt': '', xyz: '', xz: '' }],
  ['lines of Windows', { '.gitignore': 'a.log\r\nb/\r\n', 'a.log': '', 'b/c': '', c: '' }],
  ['what the repository alone excludes', { '.git/info/exclude': 'secret\n', secret: '', 'a/secret': '', 'a/b': '' }],
  ['an exception to that', { '.git/info/exclude': '*.x\n', '.gitignore': '!a.x\n', 'a.x': '', 'b.x': '' }],
] // biome-ignore format: a tree a line

const all = async (root: string, files: ReturnType<typeof systemFiles>) => {
  const paths: string[] = []
  for await (const { path } of walkFiles(root, files, () => true)) paths.push(path)
  return paths.sort()
}

describe.runIf(canRunWith('git'))('what git ignores', () => {
  let top: string
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, {
      cwd: top,
      stdio: 'pipe',
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: top, GIT_CONFIG_NOSYSTEM: '1' },
    })

  beforeEach(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'relay-ignore-')))
    git('init', '-q')
  })
  afterEach(() => rmSync(top, { recursive: true, force: true }))

  const write = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(top, path)), { recursive: true })
      writeFileSync(join(top, path), text)
    }
  }
  const asGit = (below = '') =>
    git('ls-files', '--others', '--exclude-standard', '-z', '--', below === '' ? '.' : below)
      .split('\0')
      .filter(path => path !== '')
      .map(path => path.slice(below === '' ? 0 : below.length + 1))
      .sort()

  it.each(trees)('is left out as git does: %s', async (_, files) => {
    write(files)
    expect(await all(top, systemFiles(top))).toEqual(asGit())
  })

  it.each(trees)('counts from above the project as well: %s', async (_, files) => {
    for (const path of ['a.log', 'e', 'a.txt', 'x/c/y.txt', 'logs/x', 'd/b/c', 'keep.log']) write({ [`p/${path}`]: '' })
    write(files)
    expect(await all(join(top, 'p'), systemFiles(join(top, 'p')))).toEqual(asGit('p'))
  })

  it('is told in another work tree of the repository', async () => {
    git('-c', 'user.name=me', '-c', 'user.email=a@b.invalid', 'commit', '-q', '--allow-empty', '-m', 'x')
    write({ '.git/info/exclude': 'secret\n' })
    git('worktree', 'add', '-q', 'other')
    write({ 'other/secret': '', 'other/a': '' })
    expect(await all(join(top, 'other'), systemFiles(join(top, 'other')))).toEqual(['a'])
  })
})

describe('a walk', () => {
  const walked = (disk: FakeDisk) => all('/project', disk.files(new Life()))

  it('goes by the own rules of a project that its repository ignores as a whole', async () => {
    const disk = new FakeDisk()
    disk.write('/.gitignore', 'project/\n')
    disk.folder('/.git')
    for (const path of ['a', 'b']) disk.write(path, '')
    disk.write('.gitignore', 'b\n')
    expect(await walked(disk)).toEqual(['.gitignore', 'a'])
  })

  it('passes over links, what tools fill, and the folders of relay and of git', async () => {
    const disk = new FakeDisk()
    const paths = [
      'node_modules/a',
      '.relaycode/a',
      '.git/config',
      'x/.GIT/config',
      'x/.venv/a',
      'x/a',
      '.github/a.yml',
    ]
    for (const path of paths) disk.write(path, '')
    disk.symlink('x/a', 'link')
    disk.symlink('x', 'folder')
    disk.fifo('pipe')
    expect(await walked(disk)).toEqual(['.github/a.yml', 'x/a'])
  })

  it('lets capitals not count: what is given away cannot be taken back', async () => {
    const disk = new FakeDisk()
    disk.write('.gitignore', '*.KEY\n')
    disk.write('a.key', '')
    expect(await walked(disk)).toEqual(['.gitignore'])
  })
})
