import { expect, it } from 'vitest'
import { readChoice } from '../../../src/commands/talk/choose-paths.ts'

const paths = ['src/a.ts', 'src/b.ts', 'a']

it.each([
  ['2', [1]],
  ['1, 3', [0, 2]],
  ['1-2 2', [0, 1]],
  ['*', [0, 1, 2]],
  ['src/', [0, 1]],
])('reads %j', (typed, numbers) => expect(readChoice(typed, paths)).toEqual({ kind: 'numbers', numbers }))

it.each([
  ['4', 'there is no file 4: type a number from 1 to 3'],
  ['0', 'there is no file 0: type a number from 1 to 3'],
  ['2-1', 'there is no file 2-1: type a number from 1 to 3'],
  ['lib', 'none of these files has "lib" in its path'],
  // Which may be a key that was meant for the question: the files that have it in their paths stay as they are.
  ['a', 'type more of a path than "a"'],
])('says what is wrong with %j', (typed, why) => expect(readChoice(typed, paths)).toEqual({ kind: 'unclear', why }))
