import { describe, expect, it } from 'vitest'
import { type MergePart, mergeLines } from '../../src/lines/merge-lines.ts'
import { fc } from '../support/chance.ts'

const certain = (...lines: string[]) => ({ kind: 'certain', lines })

/** The parts without whose change they are: stretches that are certain are one. */
function plain(parts: readonly MergePart[]): readonly unknown[] {
  const found: ({ kind: 'certain'; lines: string[] } | MergePart)[] = []
  for (const part of parts) {
    const last = found.at(-1)
    if (part.kind === 'certain' && last?.kind === 'certain' && !('by' in last)) last.lines.push(...part.lines)
    else if (part.kind === 'overlap') found.push(part)
    else found.push({ kind: 'certain', lines: [...part.lines] })
  }
  return found.filter(part => part.kind === 'overlap' || part.lines.length > 0)
}
const lines = (text: string) => (text === '' ? [] : text.split(' '))
const joined = (parts: readonly MergePart[]) =>
  parts.map(part => (part.kind === 'certain' ? part.lines.join(' ') : '!')).join(' ')

describe('mergeLines', () => {
  it.each([
    ['neither side changed', 'a b c', 'a b c', 'a b c', 'a b c'],
    ['only ours changed', 'a b c', 'a x c d', 'a b c', 'a x c d'],
    ['only theirs changed', 'a b c', 'a b c', 'b y', 'b y'],
    ['both made the same change', 'a b c', 'a x c', 'a x c', 'a x c'],
    ['each changed another place', 'a b c d e', 'x b c d e', 'a b c d y', 'x b c d y'],
    ['one line stands between the changes', 'a b c', 'x b c', 'a b y', 'x b y'],
    ['both added at other places', 'a b c', 'a n b c', 'a b m c', 'a n b m c'],
    ['one removed what the other left alone', 'a b c d', 'a d', 'a b c d e', 'a d e'],
    ['nothing was there', '', 'a', '', 'a'],
    ['everything went', 'a b', '', 'a b', ''],
  ])('takes both when %s', (_name, base, ours, theirs, merged) => {
    expect(plain(mergeLines(lines(base), lines(ours), lines(theirs)))).toEqual(
      merged === '' ? [] : [certain(...lines(merged))],
    )
  })

  it.each([
    ['the same line', 'a b c', 'a x c', 'a y c', 'a ! c'],
    ['lines that touch', 'a b c d', 'a x c d', 'a b y d', 'a ! d'],
    ['what the other removed', 'a b c', 'a c', 'a x c', 'a ! c'],
    ['the same place, with new lines', 'a b', 'a x b', 'a y b', 'a ! b'],
    ['all of it', 'a', 'x', 'y', '!'],
    ['an empty text', '', 'x', 'y', '!'],
  ])('leaves the choice when both changed %s', (_name, base, ours, theirs, merged) => {
    expect(joined(mergeLines(lines(base), lines(ours), lines(theirs)))).toBe(merged)
  })

  it('says where a place is, and what each side has there', () => {
    expect(plain(mergeLines(lines('a b c d'), lines('n a x c d'), lines('a y c z')))).toEqual([
      certain('n', 'a'),
      { kind: 'overlap', at: 2, base: ['b'], ours: ['x'], theirs: ['y'] },
      certain('c', 'z'),
    ])
  })

  it('says who changed what is certain', () => {
    expect(
      mergeLines(lines('a b'), lines('a x'), lines('a x')).map(part => part.kind === 'certain' && part.by),
    ).toContain('both')
    const found = mergeLines(lines('a b c d e f'), lines('x b c d e f'), lines('a b c d y f'))
    expect(found.map(part => part.kind === 'certain' && part.by)).toEqual(['ours', 'none', 'theirs', 'none'])
  })

  it('is not confused by lines that are everywhere', () => {
    const blocks = (names: string) => names.split('').flatMap(name => ['{', `  ${name}`, '}', ''])
    expect(plain(mergeLines(blocks('abcdef'), blocks('axcdef'), blocks('abcdyf')))).toEqual([
      certain(...blocks('axcdyf')),
    ])
    expect(plain(mergeLines(blocks('abc'), blocks('abnc'), blocks('bc')))).toEqual([certain(...blocks('bnc'))])
  })

  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', '{', '}', ''), { maxLength: 12 })

  it('has nothing to decide where one side changed nothing', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        const expected = other.length === 0 ? [] : [certain(...other)]
        expect(plain(mergeLines(base, other, base))).toEqual(expected)
        expect(plain(mergeLines(base, base, other))).toEqual(expected)
        expect(plain(mergeLines(base, other, other))).toEqual(expected)
      }),
    )
  })

  it('loses no line that one side added', () => {
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        const mine = ours.map((line, at) => (base[at] === line ? line : `${line} ours ${at}`))
        const yours = theirs.map((line, at) => (base[at] === line ? line : `${line} theirs ${at}`))
        const found = mergeLines(base, mine, yours).flatMap(part =>
          part.kind === 'certain' ? part.lines : [...part.ours, ...part.theirs],
        )
        for (const line of [...mine, ...yours]) if (/ours|theirs/.test(line)) expect(found).toContain(line)
      }),
    )
  })

  it.each([
    ['ordinary code', (at: number) => (at % 10 < 4 ? ['}', '', '  }', '{'][at % 4] : `line ${at}`)],
    ['a text of one line again and again', () => '}'],
    ['few kinds of lines', (at: number) => `line ${at % 50}`],
  ])('merges 50,000 lines of %s in no time', (_name, lineAt) => {
    const base = Array.from({ length: 50_000 }, (_, at) => lineAt(at) ?? '')
    const ours = base.with(10, 'mine').with(-5, 'mine too').toSpliced(20_000, 0, 'mine as well')
    const theirs = base.with(500, 'theirs').with(-300, 'theirs too')
    const found = mergeLines(base, ours, theirs).flatMap(part =>
      part.kind === 'certain' ? part.lines : [...part.ours, ...part.theirs],
    )
    for (const line of ['mine', 'mine too', 'mine as well', 'theirs', 'theirs too']) expect(found).toContain(line)
  })
})
