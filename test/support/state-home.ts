import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import type { Config } from '../../src/model/project.ts'
import { trustText } from '../../src/project/trust.ts'
import { trustPath } from '../../src/project/trust-file.ts'

let home: string | undefined
afterAll(() => {
  if (home !== undefined) rmSync(home, { recursive: true, force: true })
  home = undefined
})

/** Where the real program keeps what is the user's while tests run: a folder of the test file's own. */
export function stateHome(): string {
  home ??= mkdtempSync(join(tmpdir(), 'relay-state-'))
  return home
}

/** As if the user had agreed to the commands of this project before; answers the file that says so. */
export function agreeTo(root: string, config: Partial<Config>): string {
  const path = trustPath(join(stateHome(), 'relaycode'), realpathSync(root))
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, trustText(realpathSync(root), config), { mode: 0o600 })
  return path
}
