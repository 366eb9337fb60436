import { describe, expect, it } from 'vitest'
import { compareLines } from '../../src/lines/compare-lines.ts'
import { fc } from '../support/chance.ts'

describe('compareLines', () => {
  it('finds what was changed, added and removed', () => {
    expect(compareLines(['a', 'b', 'c', 'd', 'e'], ['a', 'B', 'c', 'e', 'f'])).toEqual([
      { beforeStart: 1, beforeEnd: 2, afterStart: 1, afterEnd: 2 },
      { beforeStart: 3, beforeEnd: 4, afterStart: 3, afterEnd: 3 },
      { beforeStart: 5, beforeEnd: 5, afterStart: 4, afterEnd: 5 },
    ])
  })

  function remade(before: readonly string[], after: readonly string[]): readonly string[] {
    const made: string[] = []
    let at = 0
    for (const { beforeStart, beforeEnd, afterStart, afterEnd } of compareLines(before, after)) {
      made.push(...before.slice(at, beforeStart), ...after.slice(afterStart, afterEnd))
      at = beforeEnd
    }
    return [...made, ...before.slice(at)]
  }

  it('gives differences from which the new text can be made again', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '}', 'long line'), { maxLength: 40 })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(remade(before, after)).toEqual(after)
      }),
    )
  })

  it('does not take a difference to begin within the one above it', () => {
    const before = ['', 'long line', '', '}', 'long line', '', 'c']
    const after = ['', '', 'c', 'a']
    expect(remade(before, after)).toEqual(after)
  })

  it('does so for long texts', () => {
    const line = fc.oneof(fc.constantFrom('', '}', 'return'), fc.integer({ max: 800, min: 0 }).map(String))
    const lines = fc.array(line, { minLength: 300, maxLength: 900 })
    fc.assert(
      fc.property(lines, lines, fc.nat(300), (before, after, at) => {
        const moved = [...before.slice(at), ...after, ...before.slice(0, at)]
        expect(remade(before, moved)).toEqual(moved)
      }),
      { numRuns: 50 },
    )
  })

  it('finds the larger part that stays of a text of which a part was moved', () => {
    const before = Array.from({ length: 20_000 }, (_, n) => `line ${n}`)
    expect(compareLines(before, [...before.slice(700), ...before.slice(0, 700)])).toEqual([
      { beforeStart: 0, beforeEnd: 700, afterStart: 0, afterEnd: 0 },
      { beforeStart: 20_000, beforeEnd: 20_000, afterStart: 19_300, afterEnd: 20_000 },
    ])
  })

  it('takes all between the same ends for new where too much moved', () => {
    const before = Array.from({ length: 50_000 }, (_, n) => `line ${n}`)
    expect(compareLines(['first', ...before, 'last'], ['first', ...before.toReversed(), 'last'])).toEqual([
      { beforeStart: 1, beforeEnd: 50_001, afterStart: 1, afterEnd: 50_001 },
    ])
  })

  it('gives up on what would take too long, and says that all of it is new', () => {
    let seed = 1
    const next = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return ['a', 'b', '}', '', 'return', 'x = 1'][seed % 6] ?? ''
    }
    const before = Array.from({ length: 20_000 }, next)
    const after = Array.from({ length: 20_000 }, next)
    expect(compareLines(['first', ...before], ['first', ...after]).length).toBeLessThan(1000)
  })

  it('takes what is added to begin where a reader would', () => {
    const one = ['function a() {', '  return 1', '}', '']
    const two = ['function b() {', '  return 2', '}', '']
    const three = ['function c() {', '  return 3', '}']
    expect(compareLines([...one, ...three], [...one, ...two, ...three])).toEqual([
      { beforeStart: 4, beforeEnd: 4, afterStart: 4, afterEnd: 8 },
    ])
    expect(compareLines([...one, ...two, ...three], [...one, ...three])).toEqual([
      { beforeStart: 4, beforeEnd: 8, afterStart: 4, afterEnd: 4 },
    ])
    const inside = ['if (a) {', '  if (b) {', '    c()', '  }', '}']
    expect(compareLines(inside, [...inside.slice(0, 4), '  if (d) {', '    e()', '  }', '}'])).toEqual([
      { beforeStart: 4, beforeEnd: 4, afterStart: 4, afterEnd: 7 },
    ])
  })

  it('stays exact for many small changes in a large file', () => {
    const before = Array.from({ length: 20_000 }, (_, n) => `line ${n}`)
    const after = before.map((line, n) => (n % 4 === 0 ? `${line} changed` : line))
    expect(compareLines(before, after)).toHaveLength(5000)
  })
})
