import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { printYaml } from '../../../src/transact/entry/print-yaml.ts'
import { readPlainYaml } from '../../../src/transact/entry/read-plain-yaml.ts'
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
const tryWhole = (source: string) => {
  try {
    return readWhole(source)
  } catch {
    return undefined
  }
}
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

  it('are read as the library reads them, or left to it', () => {
    fc.assert(
      fc.property(record, data => {
        const source = printYaml(data)
        const plain = readPlainYaml(source)
        if (plain !== undefined) expect(plain).toEqual(readWhole(source))
      }),
      { numRuns: 300 },
    )
  })

  it('of another hand are read as the library reads them, or left to it', () => {
    let read = 0
    const header = fc.constantFrom(
      'a: |',
      'a: |-',
      'a: |+',
      'b: |2',
      'b: >',
      '- |',
      '- c: |1-',
      '- - |',
      'a: # |',
      'c: "x',
      'd: | # x',
    )
    const line = fc
      .tuple(fc.nat(6), fc.oneof(header, fc.constantFrom('', 'x', '# y', '"', '\tx', '- z', 'k: v |')))
      .map(([indent, rest]) => ' '.repeat(indent) + rest)
    const source = fc.array(line, { maxLength: 12 }).map(all => `${all.join('\n')}\n`)
    fc.assert(
      fc.property(source, given => {
        const plain = readPlainYaml(given)
        if (plain === undefined) return
        read += 1
        expect(plain).toEqual(tryWhole(given))
      }),
      { numRuns: 4000 },
    )
    expect(read).toBeGreaterThan(20)
  })

  it('need no library, however they are indented', () => {
    const data = {
      content: 'line\n'.repeat(1000),
      reasoning: ['  indented\nlast', '\n\nblank first\n\n'],
      'a b': ['x\ny'],
    }
    expect(readPlainYaml(printYaml(data))).toEqual(asMaps(data))
  })
})
