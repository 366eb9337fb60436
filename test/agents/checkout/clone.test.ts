import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type BranchCheckout, openBranchCheckout } from '../../../src/agents/checkout/branch-checkout.ts'
import { type ClonePlace, clonedGitDir, makeClone } from '../../../src/agents/checkout/clone.ts'
import { madeIn, treeOf, World, write } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
  world.commit({ 'a.txt': 'a\n' })
})
afterEach(() => world.remove())

const folder = () => join(world.home, 'session/relay')
const at = () => join(folder(), 'work')
const open = async (wanted: Partial<ClonePlace> = {}): Promise<BranchCheckout> => {
  mkdirSync(folder(), { recursive: true })
  const place = { root: world.top, branch: 'claude/work', folder: folder(), ...wanted }
  return openBranchCheckout({ ...place, ...(await makeClone(place, world.system)) }, world.system)
}
const inRepo = (...args: readonly string[]) => world.gitIn(at(), ...args)
const inClone = (...args: readonly string[]) => world.gitIn(clonedGitDir(folder()), ...args)
const land = async (checkout: BranchCheckout, message = 'feat: it\n') => {
  const { work } = await checkout.beginLanding('1')
  return checkout.commit(work, message)
}

describe('a clone', () => {
  it('gives the agent the last commit, and relay a commit on a branch there', async () => {
    world.git('config', 'user.name', 'Jane')
    world.git('config', 'user.email', 'jane@example.com')
    world.git('remote', 'add', 'origin', 'https://me:secret@github.com/o/r.git')
    world.write({ 'a.txt': 'not committed\n', 'new.txt': 'new\n' })
    const before = [treeOf(world.top, ''), world.git('for-each-ref')]
    const clone = await open()
    expect(treeOf(clone.cwd)).toEqual({ 'a.txt': 'a\n' })
    expect([clone.cwd, inRepo('remote'), inRepo('log', '--format=%an %s', '--all')]).toEqual([
      at(),
      '',
      'relay The start\n',
    ])
    write(clone.cwd, { 'a.txt': 'b\n', 'c/d.txt': 'd\n' })
    inRepo('add', '-A')
    inRepo('commit', '-qm', 'mine')
    expect(await madeIn(clone)).toEqual({ 'a.txt': '"a\\n" => "b\\n"', 'c/d.txt': 'nothing => "d\\n"' })
    const commit = await land(clone)
    expect(inClone('log', '--format=%H %an %ae %s', 'main..claude/work')).toBe(
      `${commit} Jane jane@example.com feat: it\n`,
    )
    expect(inClone('config', 'remote.origin.url')).toBe('https://github.com/o/r.git\n')
    expect([treeOf(world.top, ''), world.git('for-each-ref')]).toEqual(before)
    expect(() => world.git('cat-file', '-e', commit ?? '')).toThrow()
  })

  it('needs the repository of the user no more', async () => {
    const clone = await open()
    write(clone.cwd, { 'b.txt': 'b\n' })
    await land(clone)
    rmSync(join(world.top, '.git'), { recursive: true })
    expect(inClone('fsck', '--strict', '--no-dangling')).toBe('')
    expect(readdirSync(join(clonedGitDir(folder()), 'objects/info'))).not.toContain('alternates')
    expect(inClone('log', '--format=%s', 'claude/work')).toBe('feat: it\nfirst\n')
  })

  it('begins where it was told to, also at a branch that only origin has', async () => {
    world.git('update-ref', 'refs/remotes/origin/release/next', 'main')
    world.write({ 'b.txt': 'b\n' }).git('add', '-A')
    world.git('commit', '-qm', 'second')
    const clone = await open({ base: 'release/next' })
    expect(treeOf(clone.cwd)).toEqual({ 'a.txt': 'a\n' })
    await expect(open({ base: 'nowhere', folder: world.home })).rejects.toThrow('There is no commit nowhere')
  })

  it('begins anew whatever branches the user has of such names', async () => {
    world.git('branch', 'claude')
    const clone = await open()
    expect([clone.start, inClone('rev-parse', 'claude/work').trim()]).toEqual(
      Array(2).fill(world.git('rev-parse', 'main').trim()),
    )
  })

  it('runs nothing that the repository names', async () => {
    const trap = `#!/bin/sh\ntouch ${join(world.home, 'sprung')}\ncat\n`
    write(join(world.home, 'bin'), { trap })
    write(join(world.top, '.git/hooks'), { 'post-checkout': trap, 'reference-transaction': trap, 'post-commit': trap })
    const run = join(world.home, 'bin/trap')
    const template = join(world.home, 'template')
    write(template, { 'hooks/post-checkout': trap, 'hooks/reference-transaction': trap })
    for (const setting of [`filter.f.smudge ${run}`, `filter.f.clean ${run}`, `core.fsmonitor ${run}`]) {
      world.git('config', ...(setting.split(' ') as [string, string]))
      world.git('config', '--global', ...(setting.split(' ') as [string, string]))
    }
    world.git('config', '--global', 'init.templateDir', template)
    world.git('config', '--global', 'core.hooksPath', join(template, 'hooks'))
    write(world.top, { '.gitattributes': '* filter=f\n' })
    world.git('-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', 'add', '-A')
    world.git('-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', 'commit', '-qm', 'second')
    rmSync(join(world.home, 'sprung'), { force: true })
    const clone = await open()
    write(clone.cwd, { 'a.txt': 'b\n' })
    await land(clone)
    expect(existsSync(join(world.home, 'sprung'))).toBe(false)
    expect(readFileSync(join(at(), 'a.txt'), 'utf8')).toBe('b\n')
  })

  it('is found by a later relay as it was left, and one that was half made is made again', async () => {
    mkdirSync(join(folder(), 'clone.git.new/objects'), { recursive: true })
    const clone = await open()
    write(clone.cwd, { 'b.txt': 'b\n' })
    world.write({ 'x.txt': 'x\n' }).git('add', '-A')
    world.git('commit', '-qm', 'second')
    const again = await open()
    expect([again.start, await madeIn(again)]).toEqual([clone.start, { 'b.txt': 'nothing => "b\\n"' }])
    expect(readdirSync(folder()).filter(name => name.startsWith('clone'))).toEqual(['clone.git'])
  })

  it('works in the folder of the project, with the packages of the user', async () => {
    world.write({ 'app/package.json': '{}\n', '.gitignore': 'node_modules\n' }).git('add', '-A')
    world.git('commit', '-qm', 'second')
    world.write({ 'app/node_modules/dep/index.js': '1\n' })
    const clone = await open({ root: join(world.top, 'app') })
    expect(clone.cwd).toBe(join(at(), 'app/'))
    expect(readFileSync(join(clone.cwd, 'node_modules/dep/index.js'), 'utf8')).toBe('1\n')
    write(at(), { 'app/b.txt': 'b\n', 'outside.txt': 'o\n' })
    expect(await madeIn(clone)).toEqual({ 'b.txt': 'nothing => "b\\n"', 'outside outside.txt': 'changed' })
  })

  it('says where there is nothing to clone', async () => {
    rmSync(join(world.top, '.git'), { recursive: true })
    await expect(open()).rejects.toThrow(`${world.top} is not in a git repository`)
  })
})
