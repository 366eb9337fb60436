import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { insideOf } from '../ground/paths.ts'
import { shellWord } from '../ground/words.ts'
import type { Config } from '../model/project.ts'
import type { Files } from '../ports.ts'
import { readConfig } from './read-config.ts'
import { readTextFile } from './read-text-file.ts'

export interface ConfigFile {
  readonly config: Config
  /** Harmless, but worth a line: unknown keys. */
  readonly notes: readonly string[]
}

/** Reads a project's configuration, `null` when there is none. Throws an error that lists every problem in it. */
export async function readConfigFile(root: string, files: Files): Promise<ConfigFile | null> {
  const path = join(root, configName)
  const text = await readConfigText(root, files)
  if (text === null) return null
  const read = readConfig(text)
  if (read.kind === 'config') return { config: read.config, notes: read.notes }
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
