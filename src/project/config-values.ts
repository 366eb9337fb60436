import { Buffer } from 'node:buffer'
import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { editJson } from '../ground/edit-json.ts'
import { isRecord, parseJson } from '../ground/json.ts'
import { readJson } from '../ground/read-json.ts'
import type { Project } from '../model/project.ts'
import type { System } from '../ports.ts'
import { type ConfigKey, configKeys } from './config-keys.ts'
import { noProject } from './load-project.ts'
import { nearestKey } from './nearest-key.ts'
import { readConfig } from './read-config.ts'
import { configName, readConfigText } from './read-config-file.ts'

export interface ConfigValue {
  readonly key: string
  readonly value: unknown
  /** The file does not contain the key. */
  readonly isDefault: boolean
}

/** The key of this name; throws `usage` with the nearest one. */
export function keyNamed(name: string): ConfigKey {
  const found = configKeys.find(({ key }) => key === name)
  if (found !== undefined) return found
  const near = nearestKey(
    name,
    configKeys.map(({ key }) => key),
  )
  throw new RelayError('usage', `There is no key ${name}`, {
    hint: near === undefined ? '`relay config` lists them.' : `Did you mean ${near}?`,
  })
}

/** Each key that holds a value, in the order of the documentation; only those below `above`, if that is given. */
export function valuesIn(text: string, above?: string): readonly ConfigValue[] {
  const json = parseJson(text.replace(/^\ufeff/, ''))
  return configKeys
    .filter(({ key, holdsKeys }) => !holdsKeys && (above === undefined || key === above || key.startsWith(`${above}.`)))
    .map(({ key, default: byDefault }) => {
      const value = valueAt(json, key)
      return value === undefined ? { key, value: byDefault, isDefault: true } : { key, value, isDefault: false }
    })
}

/**
 * Sets one key in the project's configuration, and leaves the rest of its text as it is. The typed value is JSON if the
 * key accepts it as such, otherwise a text.
 *
 * The new text is read as relay reads it at a start, and is not written if it has a fault. So a key that makes the file
 * unusable can be corrected.
 */
export async function setValue(
  root: string,
  { key }: ConfigKey,
  typed: string,
  { cwd, files, randomUuid }: Pick<System, 'cwd' | 'files' | 'randomUuid'>,
): Promise<{ readonly project: Project; readonly before: ConfigValue | undefined; readonly value: unknown }> {
  const text = await readConfigText(root, files)
  if (text === null) throw noProject(cwd)
  const json = readJson(text)
  const isObject = json.kind === 'json' && isRecord(json.value) && json.repeated.length === 0
  const problems: string[] = []
  // If the file is no object, reading it gives the reason.
  const values = isObject ? [parseJson(typed), typed].filter(value => value !== undefined) : [typed]
  for (const value of values) {
    const edited = isObject ? editJson(text, key.split('.'), value) : text
    const read = readConfig(edited)
    if (read.kind === 'broken') {
      if (problems.length === 0) problems.push(...read.problems)
      continue
    }
    if (edited !== text) await write(root, edited, files, randomUuid())
    const before = valuesIn(text).find(known => known.key === key)
    return { project: { root, config: read.config }, before, value }
  }
  throw new RelayError('usage', [`Cannot set ${key}:`, ...problems.map(line => `  ${line}`)].join('\n'), {
    hint: `Correct the value. Nothing was written to ${join(root, configName)}.`,
  })
}

/** Writes to the place to which a link leads; mode and owner stay. */
async function write(root: string, text: string, files: System['files'], uuid: string): Promise<void> {
  const path = join(root, configName)
  const real = (await files.realPath(path)) ?? path
  if (!(await files.mayWrite(real))) throw new RelayError('environment', `You may not write ${real}`)
  const stat = await files.stat(real)
  const kept = stat === null ? {} : { mode: stat.mode, owner: { uid: stat.uid, gid: stat.gid } }
  await files.replace(real, Buffer.from(text), `${real}.${uuid}.tmp`, kept)
}

function valueAt(json: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), json)
}
