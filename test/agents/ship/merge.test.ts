import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Merged, type MergeRequest, mergeBranch } from '../../../src/agents/ship/merge.ts'
import { until } from '../../support/until.ts'
import { treeOf } from '../checkout/world.ts'
import { ShipWorld } from './world.ts'

let world: ShipWorld
beforeEach(() => {
  world = new ShipWorld()
})
afterEach(() => world.remove())

const merge = (more: Partial<MergeRequest> = {}): Promise<Merged> =>
  mergeBranch({ root: world.top, branch: 'work', into: 'main', timeLimit: 30, ...more }, world.system)

describe('a merge into the branch that the user is on', () => {
  it('goes forward where it can, and finds that done the next time', async () => {
    world.branch('work', { 'a.txt': 'new\n', 'b/c.txt': 'c\n' })
    const before = world.commitAt('main')
    const undo = `git revert ${before.slice(0, 12)}..${world.commitAt('work').slice(0, 12)}`
    expect(await merge()).toEqual({ kind: 'fast-forward', commit: world.commitAt('work'), undo })
    expect(world.seen()).toBe('work on work\nfirst\n## main\n')
    expect(treeOf(world.top)).toEqual({ 'a.txt': 'new\n', 'b/c.txt': 'c\n' })
    expect(await merge()).toEqual({ kind: 'up-to-date' })
  })

  it('makes a merge commit where the user went on, with the hooks of the user', async () => {
    world.branch('work', { 'b.txt': 'b\n' }).add({ 'c.txt': 'c\n' })
    world.hook('commit-msg', 'echo "seen by a hook" >> "$1"')
    const merged = await merge()
    const commit = world.commitAt('main')
    expect(merged).toEqual({ kind: 'merged', commit, undo: `git revert -m 1 ${commit.slice(0, 12)}` })
    expect(world.git('log', '-1', '--format=%an %B%P')).toBe(
      `user Merge branch 'work'\nseen by a hook\n${world.commitAt('main^1')} ${world.commitAt('work')}\n`,
    )
    expect(treeOf(world.top)).toEqual({ 'a.txt': '1\n2\n3\n', 'b.txt': 'b\n', 'c.txt': 'c\n' })
    expect(await merge()).toEqual({ kind: 'up-to-date' })
  })

  it('leaves edits alone that it does not touch', async () => {
    world.branch('work', { 'b.txt': 'b\n' }).add({ 'c.txt': 'c\n' }).write({ 'a.txt': 'mine\n', 'new.txt': 'new\n' })
    expect(await merge()).toMatchObject({ kind: 'merged' })
    expect(world.seen()).toBe("Merge branch 'work'\nmore\nfirst\n## main\n M a.txt\n?? new.txt\n")
    expect(treeOf(world.top)['a.txt']).toBe('mine\n')
  })

  it('is the same from a folder inside', async () => {
    world.branch('work', { 'f/b.txt': 'b\n', 'c.txt': 'c\n' }).write({ 'f/n.txt': 'n\n', 'c.txt': 'mine\n' })
    const root = join(world.top, 'f')
    expect(await merge({ root })).toMatchObject({ kind: 'left', reason: 'local-edits', paths: ['c.txt'] })
    rmSync(join(world.top, 'c.txt'))
    expect(await merge({ root })).toMatchObject({ kind: 'fast-forward' })
  })

  it('goes its way whatever the user has set for merges of their own', async () => {
    world.branch('work', { 'b.txt': 'b\n' }).add({ 'c.txt': 'c\n' })
    world.git('config', 'merge.ff', 'only')
    world.git('config', 'branch.main.mergeOptions', '--no-commit')
    world.git('config', 'core.editor', 'false')
    expect(await merge()).toMatchObject({ kind: 'merged' })
  })

  it.each([
    ['an edited file', { 'a.txt': 'mine\n' }, ['a.txt']],
    ['a new file', { 'b.txt': 'mine\n' }, ['b.txt']],
    ['a new file that git ignores', { 'ignored.txt': 'mine\n', '.git/info/exclude': 'ignored.txt\n' }, ['ignored.txt']],
    ['a file where a folder is to be', { dir: 'mine\n' }, ['dir']],
    ['an ignored file in a folder where a file is to be', { 'f/x.o': 'm\n', '.git/info/exclude': '*.o\n' }, ['f/x.o']],
  ])('changes nothing where %s would be overwritten', async (_what, mine, paths) => {
    world.branch('work', { 'a.txt': 'new\n', 'b.txt': 'b\n', 'ignored.txt': 'i\n', 'dir/d.txt': 'd\n', f: 'f\n' })
    world.write(mine)
    const before = [world.seen(), treeOf(world.top)]
    const why = 'It would overwrite files that are not committed'
    expect(await merge()).toEqual({ kind: 'left', reason: 'local-edits', why, paths })
    expect([world.seen(), treeOf(world.top)]).toEqual(before)
  })

  it('changes nothing where something is staged and a merge commit is due', async () => {
    world.branch('work', { 'b.txt': 'b\n' }).add({ 'c.txt': 'c\n' }).write({ 'c.txt': 'mine\n' })
    world.git('add', 'c.txt')
    expect(await merge()).toMatchObject({ kind: 'left', reason: 'local-edits', paths: ['c.txt'] })
    expect(world.seen()).toBe('more\nfirst\n## main\nM  c.txt\n')
  })

  it('changes nothing where both sides changed the same places', async () => {
    world.branch('work', { 'a.txt': '1\ntheirs\n3\n' }).add({ 'a.txt': '1\nmine\n3\n' }).write({ 'n.txt': 'n\n' })
    const why = 'work and main changed the same places'
    expect(await merge()).toEqual({ kind: 'left', reason: 'conflict', why, paths: ['a.txt'] })
    expect(world.seen()).toBe('more\nfirst\n## main\n?? n.txt\n')
    expect(treeOf(world.top)['a.txt']).toBe('1\nmine\n3\n')
  })

  it('takes the merge back where a hook says no', async () => {
    world.branch('work', { 'b.txt': 'b\n' }).add({ 'c.txt': 'c\n' }).write({ 'a.txt': 'mine\n' })
    world.hook('pre-merge-commit', 'echo "error: not today" >&2; exit 1')
    expect(await merge()).toEqual({ kind: 'left', reason: 'refused', why: 'not today', paths: [] })
    expect(world.seen()).toBe('more\nfirst\n## main\n M a.txt\n')
  })

  it('takes the merge back where a hook does not end', async () => {
    world.branch('work', { 'b.txt': 'b\n' }).add({ 'c.txt': 'c\n' })
    world.hook('pre-merge-commit', 'sleep 100')
    const why = 'git took longer than 1 seconds'
    expect(await merge({ timeLimit: 1 })).toEqual({ kind: 'left', reason: 'refused', why, paths: [] })
    expect(world.seen()).toBe('more\nfirst\n## main\n')
  })

  it('takes the merge back on Ctrl+C', async () => {
    world.branch('work', { 'b.txt': 'b\n' }).add({ 'c.txt': 'c\n' }).write({ 'a.txt': 'mine\n' })
    const begun = join(world.home, 'begun')
    world.hook('commit-msg', `touch ${begun}; sleep 100`)
    const stop = new AbortController()
    const request = { root: world.top, branch: 'work', into: 'main', timeLimit: 60 }
    const merged = mergeBranch(request, { ...world.system, interruption: stop.signal }).catch(String)
    await until(() => existsSync(begun), 'the hook runs')
    stop.abort('SIGINT')
    expect(await merged).toBe('SIGINT')
    expect(world.seen()).toBe('more\nfirst\n## main\n M a.txt\n')
  })

  it('tells of a merge that is done although a hook did not end afterwards', async () => {
    world.branch('work', { 'b.txt': 'b\n' }).hook('post-merge', 'sleep 100')
    expect(await merge({ timeLimit: 1 })).toMatchObject({ kind: 'fast-forward', commit: world.commitAt('work') })
  })

  it('leaves a merge alone that is under way', async () => {
    world.branch('work', { 'a.txt': '1\ntheirs\n3\n' }).add({ 'a.txt': '1\nmine\n3\n' })
    expect(() => world.git('merge', '-q', 'work')).toThrow()
    world.write({ 'a.txt': '1\nboth\n3\n' })
    const why = `A merge is under way in ${world.top}`
    expect(await merge()).toEqual({ kind: 'left', reason: 'busy', why, paths: [] })
    expect(treeOf(world.top)['a.txt']).toBe('1\nboth\n3\n')
    expect(world.commitAt('MERGE_HEAD')).toBe(world.commitAt('work'))
  })
})

describe('a merge by a git that cannot tell beforehand', () => {
  beforeEach(() => {
    const real = world.gitPath()
    const script = `#!/bin/sh\ncase " $* " in *" merge-tree "*) exit 129;; esac\nexec ${real} "$@"`
    world.programs({ git: script })
  })

  it('takes a conflict back', async () => {
    world.branch('work', { 'a.txt': '1\ntheirs\n3\n' }).add({ 'a.txt': '1\nmine\n3\n' }).write({ 'n.txt': 'n\n' })
    expect(await merge()).toMatchObject({ kind: 'left', reason: 'conflict', paths: ['a.txt'] })
    expect(world.seen()).toBe('more\nfirst\n## main\n?? n.txt\n')
    expect(treeOf(world.top)['a.txt']).toBe('1\nmine\n3\n')
  })

  it('spares what git ignores', async () => {
    world.branch('work', { '.env': 'theirs\n' }).add({ 'c.txt': 'c\n' })
    world.write({ '.git/info/exclude': '.env\n', '.env': 'mine\n' })
    expect(await merge()).toMatchObject({ kind: 'left', reason: 'local-edits', paths: ['.env'] })
    expect(treeOf(world.top)['.env']).toBe('mine\n')
  })

  it('merges in the folder', async () => {
    world.branch('work', { 'b.txt': 'b\n' }).add({ 'c.txt': 'c\n' })
    expect(await merge()).toMatchObject({ kind: 'merged' })
  })
})

describe('a merge into a branch that the user is not on', () => {
  beforeEach(() => {
    world.git('branch', 'other')
    world.write({ 'a.txt': 'mine\n' })
  })

  it('moves it forward, and touches no file', async () => {
    world.branch('work', { 'b.txt': 'b\n' })
    const before = world.seen('main')
    expect(await merge({ into: 'other' })).toMatchObject({ kind: 'fast-forward', commit: world.commitAt('work') })
    expect(world.commitAt('other')).toBe(world.commitAt('work'))
    expect(world.seen('main')).toBe(before)
    expect(await merge({ into: 'other' })).toEqual({ kind: 'up-to-date' })
  })

  it('makes a merge commit, and touches no file', async () => {
    world.branch('base', { 'c.txt': 'c\n' }).git('branch', '-f', 'other', 'base')
    world.branch('work', { 'b.txt': 'b\n' })
    const before = world.seen('main')
    expect(await merge({ into: 'other' })).toMatchObject({ kind: 'merged', commit: world.commitAt('other') })
    expect(world.git('log', '-1', '--format=%an %s', 'other')).toBe("user Merge branch 'work' into other\n")
    expect(world.git('ls-tree', '--name-only', 'other')).toBe('a.txt\nb.txt\nc.txt\n')
    expect(world.seen('main')).toBe(before)
  })

  it('leaves it where both sides changed the same places', async () => {
    world.branch('base', { 'a.txt': '1\nbase\n3\n' }).git('branch', '-f', 'other', 'base')
    world.branch('work', { 'a.txt': '1\nwork\n3\n' })
    expect(await merge({ into: 'other' })).toMatchObject({ kind: 'left', reason: 'conflict', paths: ['a.txt'] })
    expect(world.commitAt('other')).toBe(world.commitAt('base'))
  })

  it('leaves it where another work tree shows it', async () => {
    const tree = join(world.home, 'tree')
    world.branch('work', { 'a.txt': 'theirs\n' }).git('worktree', 'add', '-q', tree, 'other')
    const why = `other is checked out in ${tree}`
    expect(await merge({ into: 'other' })).toEqual({ kind: 'left', reason: 'elsewhere', why, paths: [] })
    expect(readFileSync(join(tree, 'a.txt'), 'utf8')).toBe('1\n2\n3\n')
    rmSync(tree, { recursive: true })
    expect(await merge({ into: 'other' })).toMatchObject({ kind: 'fast-forward' })
  })

  it('says where a branch is not there', async () => {
    await expect(merge({ branch: 'nowhere' })).rejects.toThrow(`There is no branch nowhere in ${world.top}`)
  })
})
