import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { insideOf } from '../ground/paths.ts'
import { shellWord } from '../ground/words.ts'
import type { Config } from '../model/project.ts'
import type { Files } from '../ports.ts'
import { readConfig } from './read-config.ts'
import { readTextFile } from './read-text-file.ts'
import { readUserConfigFile, type UserDoors } from './user-config-file.ts'

export interface ConfigFile {
  readonly config: Config
  /** Harmless, but worth a line: unknown keys. */
  readonly notes: readonly string[]
}

/**
 * Reads a project's configuration and the user's, `null` when the project has none. Throws an error that lists every problem
 * in one of them.
 */
export async function readConfigFile(root: string, doors: UserDoors): Promise<ConfigFile | null> {
  const path = join(root, configName)
  const text = await readConfigText(root, doors.files)
  if (text === null) return null
  const { user, notes } = await readUserConfigFile(doors)
  const read = readConfig(text, user)
  if (read.kind === 'config') return { config: read.config, notes: [...read.notes, ...notes] }
  throw new RelayError('usage', [`Cannot use ${path}:`, ...read.problems.map(line => `  ${line}`)].join('\n'), {
    hint: `Correct it in your editor: ${path}`,
  })
}

/** The text is not checked; `null` when there is no configuration. */
export async function readConfigText(root: string, files: Files): Promise<string | null> {
  const path = join(root, configName)
  const text = await readTextFile(path, files)
  if (text === null) return null
  // relay runs its commands: they must be the project's own, and not those of the owner of a link's target.
  const real = await files.realPath(path)
  if (real !== null && insideOf(root, real) === undefined) {
    throw new RelayError('usage', `${path} leads out of the project, to ${real}`, {
      hint: `Put a regular file in its place: \`rm -- ${shellWord(path)} && cp -- ${shellWord(real)} ${shellWord(path)}\``,
    })
  }
  return text
}

/** The file that makes a folder a project. */
export const configName = 'relaycode.config.json'
