import { expect, it } from 'vitest'
import { isShape, isText, isWhole, listOf, maybe, oneOf } from '../../src/ground/json.ts'

const isFile = isShape({ name: isText, kind: oneOf('a', 'b'), sizes: listOf(isWhole), note: maybe(isText) })
const sound = { name: 'x', kind: 'a', sizes: [1, 2] }

it.each([
  ['whole', sound, true],
  ['with what may be missing, and with more', { ...sound, note: '', other: null }, true],
  ['without a member', { ...sound, name: undefined }, false],
  ['another word', { ...sound, kind: 'c' }, false],
  ['no list', { ...sound, sizes: { 0: 1 } }, false],
  ['one item that is none', { ...sound, sizes: [1, 1.5] }, false],
  ['null where nothing may stand', { ...sound, note: null }, false],
  ['a list', [sound], false],
  ['a text', 'x', false],
  ['null', null, false],
])('tells the shape of a value: %s', (_, value, is) => {
  expect(isFile(value)).toBe(is)
})
