import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { repositoryState } from '../../../src/agents/checkout/repository-state.ts'
import { World, write } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
})
afterEach(() => world.remove())

const state = () => repositoryState(world.top, world.system)

/** Two branches that changed the same line. */
function diverge() {
  world.commit({ 'a.txt': 'a\n' })
  world.git('checkout', '-q', '-b', 'other')
  write(world.top, { 'a.txt': 'other\n' })
  world.git('commit', '-qam', 'other')
  world.git('checkout', '-q', 'main')
  write(world.top, { 'a.txt': 'main\n' })
  world.git('commit', '-qam', 'main')
}

describe('the state of a repository', () => {
  it('tells whether there is one, and whether anything was committed', async () => {
    expect(await state()).toBe('none')
    world.git('init', '-q', '-b', 'main')
    expect(await state()).toBe('empty')
    world.commit({ 'a.txt': 'a\n' })
    expect(await state()).toBe('ready')
    world.git('pack-refs', '--all')
    expect(await state()).toBe('ready')
    world.git('checkout', '-q', '--detach')
    expect(await state()).toBe('ready')
    mkdirSync(join(world.home, 'tree'))
    world.git('worktree', 'add', '-q', '../tree/other')
    expect(await repositoryState(join(world.home, 'tree/other'), world.system)).toBe('ready')
  })

  it.each([
    ['merge', ['merge', 'other']],
    ['rebase', ['rebase', 'other']],
    ['cherry-pick', ['cherry-pick', 'other']],
  ] as const)('tells of a %s that is under way', async (what, args) => {
    diverge()
    expect(() => world.git(...args)).toThrow()
    expect(await state()).toBe(what)
  })
})
