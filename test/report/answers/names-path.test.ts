import { describe, expect, it } from 'vitest'
import { describeFlag } from '../../../src/report/answers/describe-reason.ts'
import { namesPath } from '../../../src/report/answers/names-path.ts'

describe('namesPath', () => {
  it.each([
    ['src/a.ts is deleted', 'src/a.ts', true],
    ['the block for a.ts never ends', 'a.ts', true],
    ['(a.ts)', 'a.ts', true],
    ['data.ts is deleted', 'a.ts', false],
    ['src/a.tsx is deleted', 'src/a.ts', false],
    ['is a program that tools and people run', 'people', false],
    ['is a program that tools and people run', 'tool', false],
  ])('in "%s" of %s: %s', (words, path, isNamed) => {
    expect(namesPath(words, path)).toBe(isNamed)
  })
})

it('a doubt names its file also where the words happen to hold the name', () => {
  const reason = 'is a program that tools and people run'
  expect(describeFlag({ flag: 'sensitive-path', path: 'run', reason })).toBe(`run: ${reason}`)
})
