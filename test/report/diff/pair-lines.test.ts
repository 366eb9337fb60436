import { describe, expect, it } from 'vitest'
import { pairLines } from '../../../src/report/diff/pair-lines.ts'

describe('which lines were changed into which', () => {
  it.each([
    ['one into another', ['total = sum(prices)'], ['total = sum(costs)'], [[0, 0]]],
    ['none that is a new one', ['total = sum(prices)'], ['import { z } from "zod"'], []],
    ['the likest of several', ['total = 1'], ['a()', 'total = 10', 'total = 1 // net'], [[0, 1]]],
    ['of two that are as like, the one at the same place', ['a()', 'x = 1'], ['b', 'x = 2', 'x = 3'], [[1, 1]]],
    ['no two lines across', ['one = 1', 'two = 2'], ['two = 3', 'one = 4'], [[0, 1]]],
    ['the last one too, where it stands higher now', ['import fs', 'size = 1'], ['size = 2', 'return size'], [[1, 0]]],
  ])('%s', (_, removed, added, pairs) => {
    expect(pairLines(removed, added)).toEqual(pairs)
  })

  it('of many only those at the same place, and of too many none', () => {
    const lines = (many: number) => Array.from({ length: many }, (_, at) => `line ${at}`)
    expect(pairLines(lines(30), lines(30))).toEqual(lines(30).map((_, at) => [at, at]))
    expect(pairLines(lines(30), lines(30).reverse())).toHaveLength(30)
    expect(pairLines(lines(30), lines(29))).toEqual([])
    expect(pairLines(lines(101), lines(101))).toEqual([])
  })
})
