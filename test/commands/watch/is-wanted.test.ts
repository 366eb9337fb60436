import { expect, it } from 'vitest'
import { isWanted } from '../../../src/commands/watch/is-wanted.ts'
import { isDeclinedOffer } from '../../../src/transact/journal/declined-offer.ts'
import { fakeProject, fakeTalk } from '../../support/fake-project.ts'
import { fakeSystem } from '../../support/fake-system.ts'
import { respond } from '../../support/respond.ts'

it('looks at no more files of an offer after an interruption', async () => {
  const files = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`src/f${n}.js`, `${n}\n`]))
  const { system, disk, interrupt } = fakeSystem({ files })
  const looked = new Set<string>()
  disk.onCall = (_name, path) => {
    if (!path.startsWith('/project/src/f')) return
    looked.add(path)
    interrupt()
  }
  const patch = respond(Object.fromEntries(Object.keys(files).map(path => [path, 'new\n'])))
  await expect(isWanted(patch, fakeProject(), system, fakeTalk())).rejects.toBe('SIGINT')
  disk.onCall = undefined
  expect(looked.size).toBeLessThanOrEqual(64)
})

it.each([
  ['n', 'no', true],
  ['Ctrl+D', 'closed', true],
  ['Ctrl+C', 'closed', false],
] as const)('remembers what the user wanted nothing of: %s', async (key, answer, isRemembered) => {
  const { system, disk, layout, interrupt } = fakeSystem()
  const text = respond({ 'src/a.ts': 'new\n' })
  disk.folder('.relaycode')
  const said = () => {
    if (key === 'Ctrl+C') interrupt()
    return answer
  }
  expect(await isWanted(text, fakeProject(), system, fakeTalk([said]))).toBe(false)
  expect(await isDeclinedOffer(text, layout)).toBe(isRemembered)
})
