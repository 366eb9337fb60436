import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Whether a program is on the PATH. */
export function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some(folder => existsSync(join(folder, name)))
}

/** Whether tests that need these programs run; in CI always, for there a missing one is a fault. */
export function canRunWith(...names: readonly string[]): boolean {
  return Boolean(process.env['CI']) || names.every(hasProgram)
}
