import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openBranchCheckout } from '../../../src/agents/checkout/branch-checkout.ts'
import { clonedGitDir, makeClone } from '../../../src/agents/checkout/clone.ts'
import { fetchHome } from '../../../src/agents/ship/fetch-home.ts'
import { readOrigin } from '../../../src/agents/ship/origin.ts'
import { pushBranch } from '../../../src/agents/ship/push.ts'
import { ShipWorld, write } from './world.ts'

const gitHub = 'https://github.com/o/r.git'

let world: ShipWorld
beforeEach(() => {
  world = new ShipWorld()
})
afterEach(() => world.remove())

it('pushes what was made in a clone, and brings it home, whatever the agent did to its repository', async () => {
  const bare = world.bareRemote(gitHub)
  const origin = await readOrigin(world.top, world.system)
  const folder = join(world.home, 'session/relay')
  mkdirSync(folder, { recursive: true })
  const place = { root: world.top, branch: 'claude/work', folder }
  const clone = await openBranchCheckout({ ...place, ...(await makeClone(place, world.system)) }, world.system)
  const trap = `#!/bin/sh\ntouch ${join(world.home, 'sprung')}\n`
  write(clone.cwd, { 'b.txt': 'b\n', '.git/hooks/pre-push': trap, '.husky/pre-push': trap, trap })
  world.git('config', '--global', 'core.hooksPath', '.husky')
  world.gitIn(clone.cwd, 'remote', 'add', 'origin', 'https://example.com/stolen.git')
  world.gitIn(clone.cwd, 'config', 'core.sshCommand', './trap')
  world.gitIn(clone.cwd, 'config', 'credential.helper', '!./trap')
  const { work } = await clone.beginLanding('1')
  const commit = await clone.commit(work, 'feat: it\n')

  const gitDir = clonedGitDir(folder)
  const push = { root: world.top, gitDir, branch: 'claude/work', url: origin?.pushUrl ?? '', timeLimit: 60 }
  expect(await pushBranch(push, world.system)).toEqual({ kind: 'pushed' })
  expect(world.gitIn(bare, 'rev-parse', 'claude/work').trim()).toBe(commit)
  const home = await fetchHome({ from: gitDir, branch: 'claude/work', root: world.top }, world.system)
  expect(home).toEqual({ kind: 'fetched', branch: 'claude/work', commit })
  expect(() => world.read('sprung')).toThrow()
})
