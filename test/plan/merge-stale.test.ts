import { describe, expect, it } from 'vitest'
import { mergeStale } from '../../src/plan/merge-stale.ts'
import { fc } from '../support/chance.ts'

const bytes = (text: string) => Buffer.from(text)

/** What comes of an answer; `left` where a formatter made something else of what the model saw. */
function merge(seen: string, ours: string, answer: string, left = seen): string {
  const merged = mergeStale(
    { seen: bytes(seen), left: bytes(left), at: new Date(0), since: '#7' },
    bytes(ours),
    bytes(answer),
  )
  if (merged.kind === 'merged') return Buffer.from(merged.bytes).toString()
  return merged.kind === 'current' ? 'current' : `overlap at ${merged.places.map(({ line }) => line).join(' ')}`
}

const base = 'one()\ntwo()\nthree()\nfour()\nfive()\n'
const mine = base.replace('two()', 'mine()\ntwo()')

describe('a whole file of an answer', () => {
  it.each([
    ['where the user did nothing', base, base.replace('five', '5'), 'current'],
    ['with the user’s line in it', mine, mine.replace('five', '5'), 'current'],
    [
      'with more at the user’s own place',
      base.replace('two()', 'two()\nmine()'),
      base.replace('two()', 'two()\nmine()\nmore()'),
      'current',
    ],
    ['without the user’s line', mine, base.replace('five', '5'), mine.replace('five', '5')],
    [
      'with one of the user’s two changes, and its own beside the other',
      mine.replace('four()', '4()'),
      mine.replace('five', '5'),
      'overlap at 5',
    ],
    [
      'with one of the user’s two changes',
      `${mine.replace('three()', '3()')}`,
      mine.replace('five', '5'),
      mine.replace('three()', '3()').replace('five', '5'),
    ],
    [
      'with a line that the user took away',
      base.replace('two()\n', ''),
      base.replace('five', '5'),
      base.replace('two()\n', '').replace('five', '5'),
    ],
    ['that is what the user made', mine, mine, mine],
    ['that changes the user’s line', base.replace('two()', 'two(1)'), base.replace('two()', 'two(2)'), 'overlap at 2'],
    [
      'that changes one, and lacks another',
      mine.replace('five()', '5()'),
      base.replace('five()', 'V()'),
      'overlap at 6',
    ],
    [
      'that brings back what the user took away beside its own',
      base.replace('two()\n', ''),
      base.replace('two()', 'two(2)'),
      'overlap at 2',
    ],
  ])('%s', (_, ours, answer, expected) => {
    expect(merge(base, ours, answer)).toBe(expected)
  })

  it('keeps line ends, byte order mark and a missing final newline of the side that changed them', () => {
    const crlf = (text: string) => text.replaceAll('\n', '\r\n')
    expect(merge(crlf(base), crlf(mine), crlf(base.replace('five', '5')))).toBe(crlf(mine.replace('five', '5')))
    expect(merge(base, crlf(mine), base.replace('five', '5'))).toBe(crlf(mine.replace('five', '5')))
    expect(merge(base, `\ufeff${mine}`, base.replace('five', '5'))).toBe(`\ufeff${mine.replace('five', '5')}`)
  })

  it('is nothing that can be merged where one is no text', () => {
    const merged = mergeStale(
      { seen: bytes('a'), left: bytes('a'), at: new Date(0), since: '#7' },
      Uint8Array.of(0, 1),
      bytes('b'),
    )
    expect(merged).toEqual({ kind: 'overlap', places: [], marked: undefined })
  })

  it('shows both texts between markers', () => {
    const merged = mergeStale(
      { seen: bytes('a\nb\n'), left: bytes('a\nb\n'), at: new Date(0), since: '#7' },
      bytes('a\nx\n'),
      bytes('a\ny\n'),
    )
    expect(merged.kind === 'overlap' && Buffer.from(merged.marked ?? '').toString()).toBe(
      'a\n<<<<<<< your edit, after #7\nx\n=======\ny\n>>>>>>> the answer\n',
    )
  })
})

describe('a choice about an overlap', () => {
  const all = Array.from({ length: 10 }, (_, at) => `base${at}()`)
  const changed = (who: string, at: readonly number[]) =>
    bytes(`${all.map((line, index) => (at.includes(index) ? `${who}${index}()` : line)).join('\n')}\n`)
  const places = fc.array(fc.nat(9), { minLength: 1 })

  it.each([
    ['model', 'ours', 'theirs'],
    ['mine', 'theirs', 'ours'],
  ] as const)('of the %s takes the other lines from its places alone', (choice, other, own) => {
    fc.assert(
      fc.property(fc.record({ ours: places, theirs: places }), sides => {
        const seen = { seen: changed('', []), left: changed('', []), at: new Date(0), since: '#7' }
        const [ours, theirs] = [changed('ours', sides.ours), changed('theirs', sides.theirs)]
        const asked = mergeStale(seen, ours, theirs)
        if (asked.kind !== 'overlap') return
        const merged = mergeStale(seen, ours, theirs, choice)
        const made = merged.kind === 'merged' ? Buffer.from(merged.bytes).toString() : `${theirs}`
        const gone = asked.places.flatMap(place => place[other])
        for (const at of sides[own]) expect(made).toContain(`${own}${at}()`)
        for (const at of sides[other]) expect(made.includes(`${other}${at}()`)).toBe(!gone.includes(`${other}${at}()`))
      }),
    )
  })
})

describe('behind a formatter', () => {
  const written = "a('x')\nb('y')\nc('z')\n"
  const left = 'a("x");\nb("y");\nc("z");\n'

  it.each([
    ['the user did nothing', left, written.replace('z', 'Z'), 'current'],
    [
      'the user added a line',
      `${left}mine();\n`,
      written.replace("a('x')", "a('X')"),
      `a('X')\n${left.split('\n').slice(1).join('\n')}mine();\n`,
    ],
    [
      'the answer was made from what it left',
      `${left}mine();\n`,
      left.replace('"x"', '"X"'),
      `${left.replace('"x"', '"X"')}mine();\n`,
    ],
  ])('the answer merges where %s', (_, ours, answer, expected) => {
    expect(merge(written, ours, answer, left)).toBe(expected)
  })
})

it('merges a file of 50,000 lines', () => {
  const all = Array.from({ length: 50_000 }, (_, at) => `line ${at}`)
  const text = (lines: readonly string[]) => `${lines.join('\n')}\n`
  const [ours, answer] = [all.with(100, 'mine'), all.with(40_000, 'theirs')]
  expect(merge(text(all), text(ours), text(answer))).toBe(text(all.with(100, 'mine').with(40_000, 'theirs')))
})
