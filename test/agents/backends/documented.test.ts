import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Backend } from '../../../src/agents/backends/backend.ts'
import { backends } from '../../../src/agents/backends/table.ts'

const docs = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8')

it.each<Backend>(backends)('documents what $name is, as it is', ({ name, install, sandboxes, untried }) => {
  const kept = [sandboxes['read-only'], sandboxes['workspace-write'], sandboxes['danger-full-access']]
  const row = `| ${[name, `\`${install}\``, ...kept, untried === true ? 'no' : 'yes'].join(' | ')}`
  expect(docs).toContain(`\n${row}`)
})
