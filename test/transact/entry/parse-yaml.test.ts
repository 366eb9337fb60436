import { expect, it } from 'vitest'
import { parseYaml } from '../../../src/transact/entry/parse-yaml.ts'

it('reads data of a usual depth, and none that is nested more deeply than anything relay writes', () => {
  const nested = (depth: number) => `a: ${'['.repeat(depth)}x${']'.repeat(depth)}\n`
  expect(parseYaml(nested(3), { asMaps: false })).toEqual({ a: [[['x']]] })
  expect(parseYaml(nested(100), { asMaps: false })).toBeUndefined()
})

it('stops at the first error: a million of them are told in time', () => {
  expect(parseYaml('}'.repeat(1_000_000), { asMaps: true })).toBeUndefined()
}, 5_000)
