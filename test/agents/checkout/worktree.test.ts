import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openWorktree, type Worktree, type WorktreePlace } from '../../../src/agents/checkout/worktree.ts'
import { madeIn, treeOf, World, write } from './world.ts'

let world: World
beforeEach(() => {
  world = new World()
})
afterEach(() => world.remove())

const at = () => join(world.home, 'worktrees/project/task')

async function open(
  place: Partial<WorktreePlace> = {},
  options?: Parameters<typeof openWorktree>[2],
): Promise<Worktree> {
  const folder = join(world.home, 'state')
  mkdirSync(folder, { recursive: true })
  return openWorktree({ root: world.top, branch: 'task', at: at(), folder, ...place }, world.system, options)
}

const inTree = (...args: readonly string[]) => world.gitIn(at(), ...args)

/** Lands all that was made, without a judgement. */
async function land(worktree: Worktree, message = 'Do it\n'): Promise<string> {
  const { work } = await worktree.beginLanding('1')
  return worktree.commit(work, message)
}

describe('a worktree', () => {
  it('is made on a new branch, and what the agent makes becomes one commit there', async () => {
    world.commit({ 'a.txt': 'a\n', 'gone.txt': 'gone\n' })
    world.git('config', 'user.name', 'Jane')
    world.git('config', 'user.email', 'jane@example.com')
    const worktree = await open()
    expect(treeOf(worktree.cwd)).toEqual({ 'a.txt': 'a\n', 'gone.txt': 'gone\n' })
    expect(inTree('log', '--format=%an %s')).toBe('relay The start\n')
    write(worktree.cwd, { 'a.txt': 'b\n', 'new/c.sh': '#!/bin/sh\n' })
    rmSync(join(worktree.cwd, 'gone.txt'))
    inTree('add', '-A')
    inTree('commit', '-qm', 'mine')
    expect(await madeIn(worktree)).toEqual({
      'a.txt': '"a\\n" => "b\\n"',
      'gone.txt': '"gone\\n" => nothing',
      'new/c.sh': 'nothing => x "#!/bin/sh\\n"',
    })
    const commit = await land(worktree, 'Do it\n\nAll of it.\n')
    expect(world.git('log', '--format=%H %an %ae %cn %B', 'main..task')).toBe(
      `${commit} Jane jane@example.com Jane Do it\n\nAll of it.\n\n`,
    )
    expect(world.git('fsck', '--strict', '--no-dangling')).toBe('')
    await worktree.leave()
    expect(inTree('status', '--porcelain', '--branch')).toBe('## task\n')
    expect(inTree('show', '--stat', '--format=')).toBe(
      ' a.txt    | 2 +-\n gone.txt | 1 -\n new/c.sh | 1 +\n 3 files changed, 2 insertions(+), 2 deletions(-)\n',
    )
    expect(readFileSync(join(at(), '.git'), 'utf8')).toBe(`gitdir: ${world.top}/.git/worktrees/task\n`)
    await worktree.remove()
    expect([existsSync(at()), world.git('worktree', 'list', '--porcelain').split('\n\n').length]).toEqual([false, 2])
  })
})
