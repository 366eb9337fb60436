import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { backends } from '../../src/agents/backends/table.ts'
import { plainEnv, relayCommand, testPath } from '../support/real-relay.ts'

// Needs `npm run build`.
it('shows the agents within two seconds though all of them hang', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'relay-agents-'))
  for (const { program } of backends) {
    writeFileSync(join(folder, program), '#!/bin/sh\nwhile :; do sleep 1; done\n')
    chmodSync(join(folder, program), 0o755)
  }
  const [command, ...before] = relayCommand
  const begun = performance.now()
  const env = plainEnv({ PATH: `${folder}:${testPath}`, HOME: folder })
  const child = spawn(command, [...before, 'agents'], { cwd: folder, env })
  const end = once(child, 'exit')
  await once(child.stdout, 'data')
  expect(performance.now() - begun).toBeLessThan(2000)
  expect(await end).toEqual([0, null])
  rmSync(folder, { recursive: true, force: true })
})
