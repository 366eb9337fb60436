import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { failureOf } from '../../../src/commands/talk/say-failure.ts'

it.each([
  ['required', async () => createRequire(import.meta.url)('./gone.cjs')],
  ['imported', () => import(new URL('./gone.js', 'file:///nowhere/').href)],
])('a part of relay that cannot be %s any more is no defect: it was updated while it ran', async (_how, load) => {
  const error = await load().catch((caught: unknown) => caught)
  expect(failureOf(error)).toMatchObject({
    message: 'A part of relay is gone: it was updated or removed while it ran',
    hint: 'Start it again.',
  })
})
