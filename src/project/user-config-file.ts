import { isAbsolute, join } from 'node:path'
import { RelayError } from '../errors.ts'
import type { UserConfig } from '../model/project.ts'
import type { System } from '../ports.ts'
import { readUserConfig } from './read-config.ts'
import { readTextFile } from './read-text-file.ts'

export type UserDoors = Pick<System, 'files' | 'env' | 'home'>

export interface UserConfigFile {
  /** Where the file is, or would be; `undefined` for a user without a home. */
  readonly path: string | undefined
  readonly user: UserConfig
  /** Harmless, but worth a line: unknown keys. */
  readonly notes: readonly string[]
}

/** Reads what the user has set for all projects; nothing where there is no file. Throws an error that lists every problem in it. */
export async function readUserConfigFile(doors: UserDoors): Promise<UserConfigFile> {
  const path = userConfigPath(doors)
  const text = path === undefined ? null : await readTextFile(path, doors.files)
  if (path === undefined || text === null) return { path, user: {}, notes: [] }
  const read = readUserConfig(text)
  if (read.kind === 'config') return { path, user: read.config, notes: read.notes.map(note => `${path}: ${note}`) }
  throw new RelayError('usage', [`Cannot use ${path}:`, ...read.problems.map(line => `  ${line}`)].join('\n'), {
    hint: `Correct it in your editor: ${path}`,
  })
}

/** On every system where git and most others look; the standard says to ignore a relative folder. */
export function userConfigPath({ env, home }: Pick<System, 'env' | 'home'>): string | undefined {
  const named = env['XDG_CONFIG_HOME'] ?? ''
  const above = isAbsolute(named) ? named : home === undefined ? undefined : join(home, '.config')
  return above === undefined ? undefined : join(above, 'relaycode', 'config.json')
}
