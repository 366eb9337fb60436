import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commitLanded, uncommittedAmong } from '../../../src/agents/checkout/commit-landed.ts'
import { uncommittedIn } from '../../../src/agents/checkout/users-branches.ts'
import { World } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
})
afterEach(() => world.remove())

describe('a commit of what has landed', () => {
  const commit = (folder: string, ...paths: readonly string[]) => {
    const who = { AUTHOR: 'user', COMMITTER: 'user' }
    const names = Object.entries(who).flatMap(([whose, name]) => [
      [`GIT_${whose}_NAME`, name],
      [`GIT_${whose}_EMAIL`, 'user@example.com'],
    ])
    const env = { ...world.system.env, HOME: world.home, ...Object.fromEntries(names) }
    return commitLanded({ folder, paths, message: 'It', timeLimit: 60, env }, world.system)
  }
  const committed = () => world.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n')

  it('has exactly its paths of a folder, and leaves alone what else is staged', async () => {
    world.commit({ 'in/a': '1', 'in/b': '1', 'in/gone': '1', a: '1' }).write({ 'in/a': '2', 'in/new': '2', a: '2' })
    world.git('rm', '-q', '--cached', 'in/b')
    world.git('add', 'a')
    const folder = join(world.top, 'in')
    await world.system.files.remove(join(folder, 'gone'))
    expect(await uncommittedAmong({ folder, paths: ['a', 'b', 'gone', 'new', 'other'] }, world.system)).toEqual({
      edited: ['a', 'b', 'gone', 'new'],
      uncompared: [],
    })
    const before = world.git('rev-parse', 'HEAD')
    const { kind } = await commit(folder, 'a', 'gone', 'new')
    expect([kind, committed()]).toEqual(['commit', ['in/a', 'in/gone', 'in/new']])
    expect(world.git('rev-parse', 'HEAD~1')).toBe(before)
    expect(world.git('status', '--short')).toBe('M  a\nD  in/b\n?? in/b\n')
  })

  it('has no file that git ignores, or ignores since the user took it out of the index', async () => {
    world.commit({ a: '1', was: '1' }).write({ '.gitignore': '/was\n/never\n', a: '2', was: '2', never: '2' })
    world.git('rm', '-q', '--cached', 'was')
    expect((await commit(world.top, 'was', 'never')).kind).toBe('none')
    expect((await commit(world.top, 'a', 'was', 'never')).kind).toBe('commit')
    expect(committed()).toEqual(['a'])
    expect(world.git('status', '--short')).toBe('D  was\n?? .gitignore\n')
  })

  it('is found again, and not made twice', async () => {
    world.commit({ a: '1' }).write({ a: '2', new: '2' })
    const first = await commit(world.top, 'a', 'new')
    expect(await commit(world.top, 'a', 'new')).toEqual(first)
    expect(world.git('rev-list', '--count', 'HEAD').trim()).toBe('2')
  })
})

describe('a look at what is not committed', () => {
  const look = (...paths: readonly string[]) => uncommittedAmong({ folder: world.top, paths }, world.system)
  const ran = () => existsSync(join(world.home, 'ran'))

  it.each(['true', 'false'])('runs nothing that the repository sets (a required filter: %s)', async required => {
    world.commit({ '.gitattributes': '*.bin filter=lfs\n', 'in/a.bin': '1', 'b.txt': '1' })
    const trap = `touch '${world.home}/ran'; cat`
    for (const name of ['clean', 'smudge', 'process']) world.git('config', `filter.lfs.${name}`, trap)
    world.git('config', 'filter.lfs.required', required)
    world.git('config', 'core.fsmonitor', trap)
    world.write({ 'in/a.bin': '2', 'b.txt': '2', 'new.bin': '1' })
    expect(await look('in/a.bin', 'b.txt', 'new.bin')).toEqual({
      edited: ['b.txt', 'new.bin'],
      uncompared: ['in/a.bin'],
    })
    expect(await uncommittedIn(world.top, join(world.top, '.git'), world.system)).toEqual([
      ...['b.txt', 'in/a.bin (not compared)', 'new.bin'],
    ])
    expect(ran()).toBe(false)
  })

  it("runs a filter of the user's own settings, and compares by it", async () => {
    world.commit({ '.gitattributes': '*.bin filter=own\n', 'a.bin': '1' })
    Object.assign(world.system.env, { HOME: world.home })
    world.git('config', '--global', 'filter.own.clean', `touch '${world.home}/ran'; echo 1 | tr -d '\\n'`)
    world.write({ 'a.bin': '2' })
    expect(await look('a.bin')).toEqual({ edited: [], uncompared: [] })
    expect(ran()).toBe(true)
  })

  it('compares nothing where a filter cannot be turned off', async () => {
    world.commit({ a: '1' }).write({ a: '2' })
    world.git('config', 'filter.a=b.clean', `touch '${world.home}/ran'`)
    expect(await look('a')).toEqual({ edited: [], uncompared: ['a'] })
    expect(ran()).toBe(false)
  })
})
