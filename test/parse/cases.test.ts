import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Flag, Operation, Parsed } from '../../src/model/response.ts'
import { parseResponse } from '../../src/parse/parse-response.ts'

interface Expected {
  readonly verdict: Parsed['kind']
  readonly also_ok?: readonly Parsed['kind'][]
  readonly reason: string
  readonly operations: readonly Operation[]
  readonly reasoning_contains: readonly string[]
  readonly flags?: readonly Flag['flag'][]
  readonly notes?: string
}

const folder = new URL('../fixtures/cases/', import.meta.url)
const cases = readdirSync(folder).map(name => ({
  name,
  response: readFileSync(new URL(`${name}/response.md`, folder), 'utf8'),
  expected: JSON.parse(readFileSync(new URL(`${name}/expected.json`, folder), 'utf8')) as Expected,
}))

/** Sound as texts; only the path policy refuses them. */
const unsafePaths: Readonly<Record<string, string>> = {
  '23-path-parent-traversal': '../outside.txt',
  '28-path-git-hooks': '.git/hooks/pre-commit',
}

describe('the example responses', () => {
  it.each(cases.filter(each => !(each.name in unsafePaths)))(
    'reads $name: $expected.reason',
    ({ response, expected }) => {
      const parsed = parseResponse(response, 'demo')
      expect([expected.verdict, ...(expected.also_ok ?? [])]).toContain(parsed.kind)
      expect(parsed.kind).toBe(expected.verdict)
      if (parsed.kind !== 'patch') return
      expect(new Set(parsed.patch.operations)).toEqual(new Set(expected.operations))
      const reasoning = parsed.patch.reasoning.join('\n')
      for (const words of expected.reasoning_contains) expect(reasoning).toContain(words)
      const flags = parsed.patch.flags.map(flag => flag.flag)
      expect(new Set(flags)).toEqual(new Set(expected.flags ?? []))
    },
  )

  it.each(Object.entries(unsafePaths))(
    'passes the path of %s on as it is, for the path policy to refuse',
    (name, path) => {
      const response = cases.find(each => each.name === name)?.response ?? ''
      expect(parseResponse(response, 'demo')).toMatchObject({
        kind: 'patch',
        patch: { operations: [{ op: 'write', path }] },
      })
    },
  )
})
