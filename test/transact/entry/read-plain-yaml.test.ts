import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { printYaml } from '../../../src/transact/entry/print-yaml.ts'
import { readPlainYaml } from '../../../src/transact/entry/read-plain-yaml.ts'
import { fc } from '../../support/chance.ts'

const whole = (source: string) => {
  try {
    return parse(source, { schema: 'core', mapAsMap: true, stringKeys: true, logLevel: 'silent' })
  } catch {
    return 'no YAML'
  }
}

const word = fc.constantFrom(
  ...['a', 'src/a.ts', '.env', '.inf', '.5', 'null', 'Null', 'true', 'yes', '0', '007', '0644', '-1', '1e5', '0x1', '12345678901234567890'],
  ...['~', 'a: b', 'a:', 'a #b', 'a#b', '# a', '- a', '-', '"', "it's", "'a'", '"a"', 'a\\b', 'ü', '\u00a0', '\u2028', '\u0085', '[]', '{}', '[a]', '{a: b}'],
  ...['&a', '*a', '!a', '|', '>', '|-', '%a', '@a', '`a`', '?', '? a', ':', '<<', '=', ' a', 'a ', 'a  b', '\t', 'a\tb', '', '---', '...', 'text-1'],
  ...['1b671a64-40d5-491e-99b0-da01ff1f3341', '12345678-1234-1234-1234-123456789012', '2026-11-20', '"\\x41"', '"\\/"', '"\\u00e9"', '"\\'],
) // biome-ignore format: a list of words
/** Lines that make a document when the words in them are plain. */
const shape = fc.constantFrom(
  ['a: W'],
  ['W: a'],
  ['a:', '  W: W', 'b: W'],
  ['a:', '  - W', '  - W'],
  ['a:', '  - W: W', '    W: W', '  - W'],
  ['a:', '  b:', '    W: W', '  c: W'],
  ['a:', '- W'],
  ['- W'],
  ['a: W', '  W', 'b: c'],
  ['a: W', 'a: W'],
  ['a:', 'b: W'],
  ['a:', '   W: W'],
  ['a:', '  - - W'],
  ['a:W'],
)
const text = fc.oneof(word, fc.string({ unit: 'binary', maxLength: 6 }))
/** Most of them plain, so that a whole document can be. */
const mostlyPlain = fc.oneof({ weight: 4, arbitrary: fc.stringMatching(/^[a-z/]{1,4}$/) }, text)
const record = fc.dictionary(
  fc.oneof(fc.stringMatching(/^[a-z]{1,4}$/), text),
  fc.letrec<{ any: unknown }>(tie => ({
    any: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.constantFrom(null, true, false),
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(text, tie('any'), { maxKeys: 3 }),
    ),
  })).any,
  { minKeys: 1, maxKeys: 4 },
)

describe('the plain part of YAML', () => {
  it('is read as the whole reader reads it, or not at all, whatever stands on the lines', () => {
    let read = 0
    fc.assert(
      fc.property(shape, fc.infiniteStream(mostlyPlain), (lines, words) => {
        const source = `${lines.join('\n').replaceAll('W', () => words.next().value)}\n`
        const plain = readPlainYaml(source)
        if (plain === undefined) return
        read += 1
        expect(plain).toEqual(whole(source))
      }),
      { numRuns: 3000 },
    )
    expect(read).toBeGreaterThan(200)
  })

  it('is read as the whole reader reads it where relay has printed it', () => {
    fc.assert(
      fc.property(record, data => {
        const source = printYaml(data)
        const plain = readPlainYaml(source)
        if (plain !== undefined) expect(plain).toEqual(whole(source))
      }),
      { numRuns: 1000 },
    )
  })

  it('is nearly all of an entry', () => {
    const source = printYaml({
      version: 1,
      uuid: '1b671a64-40d5-491e-99b0-da01ff1f3341',
      createdAt: '2026-11-20T14:02:11.000Z',
      changeSummary: [{ edit: 'src/a.ts' }, { new: '.github/b c.yml' }],
      promptSummary: `It's the "other" one: #2`,
      flags: [],
      operations: [{ op: 'write', path: 'src/a.ts', content: 'text' }],
      snapshot: { 'src/a.ts': { mode: '0644', absent: true }, '42': null, 'a: b': {} },
      outcome: { by: 'auto' },
    })
    expect(readPlainYaml(source)).toEqual(whole(source))
  })
})
