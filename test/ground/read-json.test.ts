import { describe, expect, it } from 'vitest'
import { readJson } from '../../src/ground/read-json.ts'
import { fc } from '../support/chance.ts'

describe('readJson', () => {
  it.each([
    ['', 1, 1, 'value expected'],
    ['{\n  "a": 1,\n}', 3, 1, 'property name expected'],
    ['[1,\n]', 2, 1, 'value expected'],
    ['{"a": 1 "b": 2}', 1, 9, 'comma expected'],
    ['{\r\n  // why\r\n  "a": 1\r\n}', 2, 3, 'invalid comment token'],
    ['{"a": 1 /* why */}', 1, 9, 'invalid comment token'],
    ['{"a": "b\n}', 1, 7, 'unexpected end of string'],
    ['{"a": [1, 2', 1, 12, 'close bracket expected'],
    ['{} {}', 1, 4, 'end of file expected'],
  ])('says of %j where and why', (text, line, column, problem) => {
    expect(readJson(text)).toEqual({ kind: 'broken', why: `line ${line}, column ${column}: ${problem}` })
  })

  it('finds each key that its object has already', () => {
    const text = '{\n"a": {"a": 1, "b": [{"a": 1}]},\n"b": "a",\n"\\u0061": 2, "__proto__": 1}'
    expect(readJson(text)).toMatchObject({ kind: 'json', repeated: [{ key: 'a', line: 4, firstLine: 2 }] })
  })

  it.each(['{}', ' [1, -2.5e+10, "\\u00e9\\n", true, false, null, {"a": {"b": []}}] \n', '"a"', '0'])(
    'has nothing to say of %j',
    text => {
      expect(readJson(text)).toEqual({ kind: 'json', value: JSON.parse(text), repeated: [] })
    },
  )

  it('agrees with JSON.parse on what is JSON', () => {
    const signs = [
      ...'{}[],:"\\ \n01-.eE+tau/\'',
      'true',
      'false',
      'null',
      '"a"',
      '"a":',
      '\\u0041',
      '\u00a0',
      '\ufeff',
      '\u0001',
    ]
    const nearly = fc.array(fc.constantFrom(...signs), { maxLength: 12 }).map(parts => parts.join(''))
    const damaged = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ...signs))
      .map(
        ([json, at, sign]) => json.slice(0, at % (json.length + 1)) + sign + json.slice((at % (json.length + 1)) + 1),
      )
    fc.assert(
      fc.property(fc.oneof(fc.json(), nearly, damaged), text => {
        expect(readJson(text).kind === 'json').toBe(parses(text.replace(/^\ufeff/, '')))
      }),
      { numRuns: 5000 },
    )
  })

  it('takes any length, and refuses what is nested too deeply', () => {
    expect(readJson(`"${'a\\n'.repeat(1_000_000)}"`).kind).toBe('json')
    expect(readJson('['.repeat(500_000))).toEqual({ kind: 'broken', why: 'it is nested too deeply' })
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
