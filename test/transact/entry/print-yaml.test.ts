import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { printYaml } from '../../../src/transact/entry/print-yaml.ts'
import { fc } from '../../support/chance.ts'

const piece = fc.oneof(
  fc.constantFrom('', ' ', '\t', '\n', '\n\n', 'a', '- ', ': ', ' #', '|', '>', '# ', '...', '---', 'yes', 'No', 'on', '1:30'),
  fc.constantFrom('._1', '.e1', 'e1', '0x1', '1e5', '012', '.inf', '.NaN', '~', 'null', '=', '<<', '!', '&a', '*a', '%', '@', '`'),
  fc.constantFrom('"', "'", '{', '[', ',', '?', '/', '_', 'ü', '\u0085', '\u2028', '\ufeff', '日本', '😀', '\r\n', 'a'.repeat(1100)),
  fc.string({ unit: 'binary', maxLength: 4 }),
) // biome-ignore format: lists of pieces
const text = fc.array(piece, { maxLength: 4 }).map(pieces => pieces.join(''))
const value = fc.letrec<{ any: unknown }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.constantFrom(null, true, false),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.array(fc.tuple(text, tie('any')), { maxLength: 3 }).map(pairs => new Map(pairs)),
  ),
})).any
const record = fc.dictionary(text, value, { minKeys: 1, maxKeys: 4 })

const asMaps = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.map(asMaps)
  if (typeof data !== 'object' || data === null) return data
  const pairs = data instanceof Map ? [...data] : Object.entries(data)
  return new Map(pairs.map(([key, item]) => [key, asMaps(item)]))
}

describe('YAML as relay prints it', () => {
  it.each([
    ['1.2', 'core'],
    ['1.1', 'yaml-1.1'],
  ] as const)('means the same to a reader of YAML %s', (version, schema) => {
    fc.assert(
      fc.property(record, data => {
        const read = parse(printYaml(data), { version, schema, merge: false, mapAsMap: true, logLevel: 'silent' })
        expect(read).toEqual(asMaps(data))
      }),
      { numRuns: 1000 },
    )
  })

  it('leaves out what has no value', () => {
    expect(printYaml({ a: undefined, b: [{ c: undefined }], d: { e: undefined, f: 1 } })).toBe(
      'b:\n  - {}\nd:\n  f: 1\n',
    )
  })

  it('announces a key that is too long to be found by its colon', () => {
    const key = 'a'.repeat(1025)
    expect(printYaml({ paths: { [key]: { mode: '0644' } } })).toBe(`paths:\n  ? ${key}\n  :\n    mode: "0644"\n`)
  })
})
