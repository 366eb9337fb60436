import { expect, it } from 'vitest'
import { parse } from '../../src/commands/parse.ts'
import { fakeSystem } from '../support/fake-system.ts'

it('has the colours of stdout, where the answer goes, not those of stderr', async () => {
  const { system, terminal } = fakeSystem({ terminal: { stdin: 'no patch at all' } })
  Object.assign(terminal, { colour: { out: false, err: true } })
  await parse(system, '-', { projectId: 'demo' })
  expect(terminal.stdout).toMatch(/^○ no patch/)
})
