import { readFileSync } from 'node:fs'
import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { expect, it } from 'vitest'
import { configKeys, userKeys } from '../../src/project/config-keys.ts'
import { configSchema, userSchema } from '../../src/project/config-schema.ts'
import { readConfig } from '../../src/project/read-config.ts'

// `npx vitest run test/project/configuration.test.ts -u` makes the three files anew.

it.each([
  ['relaycode.config.schema.json', configSchema],
  ['relaycode.user.schema.json', userSchema],
] as const)('ships the JSON Schema that belongs to a configuration: %s', async (name, described) => {
  const { $schema, ...schema } = toJsonSchema(described as v.GenericSchema, { typeMode: 'input' })
  const shipped = { $schema, $id: name, ...schema }
  // The words for what is allowed are ours; relay points out unknown keys, so an editor should.
  const text = JSON.stringify(
    shipped,
    (key, value) =>
      key === 'allowed' && typeof value === 'string'
        ? undefined
        : value?.type === 'object'
          ? { ...value, additionalProperties: value.additionalProperties ?? false }
          : value,
    2,
  )
  await expect(`${text}\n`).toMatchFileSnapshot(`../../docs/${name}`)
})

it('documents every key with its default, what is allowed and what it means, in a table for each file', async () => {
  const docs = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  const table = tableOf(
    ['key', 'default', 'allowed', 'meaning'],
    configKeys
      .filter(key => !key.holdsKeys)
      .map(({ key, default: value, allowed, description }) => [
        `\`${key}\``,
        value === undefined
          ? key === 'projectId'
            ? 'none: it must be there'
            : 'none'
          : `\`${JSON.stringify(value)}\``,
        allowed,
        description,
      ]),
  )
  const users = tableOf(
    ['key', 'allowed', 'meaning'],
    userKeys.map(({ key, allowed, description }) => [`\`${key}\``, allowed, description]),
  )
  const made = within(within(docs, 'keys', table), 'user keys', users)
  expect(made).toContain(table)
  expect(made).toContain(users)
  await expect(made).toMatchFileSnapshot('../../docs/configuration.md')
})

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...cells.map(row => row[column]?.length ?? 0)))
  const [first, ...body] = cells.map(row => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`)
  return [first, `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n')
}

/** The table between the two marks of this name. */
function within(docs: string, name: string, table: string): string {
  const place = new RegExp(`(<!-- ${name}:.*-->\\n)[\\s\\S]*(<!-- /${name} -->)`)
  return docs.replace(place, (_, from, to) => `${from}\n${table}\n\n${to}`)
}

it('has an example with every key at its default', () => {
  const example = readFileSync(new URL('../../relaycode.config.example.json', import.meta.url), 'utf8')
  const defaults = readConfig(JSON.stringify({ projectId: 'your-project-name', linter: 'bun tsc --noEmit' }))
  expect(readConfig(example)).toEqual(defaults)
  expect(allKeys(JSON.parse(example), '')).toEqual(configKeys.map(({ key }) => key))
})

function allKeys(value: object, above: string): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && !Array.isArray(inner)
      ? [above + key, ...allKeys(inner, `${above}${key}.`)]
      : [above + key],
  )
}
