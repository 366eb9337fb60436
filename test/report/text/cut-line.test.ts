import { describe, expect, it } from 'vitest'
import { codeRows } from '../../../src/report/diff/code-line.ts'
import { columnsOf, graphemesOf } from '../../../src/report/text/columns-of.ts'
import { cutLine, cutPath, padLine } from '../../../src/report/text/cut-line.ts'
import { wrapLine } from '../../../src/report/text/wrap-line.ts'
import { fc } from '../../support/chance.ts'

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
    ['か\u3099', 2],
    ['\u1112\u1161\u11ab', 2],
    ['한\u1112\u1161', 4],
    ['कि', 2],
    ['กำ', 2],
    ['1\ufe0f\u20e3', 2],
    // Two signs to a terminal that joins none.
    ['👍🏻', 4],
    ['👨‍👩‍👧', 6],
    ['🇩🇪', 4],
    ['─✔▲…', 4],
    ['\x1b[31mred\x1b[39m', 3],
  ])('%j takes %i columns', (text, columns) => {
    expect(columnsOf(text)).toBe(columns)
  })
})

describe('graphemesOf', () => {
  const signs = (text: string) => [...graphemesOf(text, 1_000)].map(({ sign }) => sign)

  it.each(['👨\u200d👩\u200d👧', 'e\u0301', '🇩🇪', '한\u1112\u1161', '日', 'x'])(
    'finds no other signs in a long word of %s',
    sign => {
      for (const lead of ['', 'x', 'xx', 'xxx']) {
        const text = lead + sign.repeat(700)
        const whole = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)
        expect(signs(text)).toEqual(Array.from(whole, ({ segment }) => segment))
      }
    },
  )

  it('answers in time to a word of a hundred thousand letters', () => {
    expect(signs('日'.repeat(100_000))).toHaveLength(100_000)
  }, 5_000)
})

/** Signs that join any number of letters, each of which moves the cursor. */
const CHAINS = ['\u0e33', '\u0eb3', '\u1100', '\u1161', '\u0915\u094d', '\u093e', '🏻', '👨\u200d', '❤\ufe0f', '🇩']

/** As a terminal does that knows of no sign of more than one character. */
function columnsOneByOne(text: string): number {
  return [...text].reduce((sum, character) => {
    if (/[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]/u.test(character)) return sum
    if (/[\uffa0-\uffdc]/.test(character)) return sum + 1
    return sum + (/\p{Emoji_Presentation}|[\p{Script=Han}\p{Script=Hangul}\u3041-\u30ff]/u.test(character) ? 2 : 1)
  }, 0)
}

describe('a sign that joins many letters', () => {
  const letters = fc.oneof(fc.constantFrom(...CHAINS, 'x', ' ', '\u0301', '한', '日'), fc.string({ unit: 'binary' }))
  const texts = fc
    .array(
      fc.oneof(
        letters,
        letters.map(text => text.repeat(40)),
      ),
    )
    .map(parts => parts.join(''))

  it('is never counted narrower than a terminal shows it', () => {
    fc.assert(
      fc.property(texts, text => {
        expect(columnsOf(text)).toBeGreaterThanOrEqual(columnsOneByOne(text))
      }),
    )
  })

  it('is wrapped and cut all the same, and nothing of it is lost', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 80 }), (text, columns) => {
        const rows = codeRows({ text, changed: [] }, columns).map(row => row.text)
        expect(rows.join('')).toBe(text)
        for (const row of [...rows, ...wrapLine(text, columns), cutLine(text, columns), cutPath(text, columns)]) {
          expect(columnsOf(row)).toBeLessThanOrEqual(columns)
        }
      }),
    )
  })

  it.each(CHAINS)('%j repeated cannot push what follows past the edge', letter => {
    const rows = codeRows({ text: `x${letter.repeat(71)}✔ kept #1  auto: no new errors`, changed: [] }, 72)
    expect(rows.length).toBeGreaterThan(1)
    for (const { text } of rows) expect(columnsOneByOne(text)).toBeLessThanOrEqual(72)
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

  it('cuts no path within what is written for a sign that cannot be shown', () => {
    const parts = ['x/', '\\u200d', 'b', '\\x1b', 'c', '\\u{e0041}', 'd.ts']
    const path = parts.join('')
    const cuts = new Set(Array.from({ length: path.length - 1 }, (_, columns) => cutPath(path, columns + 1)))
    expect([...cuts]).toEqual([
      ...['…', '…s', '…ts', '….ts', '…d.ts', '…\\u{e0041}d.ts', '…c\\u{e0041}d.ts', '…\\x1bc\\u{e0041}d.ts'],
      ...['…b\\x1bc\\u{e0041}d.ts', '…\\u200db\\x1bc\\u{e0041}d.ts'],
    ])
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
    ['it is in .relaycode/rescue/Row.ts b', 8, ['it is in', '.relaycode/rescue/Row.ts', 'b']],
    ['again: `relay redo`. b', 14, ['again:', '`relay redo`.', 'b']],
    ['again (`relay redo`)', 14, ['again', '(`relay redo`)']],
    ['again (`relay redo`)', 13, ['again (`relay', 'redo`)']],
    ['again: `relay apply --last`', 14, ['again: `relay', 'apply --last`']],
    ['a ` that has no second one', 14, ['a ` that has', 'no second one']],
  ])('breaks %j at %i', (text, columns, expected) => {
    expect(wrapLine(text, columns)).toEqual(expected)
  })

  it('ends a flood with a visible mark', () => {
    const lines = wrapLine('word '.repeat(1000), 20, '…', 3)
    expect(lines.length).toBeLessThanOrEqual(4)
    expect(lines.at(-1)).toMatch(/…$/)
  })
})
