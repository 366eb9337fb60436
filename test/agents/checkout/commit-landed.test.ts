import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commitLanded, uncommittedAmong } from '../../../src/agents/checkout/commit-landed.ts'
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
    expect(await uncommittedAmong({ folder, paths: ['a', 'b', 'gone', 'new', 'other'] }, world.system)).toEqual([
      'a',
      'b',
      'gone',
      'new',
    ])
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
