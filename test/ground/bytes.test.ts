import { describe, expect, it } from 'vitest'
import { cutBytes, cutBytesBefore } from '../../src/ground/bytes.ts'

describe('a text that is cut to bytes', () => {
  it.each<[text: string, most: number, start: string, end: string]>([
    ['abc', 3, 'abc', 'abc'],
    ['abcd', 3, 'abc', 'bcd'],
    ['abc', 0, '', ''],
    ['abc', -1, '', ''],
    ['', 5, '', ''],
    ['äöü', 3, 'ä', 'ü'],
    ['äöü', 4, 'äö', 'öü'],
    ['a€b', 3, 'a', 'b'],
    ['a€b', 4, 'a€', '€b'],
    ['😀😀', 7, '😀', '😀'],
    ['x😀', 3, 'x', ''],
    ['\ufeffab', 5, '\ufeffab', '\ufeffab'],
  ])('%j, to %i bytes', (text, most, start, end) => {
    expect(cutBytes(text, most)).toBe(start)
    expect(cutBytesBefore(text, most)).toBe(end)
  })
})
