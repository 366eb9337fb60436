import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { isRecord, parseJson } from '../ground/json.ts'
import { allowFile } from '../model/agent.ts'
import { lintersOf } from '../model/linters-of.ts'
import type { Project } from '../model/project.ts'
import type { System } from '../ports.ts'

/** The usual test commands. */
const usual = ['npm run test', 'npm run test:run', 'npm test', 'cargo test', 'go test', 'pytest', 'jest']

/**
 * The commands that an agent may run in `workspace-write`: the usual test commands, the project's linter and post command,
 * `allow` of the configuration, and the list in the allow file. Throws `usage` where the allow file cannot be read.
 */
export async function allowedCommands({ root, config }: Project, { files }: System): Promise<readonly string[]> {
  const own = [...lintersOf(config), config.postCommand, ...config.allow].filter(command => command.trim() !== '')
  const bytes = await files.read(join(root, allowFile))
  return [...new Set([...usual, ...own, ...(bytes === null ? [] : listedIn(bytes))])]
}

/** Reads `["npm test"]` or `{"allowedCommands": ["npm test"]}`. */
function listedIn(bytes: Uint8Array): readonly string[] {
  const found = parseJson(new TextDecoder().decode(bytes))
  const list = isRecord(found) ? found['allowedCommands'] : found
  if (Array.isArray(list) && list.every(each => typeof each === 'string')) return list
  throw new RelayError('usage', `${allowFile} is no list of commands`, {
    hint: 'It holds an array of texts, or {"allowedCommands": [...]}.',
  })
}
