import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canRunWith } from '../support/has-program.ts'
import { plainEnv, type RelayEnd, relayCommand, runRelay } from '../support/real-relay.ts'
import { type Asked, respond } from '../support/respond.ts'
import { type ScratchProject, scratchProject } from '../support/scratch-project.ts'

const who = { GIT_AUTHOR_NAME: 'user', GIT_AUTHOR_EMAIL: 'u@x', GIT_COMMITTER_NAME: 'user', GIT_COMMITTER_EMAIL: 'u@x' }

let project: ScratchProject
beforeEach(() => {
  project = scratchProject({ 'a.txt': 'a\nb\n', 'b.txt': 'b\n' }, { commit: true })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'start')
})
afterEach(() => project.remove())

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: project.root, env: plainEnv(who), encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

const run = (args: readonly string[], stdin?: string): Promise<RelayEnd> =>
  runRelay(args, { cwd: project.root, env: who, ...(stdin !== undefined && { stdin }) })
const apply = (files: Asked, ...options: string[]) =>
  run(['apply', '--yes', ...options], respond(files, { uuid: randomUUID() }))
const lastMessage = () => git('log', '-1', '--format=%B').trim()
const commits = () => git('log', '--format=%s').trim().split('\n')

function hook(name: string, script: string): void {
  project.write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`)
  chmodSync(join(project.root, '.git/hooks', name), 0o755)
}

describe.runIf(canRunWith('git'))('a kept change', () => {
  it('becomes a commit of exactly its files, which names it', async () => {
    project.write('b.txt', 'staged\n')
    git('add', 'b.txt')
    const { code, stderr } = await apply({ 'a.txt': 'a\nB\n', 'new.txt': 'n\n' })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/kept #1 .*commit [\da-f]{7}/) })
    expect(lastMessage()).toBe('I changed what you asked for\n\nI changed what you asked for.\n\nRelay-Change: 1')
    expect(git('show', '--name-only', '--format=').trim().split('\n')).toEqual(['a.txt', 'new.txt'])
    expect(git('status', '--short', '--', 'a.txt', 'b.txt', 'new.txt')).toBe('M  b.txt\n')
    expect((await run(['show', '1'])).stdout).toContain(git('rev-parse', 'HEAD').trim())
  })

  it('has a commit for its undo and its redo, in the words of git', async () => {
    await apply({ 'a.txt': 'a\nB\n' })
    await run(['undo', '--yes'])
    expect(lastMessage()).toBe('Revert "I changed what you asked for"\n\nRelay-Change: 2')
    await run(['redo', '--yes'])
    expect(lastMessage()).toBe('Reapply "I changed what you asked for"\n\nRelay-Change: 3')
    expect(git('status', '--short', '--', 'a.txt')).toBe('')
  })

  it.each<[string, () => void, string]>([
    ['the user had edited its file', () => project.write('a.txt', 'a\nb\nmine\n'), 'a.txt had edits'],
    ['a hook says no', () => hook('pre-commit', 'echo "no tests" >&2; exit 1'), 'no tests'],
    ['a merge is under way', () => project.write('.git/MERGE_HEAD', git('rev-parse', 'HEAD')), 'a merge is under way'],
  ])('stays without a commit where %s, and relay says why', async (_, hinder, why) => {
    hinder()
    const { code, stderr } = await apply({ 'a.txt': `A\n${project.read('a.txt').slice(2)}` })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(why) })
    expect(stderr).toContain('not committed')
    expect(project.read('a.txt')).toMatch(/^A\n/)
    expect(commits()).toEqual(['start'])
  })

  it('is committed before another relay writes, also one that a hook of the commit starts', async () => {
    const other = [...relayCommand, 'undo', '--yes'].map(word => `'${word}'`).join(' ')
    hook('pre-commit', `${other} > hook.out 2>&1; echo $? >> hook.out`)
    await apply({ 'a.txt': 'a\nB\n' })
    expect(project.read('hook.out')).toMatch(/relay is committing #1[\s\S]*\n8\n$/)
    expect(commits()).toEqual(['I changed what you asked for', 'start'])
  })

  it('is not committed without the setting, and is with --commit', async () => {
    project.write('relaycode.config.json', JSON.stringify({ projectId: 'demo' }))
    await apply({ 'a.txt': 'a\nB\n' })
    expect(commits()).toEqual(['start'])
    await apply({ 'b.txt': 'B\n' }, '--commit')
    expect(git('show', '--name-only', '--format=').trim()).toBe('b.txt')
  })
})

describe.runIf(canRunWith('git'))('relay commit', () => {
  beforeEach(() => project.write('relaycode.config.json', JSON.stringify({ projectId: 'demo' })))

  it('makes one commit a change', async () => {
    await apply({ 'a.txt': 'a\nB\n' })
    await apply({ 'b.txt': 'B\n' })
    const { code, stderr } = await run(['commit', '2', '1'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/#1: commit .*\n.*#2: commit/) })
    expect(lastMessage()).toContain('Relay-Change: 2')
    expect(git('log', '-1', '--name-only', '--format=', 'HEAD~1').trim()).toBe('a.txt')
    expect((await run(['commit', '1'])).stderr).toContain('#1: commit')
    expect(commits()).toHaveLength(3)
  })

  it('names the change that stands in the same file, and makes one commit of both', async () => {
    await apply({ 'a.txt': 'a\nB\n' })
    await apply({ 'a.txt': 'a\nBB\n' })
    for (const each of ['1', '2']) {
      const { code, stderr } = await run(['commit', each])
      expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('relay commit 1 2 --squash') })
    }
    expect((await run(['commit', '1', '2'])).code).toBe(5)
    expect((await run(['commit', '1', '2', '--squash'])).code).toBe(0)
    expect(lastMessage()).toMatch(/ and 1 more[\s\S]*Relay-Change: 1\nRelay-Change: 2$/)
    expect(commits()).toHaveLength(2)
  })

  it.each<[string, () => void, () => void]>([
    ['before', () => project.write('a.txt', 'a\nb\nmine\n'), () => {}],
    ['since', () => {}, () => project.write('a.txt', 'A\nb\nmine\n')],
  ])('commits no edit that the user made %s', async (when, before, since) => {
    before()
    await apply({ 'a.txt': `A\n${project.read('a.txt').slice(2)}` })
    since()
    const { code, stderr } = await run(['commit', '1'])
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining(`edits made by hand ${when} #1`) })
    expect(commits()).toEqual(['start'])
  })

  it('goes on behind a change that the user has committed, and counts what was taken back as nothing', async () => {
    await apply({ 'a.txt': 'a\nB\n' })
    await apply({ 'b.txt': 'B\n' })
    await apply({ 'c.txt': 'c\n' })
    git('commit', '-qm', 'by hand', 'a.txt')
    git('checkout', '-q', 'b.txt')
    const { code, stderr } = await run(['commit', '1', '2', '3'])
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/#1: nothing to commit\n.*#2: nothing to commit\n.*#3: commit/),
    })
    expect(git('show', '--name-only', '--format=').trim()).toBe('c.txt')
  })

  it('takes an undone change and its undo together with what stands around them', async () => {
    const text = (...lines: readonly string[]) => `${lines.join('\n')}\n`
    project.write('m.txt', text('1', '2', '3', '4', '5', '6', '7'))
    git('add', 'm.txt')
    git('commit', '-qm', 'm')
    await apply({ 'm.txt': text('one', '2', '3', '4', '5', '6', '7') })
    await apply({ 'm.txt': text('one', '2', '3', 'four', '5', '6', '7') })
    await apply({ 'm.txt': text('one', '2', '3', 'four', '5', '6', 'seven') })
    await run(['undo', '2', '--yes'])
    const refused = await run(['commit', '1', '3', '--squash'])
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('relay commit 1 2 3 4 --squash') })
    expect((await run(['commit', '1', '2', '3', '4', '--squash'])).code).toBe(0)
    expect(git('show', 'HEAD:m.txt')).toBe(text('one', '2', '3', '4', '5', '6', 'seven'))
  })

  it('has nothing to do for what the user has committed, and says so of what is undone', async () => {
    await apply({ 'a.txt': 'a\nB\n' })
    git('commit', '-qam', 'by hand')
    const { code, stderr } = await run(['commit', '1'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('nothing to commit') })
    await run(['undo', '--yes'])
    expect(await run(['commit', '1'])).toMatchObject({ code: 2, stderr: expect.stringContaining('was undone by #2') })
  })
})
