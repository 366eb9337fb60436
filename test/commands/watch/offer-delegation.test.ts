import { expect, it } from 'vitest'
import { main } from '../../../src/main.ts'
import { around } from '../../support/around.ts'
import type { FakeClock } from '../../support/fake-clock.ts'
import { type FakeSystemOptions, fakeSystem } from '../../support/fake-system.ts'
import { respond } from '../../support/respond.ts'

const repository = { '.git/HEAD': 'ref: refs/heads/main\n' }

async function watching(options: FakeSystemOptions = {}) {
  const files = { 'relaycode.config.json': JSON.stringify({ projectId: 'demo' }), ...options.files }
  const world = fakeSystem({ answers: [], ...options, files })
  const end = main(['watch'], around(world.system))
  await world.clock.someoneSleeps()
  const settle = async () => {
    for (let i = 0; i < 2000; i++) await new Promise(resolve => setImmediate(resolve))
  }
  await settle()
  return {
    world,
    settle,
    async copy(text: string) {
      world.clipboard.text = text
      await (world.clock as FakeClock).advance(2000)
      await settle()
    },
    async stop() {
      world.interrupt()
      await end
    },
  }
}

it.each([
  ['the agent is not installed', repository, false, 'not delegated  claude is not installed here'],
  ['the folder is no repository', {}, true, 'not delegated  this folder is in no git repository'],
])('asks nothing about a copied wish where %s, and says so once', async (_, files, isThere, words) => {
  const { world, copy, stop } = await watching({ files })
  if (isThere) world.shell.programs.set('claude', '/bin/claude')
  await copy('Add a dark mode /claude')
  await copy('Add a light mode /claude')
  expect(world.terminal.stderr.split(words)).toHaveLength(2)
  expect(world.terminal.questions).toEqual([])
  await stop()
})

it('takes an answer that is copied while it asks about a wish, and then asks again', async () => {
  const { world, copy, settle, stop } = await watching({ files: repository })
  world.shell.programs.set('claude', '/bin/claude')
  let isKept = false
  world.terminal.answers.push(
    async () => {
      world.terminal.paste(respond({ 'a.ts': 'one\n' }))
      await settle()
      return undefined
    },
    () => {
      isKept = world.disk.text()['a.ts'] === 'one\n'
      return 'n'
    },
  )
  await copy('Add a dark mode /claude')
  await settle()
  expect(isKept).toBe(true)
  expect(world.terminal.questions).toEqual(Array(2).fill('Delegate it? (y/r/x/n/?)'))
  await stop()
})
