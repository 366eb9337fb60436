import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { printYaml } from '../../../src/transact/entry/print-yaml.ts'
import { fc } from '../../support/chance.ts'

const odd = fc.oneof(
  fc.constantFrom('', ' ', '  ', '\t', '\n', '\n\n', 'a', '- ', 'content: |', '- |-', '|', '>', '# ', 'text0-0', 'xtext0-1', 'text1-0', '...', '---'),
  fc.string({ unit: 'binary', maxLength: 4 }),
) // biome-ignore format: a list of pieces
const text = fc.array(odd, { maxLength: 12 }).map(pieces => pieces.join(''))
const lines = fc.array(text, { maxLength: 8 }).map(all => all.join('\n'))
const value = fc.letrec<{ any: unknown }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small' },
    lines,
    fc.integer(),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(fc.stringMatching(/^[A-Za-z][A-Za-z0-9/. -]{0,6}[a-z]$/), tie('any'), { maxKeys: 4 }),
  ),
})).any
const record = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value, { minKeys: 1, maxKeys: 5 })

const readWhole = (source: string) => parse(source, { schema: 'core', mapAsMap: true })
const asMaps = (data: unknown): unknown => {
  if (Array.isArray(data)) return data.map(asMaps)
  if (typeof data !== 'object' || data === null) return data
  return new Map(Object.entries(data).map(([key, item]) => [key, asMaps(item)]))
}

describe('literal blocks', () => {
  it('are printed so that the library reads exactly what was given', () => {
    fc.assert(
      fc.property(record, data => {
        expect(readWhole(printYaml(data))).toEqual(asMaps(data))
      }),
      { numRuns: 300 },
    )
  })
})
