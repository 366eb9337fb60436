import { expect, it } from 'vitest'
import { countFiles, findRenames } from '../../src/lines/find-renames.ts'
import { change } from '../report/samples.ts'

it('reads no deleted file where nothing is new, for ten thousand of them take seconds', () => {
  let looks = 0
  const before = {
    kind: 'file',
    mode: 0o644,
    get bytes() {
      looks += 1
      return Buffer.from('text\n')
    },
  } as const
  expect(findRenames([change('a.ts', before, null)])).toEqual(new Map())
  // Whether there is something in it.
  expect(looks).toBe(1)
})

it('counts a file that moves once, and none that is as wanted already', () => {
  const text = Buffer.from('one\ntwo\n')
  const file = { kind: 'file', mode: 0o644, bytes: text } as const
  const moved = [change('a.ts', file, null), change('b.ts', null, file)]
  const changes = [
    ...moved,
    { ...change('same.ts', 'x\n', 'x\n'), effect: 'none' as const },
    change('c.ts', 'x\n', 'y\n'),
  ]
  expect(countFiles(changes)).toBe(2)
})
