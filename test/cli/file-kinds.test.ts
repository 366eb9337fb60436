import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { runRelay } from '../support/real-relay.ts'
import { respond, uuid } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'

/** What can stand at a path on a real disk, and what relay does about it. */

let project: ScratchProject
afterEach(() => project.remove())

const apply = (files: Readonly<Record<string, string | null>>, cwd = project.root, id = uuid) =>
  runRelay(['apply', '-'], { cwd, stdin: respond(files, { uuid: id }) })

describe('what is no file is in the way', () => {
  it.each<[string, (path: string) => void | Promise<void>]>([
    ['a FIFO', (path: string) => void execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => void mkdirSync(path)],
    [
      'a socket',
      async (path: string) => {
        const server = createServer()
        await new Promise<void>(resolve => server.listen(path, resolve))
        server.unref()
      },
    ],
  ])('%s: refused as a whole, at once', async (_name, make) => {
    project = scratchProject({ 'a.js': '1\n' })
    await make(join(project.root, 'x.js'))
    const before = lstatSync(join(project.root, 'x.js')).ino
    for (const text of ['new\n', null]) {
      const { code, stderr } = await apply({ 'a.js': '2\n', 'x.js': text })
      expect(code, stderr).toBe(6)
      expect(stderr).toContain('x.js')
      expect(project.read('a.js')).toBe('1\n')
      expect(lstatSync(join(project.root, 'x.js')).ino).toBe(before)
    }
  })

  it('a file where a folder is needed: refused as a whole', async () => {
    project = scratchProject({ 'a.js': '1\n', lib: 'a file\n' })
    const before = project.tree()
    const { code, stderr } = await apply({ 'a.js': '2\n', 'lib/x.js': 'x\n' })
    expect(code, stderr).toBe(6)
    expect(stderr).toContain('lib')
    expect(project.tree()).toEqual(before)
  })
})

it('works in a project that is reached through a symbolic link', async () => {
  project = scratchProject({ 'a.js': '1\n' })
  const link = `${project.root}-link`
  symlinkSync(project.root, link)
  try {
    const { code, stderr } = await runRelay(['apply', '-'], {
      cwd: link,
      env: { PWD: link },
      stdin: respond({ 'a.js': '2\n', 'lib/b.js': 'b\n' }),
    })
    expect(code, stderr).toBe(0)
    expect(project.tree()).toMatchObject({ 'a.js': '2\n', 'lib/b.js': 'b\n' })
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  } finally {
    rmSync(link)
  }
})

it('takes the longest names that the disk takes, forward and back', async () => {
  const name = `${'n'.repeat(252)}.js`
  const umlauts = `${'ü'.repeat(126)}.js`
  project = scratchProject({ [name]: '1\n' }, { postCommand: `echo formatted >> ${name}; [ ! -e fail ]` })
  expect((await apply({ [name]: '2\n', [`deep/${umlauts}`]: 'b\n' })).code).toBe(0)
  const kept = project.tree()
  expect(kept).toMatchObject({ [name]: '2\nformatted\n', [`deep/${umlauts}`]: 'b\n' })
  project.write('fail', '')
  for (const id of [uuid.replace('2b9a', '3b9a'), uuid.replace('2b9a', '4b9a')]) {
    expect((await apply({ [name]: '3\n', [`deep/${umlauts}`]: null }, project.root, id)).code).toBe(4)
    expect(project.tree()).toEqual({ ...kept, fail: '' })
  }
})

it('tells names apart that differ in their Unicode form alone, where the disk does', async () => {
  const [composed, decomposed] = ['caf\u00e9.js', 'cafe\u0301.js']
  project = scratchProject({ [composed]: '1\n' })
  if (existsSync(join(project.root, decomposed))) return
  project.write(decomposed, 'another one\n')
  expect((await apply({ [composed]: '2\n' })).code).toBe(0)
  expect(project.tree()).toMatchObject({ [composed]: '2\n', [decomposed]: 'another one\n' })
  const both = await apply({ [composed]: '3\n', [decomposed]: '3\n' }, project.root, uuid.replace('2b9a', '3b9a'))
  expect(both.code).toBe(6)
  expect(project.read(composed)).toBe('2\n')
})

it('says that a file to delete is not there, and does the rest', async () => {
  project = scratchProject({ 'a.js': '1\n', 'only/one.js': '1\n' })
  const { code, stderr } = await apply({ 'a.js': '2\n', 'gone.js': null, 'only/one.js': null })
  expect(code, stderr).toBe(0)
  expect(stderr).toContain('gone.js')
  expect(project.read('a.js')).toBe('2\n')
  expect(readdirSync(join(project.root, 'only'))).toEqual([])
})
