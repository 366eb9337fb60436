import { describe, expect, it } from 'vitest'
import { changedLines, type Span } from '../../../src/report/diff/changed-lines.ts'
import { fc } from '../../support/chance.ts'

/** The line with its changed words in brackets. */
function marked(line: string, spans: readonly Span[]): string {
  let text = ''
  let at = 0
  for (const [from, to] of spans) {
    text += `${line.slice(at, from)}[${line.slice(from, to)}]`
    at = to
  }
  return text + line.slice(at)
}

function both(before: string, after: string): readonly [string, string] | undefined {
  const [words] = changedLines([before], [after])
  return words === undefined ? undefined : [marked(before, words.before), marked(after, words.after)]
}

describe('changedLines', () => {
  it.each([
    ['const a = 1', 'const a = 2', 'const a = [1]', 'const a = [2]'],
    ['f(price, rate)', 'f(price, taxRate)', 'f(price, [rate])', 'f(price, [taxRate])'],
    ['a = b', 'a = b // why', 'a = b', 'a = b[ // why]'],
    ['if (a && b) {', 'if (a) {', 'if (a[ && b]) {', 'if (a) {'],
    ['one two three four', 'one 2 3 four', 'one [two three] four', 'one [2 3] four'],
    ['x.foo(1).bar(2)', 'x.foo(9).bar(8)', 'x.foo([1]).bar([2])', 'x.foo([9]).bar([8])'],
    ['größe = 1 m', 'grösse = 1 m', '[größe] = 1 m', '[grösse] = 1 m'],
    ['a 👍 b c', 'a 👎 b c', 'a [👍] b c', 'a [👎] b c'],
  ])('marks %j -> %j', (before, after, old, now) => {
    expect(both(before, after)).toEqual([old, now])
  })

  it.each([
    ['', ''],
    ['rate', 'rates'],
    ['return one', 'import two from three'],
    ['dark: false,', "mode: 'auto' as string,"],
  ])('marks nothing where hardly anything stays: %j -> %j', (before, after) => {
    const found = both(before, after)
    expect(found === undefined || !found.join('').includes('[')).toBe(true)
  })

  it('leaves what is the same on both sides, whatever the lines', () => {
    const line = fc.array(fc.constantFrom('foo', 'bar', ' ', '  ', '(', ')', '=', 'é', '👍', 'x1'), { maxLength: 20 })
    fc.assert(
      fc.property(line, line, (before, after) => {
        const lines = [before.join(''), after.join('')] as const
        const [words] = changedLines([lines[0]], [lines[1]])
        if (words === undefined) return
        const rest = (text: string, spans: readonly Span[]) => marked(text, spans).replace(/\[[^\]]*\]/g, '')
        const [old, now] = [rest(lines[0], words.before), rest(lines[1], words.after)]
        // Blanks between two changed words are taken for changed.
        expect(old.replace(/\s/g, '')).toBe(now.replace(/\s/g, ''))
      }),
      { numRuns: 500 },
    )
  })

  it('takes its time from nobody, however long the lines', () => {
    const long = 'value = one(1), '.repeat(60_000)
    expect(changedLines([long], [long.replace('one(1), value', 'two(1), value')])).toHaveLength(1)
  })

  it.each([
    ['one into another', ['total = sum(prices)'], ['total = sum(costs)'], [[0, 0]]],
    ['none that is a new one', ['total = sum(prices)'], ['import { z } from "zod"'], []],
    ['the first with enough in common', ['total = 1'], ['a()', 'total = 10', 'total = 1 // net'], [[0, 1]]],
    ['no two lines across', ['one = 1', 'two = 2'], ['two = 3', 'one = 4'], [[0, 1]]],
    ['the last one too, where it stands higher now', ['import fs', 'size = 1'], ['size = 2', 'return size'], [[1, 0]]],
  ])('finds which lines were changed into which: %s', (_, before, after, pairs) => {
    expect(changedLines(before, after).map(({ removed, added }) => [removed, added])).toEqual(pairs)
  })

  it('finds none in long rows', () => {
    const lines = (many: number) => Array.from({ length: many }, (_, at) => `line ${at}`)
    expect(changedLines(lines(100), lines(99))).toHaveLength(99)
    expect(changedLines(lines(101), lines(101))).toEqual([])
  })
})
