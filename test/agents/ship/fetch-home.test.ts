import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchHome } from '../../../src/agents/ship/fetch-home.ts'
import { treeOf } from '../checkout/world.ts'
import { ShipWorld } from './world.ts'

let world: ShipWorld
let clone: string
let commit: string
beforeEach(() => {
  world = new ShipWorld()
  world.branch('claude/work', { 'b.txt': 'b\n' })
  clone = join(world.home, 'clone.git')
  commit = world.commitAt('claude/work')
  world.gitIn(world.home, 'clone', '-q', '--bare', '--no-hardlinks', world.top, clone)
  world.git('branch', '-q', '-D', 'claude/work')
  world.git('reflog', 'expire', '--expire=all', '--all')
  world.git('prune')
})
afterEach(() => world.remove())

const fetch = () => fetchHome({ from: clone, branch: 'claude/work', root: world.top }, world.system)

describe('a branch that is brought home', () => {
  it('is one of the user, and nothing else has changed', async () => {
    world.hook('reference-transaction', 'exit 1').write({ 'a.txt': 'mine\n' })
    const files = () => [treeOf(world.top), readdirSync(join(world.top, '.git')).filter(name => name !== 'logs')]
    const before = [world.seen(), files(), world.git('config', '--list')]
    expect(await fetch()).toEqual({ kind: 'fetched', branch: 'claude/work', commit })
    expect(world.git('log', '--format=%H %s', 'main..claude/work')).toBe(`${commit} work on claude/work\n`)
    expect(world.git('fsck', '--strict', '--no-dangling')).toBe('')
    expect([world.seen(), files(), world.git('config', '--list')]).toEqual(before)
    expect(await fetch()).toEqual({ kind: 'there-already', branch: 'claude/work', commit })
  })

  it('goes on where an earlier part of it was brought', async () => {
    await fetch()
    const tree = world.gitIn(clone, 'rev-parse', 'claude/work^{tree}').trim()
    const more = world.gitIn(clone, 'commit-tree', '-p', commit, '-m', 'more', tree).trim()
    world.gitIn(clone, 'update-ref', 'refs/heads/claude/work', more)
    expect(await fetch()).toEqual({ kind: 'fetched', branch: 'claude/work', commit: more })
    expect(world.commitAt('claude/work')).toBe(more)
  })

  it('gets another name where the user has such a branch, and finds it there the next time', async () => {
    world.branch('claude/work', { 'mine.txt': 'mine\n' })
    const mine = world.commitAt('claude/work')
    expect(await fetch()).toEqual({ kind: 'fetched', branch: 'claude/work-2', commit })
    expect(await fetch()).toEqual({ kind: 'there-already', branch: 'claude/work-2', commit })
    expect(world.commitAt('claude/work')).toBe(mine)
  })

  it('gets another name where the user is on such a branch', async () => {
    world.git('switch', '-q', '-c', 'claude/work')
    expect(await fetch()).toEqual({ kind: 'fetched', branch: 'claude/work-2', commit })
    expect(world.seen('HEAD')).toBe('first\n## claude/work\n')
  })

  it('gets another name where a branch stands in the way of its folder', async () => {
    world.git('branch', 'claude')
    expect(await fetch()).toEqual({ kind: 'fetched', branch: 'claude-work', commit })
  })
})
