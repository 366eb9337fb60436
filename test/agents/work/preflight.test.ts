import { afterEach, beforeEach, expect, it } from 'vitest'
import { mustHaveLfs } from '../../../src/agents/work/preflight.ts'
import type { System } from '../../../src/ports.ts'
import { World } from '../checkout/world.ts'

let world: World
beforeEach(() => {
  world = new World()
})
afterEach(() => world.remove())

/** What a run is told before its first turn, in a repository whose git insists on git-lfs or not. */
async function told(attributes: string, isRequired: boolean, lfs: string | null): Promise<string> {
  world.commit({ 'a/.gitattributes': attributes })
  world.git('config', 'filter.lfs.clean', 'git-lfs clean -- %f')
  world.git('config', 'filter.lfs.required', String(isRequired))
  const system = { ...world.system, shell: { find: async () => lfs } } as unknown as System
  return mustHaveLfs(world.top, system).then(
    () => 'nothing',
    (error: Error) => `${'kind' in error && error.kind}: ${error.message}`,
  )
}

it.each([
  ['environment: git-lfs keeps files of this repository, and it is not installed', '*.bin filter=lfs\n', true, null],
  ['nothing', '*.bin filter=lfs\n', true, '/usr/bin/git-lfs'],
  ['nothing', '*.bin filter=lfs\n', false, null],
  ['nothing', '*.bin -text\n', true, null],
])('says of git-lfs: %s', async (words, attributes, isRequired, lfs) => {
  expect(await told(attributes, isRequired, lfs)).toBe(words)
})
