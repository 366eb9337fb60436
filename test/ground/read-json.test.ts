import { describe, expect, it } from 'vitest'
import { readJson } from '../../src/ground/read-json.ts'
import { fc } from '../support/chance.ts'

describe('readJson', () => {
  it.each([
    ['', 1, 1, 'the file is empty'],
    ['{\n  "a": 1,\n}', 3, 1, 'the last "," before } must go'],
    ['[1,\n]', 2, 1, 'the last "," before ] must go'],
    ['{"a": 1 "b": 2}', 1, 9, 'a "," or } is missing before this'],
    ['["a" "b"]', 1, 6, 'a "," or ] is missing before this'],
    ['{"a": [1}', 1, 9, 'found } where ] closes'],
    ['{"a" 1}', 1, 6, 'a ":" is missing after the key'],
    ['{"a": }', 1, 7, 'a value is missing before this'],
    ['{,}', 1, 2, 'a "," too many'],
    ['{a: 1}', 1, 2, 'a key in double quotes is missing here'],
    ["{'a': 1}", 1, 2, 'texts need straight double quotes ("), not \''],
    ['{\n  // why\n  "a": 1\n}', 2, 3, 'comments are not allowed in JSON'],
    ['{"a": 1 /* why */}', 1, 9, 'comments are not allowed in JSON'],
    ['{"a": "b\n}', 1, 7, 'the closing " of this text is missing on its line'],
    ['{"a": "b', 1, 7, 'the closing " of this text is missing'],
    ['{"a": "\t"}', 1, 8, 'a control character in a text must be written with a backslash, as in "\\t"'],
    ['{"a": "C:\\dir"}', 1, 10, 'a backslash in a text must be doubled: "\\\\"'],
    ['{"a": [1, 2', 1, 12, 'the text ends here, but its closing ] is missing'],
    ['{} {}', 1, 4, 'nothing may follow here: the value is complete'],
    ['{"a": True}', 1, 7, 'this is no JSON value; a text needs double quotes'],
    ['{\r\n  "a": NaN\r\n}', 2, 8, 'this is no JSON value; a text needs double quotes'],
  ])('says of %j where and why', (text, line, column, problem) => {
    expect(readJson(text)).toEqual({ kind: 'broken', why: `line ${line}, column ${column}: ${problem}` })
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

  it('takes any depth and any length', () => {
    expect(readJson('['.repeat(500_000))).toEqual({
      kind: 'broken',
      why: 'line 1, column 500001: the text ends here, but its closing ] is missing',
    })
    expect(readJson(`"${'a\\n'.repeat(3_500_000)}"`).kind).toBe('json')
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
