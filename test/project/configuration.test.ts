import { readFileSync } from 'node:fs'
import { toJsonSchema } from '@valibot/to-json-schema'
import { expect, it } from 'vitest'
import { configKeys } from '../../src/project/config-keys.ts'
import { configSchema } from '../../src/project/config-schema.ts'
import { readConfig } from '../../src/project/read-config.ts'

// `npx vitest run test/project/configuration.test.ts -u` makes both files anew.

it('ships the JSON Schema that belongs to the configuration', async () => {
  const { $schema, ...schema } = toJsonSchema(configSchema, { typeMode: 'input' })
  const shipped = { $schema, $id: 'relaycode.config.schema.json', ...schema }
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
  await expect(`${text}\n`).toMatchFileSnapshot('../../docs/relaycode.config.schema.json')
})

it('documents every key with its default, what is allowed and what it means, in one table', async () => {
  const docs = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8')
  const rows = configKeys
    .filter(key => !key.holdsKeys)
    .map(({ key, default: value, allowed, description }) => [
      `\`${key}\``,
      value === undefined ? (key === 'projectId' ? 'none: it must be there' : 'none') : `\`${JSON.stringify(value)}\``,
      allowed,
      description,
    ])
  const cells = [['key', 'default', 'allowed', 'meaning'], ...rows]
  const widths = cells[0]?.map((_, column) => Math.max(...cells.map(row => row[column]?.length ?? 0))) ?? []
  const [head, ...body] = cells.map(row => `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`)
  const table = [head, `| ${widths.map(width => '-'.repeat(width)).join(' | ')} |`, ...body].join('\n')
  const made = docs.replace(
    /(<!-- keys:.*-->\n)[\s\S]*(<!-- \/keys -->)/,
    (_, from, to) => `${from}\n${table}\n\n${to}`,
  )
  expect(made).toContain(table)
  await expect(made).toMatchFileSnapshot('../../docs/configuration.md')
})

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
