import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnsOf } from '../../src/report/columns-of.ts'
import { cutLine, cutPath, padLine } from '../../src/report/cut-line.ts'
import { wrapLine } from '../../src/report/wrap-line.ts'

describe('columnsOf', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['한글', 4],
    ['ｆ', 2],
    ['🙂', 2],
    ['❤\ufe0f', 2],
    ['🇩🇪', 2],
    ['─✔▲…', 4],
    ['\x1b[31mred\x1b[39m', 3],
  ])('%j takes %i columns', (text, columns) => {
    expect(columnsOf(text)).toBe(columns)
  })
})

describe('cutLine', () => {
  it.each([
    ['fits', 10, 'fits'],
    ['just fits', 9, 'just fits'],
    ['does not fit', 8, 'does no…'],
    ['日本語日本語', 6, '日本…'],
    ['日本語日本語', 7, '日本語…'],
    ['', 5, ''],
  ])('cuts %j to %i columns', (text, columns, expected) => {
    expect(cutLine(text, columns)).toBe(expected)
  })

  it('marks the cut as the terminal can', () => {
    expect(cutLine('does not fit', 8, '...')).toBe('does ...')
  })

  it('keeps the name of a file when it cuts a path', () => {
    expect(cutPath('packages/web/src/settings.tsx', 16)).toBe('…rc/settings.tsx')
    expect(cutPath('src/a.ts', 16)).toBe('src/a.ts')
  })

  it('never takes more columns than it may, nor drops what fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 3, max: 40 }), (text, columns) => {
        const cut = cutLine(text, columns)
        expect(columnsOf(cut)).toBeLessThanOrEqual(columns)
        expect(columnsOf(cutPath(text, columns))).toBeLessThanOrEqual(columns)
        if (columnsOf(text) <= columns) expect(cut).toBe(text)
      }),
    )
  })

  it('cuts a line of a million signs at once', () => {
    expect(cutLine('x'.repeat(1_000_000), 5)).toBe('xxxx…')
    expect(cutPath('界'.repeat(1_000_000), 5)).toBe('…界界')
  })
})

it('pads by columns, not by signs', () => {
  expect(padLine('日本', 6)).toBe('日本  ')
  expect(padLine('too long', 3)).toBe('too long')
})

describe('wrapLine', () => {
  it.each([
    ['one two three', 8, ['one two', 'three']],
    ['short', 8, ['short']],
    ['', 8, ['']],
    ['a verylongwordindeed b', 8, ['a', 'verylong', 'wordinde', 'ed b']],
  ])('breaks %j at %i', (text, columns, expected) => {
    expect(wrapLine(text, columns)).toEqual(expected)
  })

  it('ends a flood with a visible mark', () => {
    const lines = wrapLine('word '.repeat(1000), 20, '…', 3)
    expect(lines.length).toBeLessThanOrEqual(4)
    expect(lines.at(-1)).toMatch(/…$/)
  })
})
