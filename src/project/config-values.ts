import { Buffer } from 'node:buffer'
import { basename, dirname, join } from 'node:path'
import { RelayError } from '../errors.ts'
import { editJson, removeFromJson } from '../ground/edit-json.ts'
import { isRecord, parseJson } from '../ground/json.ts'
import { readJson } from '../ground/read-json.ts'
import type { UserConfig } from '../model/project.ts'
import type { System } from '../ports.ts'
import { makeFolders } from '../state-files.ts'
import { type ConfigKey, configKeys, userKeys } from './config-keys.ts'
import { findProjectFolder, noProject } from './load-project.ts'
import { nearestKey } from './nearest-key.ts'
import { belowProject, readConfig, readUserConfig } from './read-config.ts'
import { configName, readConfigText } from './read-config-file.ts'
import { readTextFile } from './read-text-file.ts'
import { userConfigPath } from './user-config-file.ts'

export type Whose = 'project' | 'user'

export interface ConfigValue {
  readonly key: string
  readonly value: unknown
  /** Where the value is from: the project's file, the user's, or neither. */
  readonly from: Whose | 'default'
}

/** The key of this name; throws `usage` with the nearest one. */
export function keyNamed(name: string, whose: Whose): ConfigKey {
  const [keys, others] = whose === 'user' ? [userKeys, configKeys] : [configKeys, userKeys]
  const found = keys.find(({ key }) => key === name)
  if (found !== undefined) return found
  const near = nearestKey(
    name,
    keys.map(({ key }) => key),
  )
  const like = near === undefined ? `\`relay config${flag(whose)}\` lists them.` : `Did you mean ${near}?`
  const elsewhere = whose === 'user' ? 'It is set for one project: ' : 'It is yours, for all projects: '
  const isThere = others.some(({ key }) => key === name)
  const there = `${elsewhere}\`relay config${flag(whose === 'user' ? 'project' : 'user')} ${name} …\``
  throw new RelayError('usage', `There is no key ${name}${whose === 'user' ? ' for all projects' : ''}`, {
    hint: isThere ? there : like,
  })
}

function flag(whose: Whose): string {
  return whose === 'user' ? ' --user' : ''
}

/** Each key of a project that holds a value, in the order of the documentation; only those below `above`, if that is given. */
export function valuesIn(text: string, user: UserConfig, above?: string): readonly ConfigValue[] {
  const json = jsonOf(text)
  return configKeys
    .filter(({ key, holdsKeys }) => !holdsKeys && (above === undefined || key === above || key.startsWith(`${above}.`)))
    .map(({ key, default: byDefault }) => {
      const value = valueAt(json, key)
      if (value !== undefined) return { key, value, from: 'project' }
      const users = valueAt(belowProject(user), key)
      return users === undefined ? { key, value: byDefault, from: 'default' } : { key, value: users, from: 'user' }
    })
}

/** A file with settings, as it can be changed. */
export interface SettingsFile {
  readonly path: string
  /** `null`: there is none yet. */
  readonly text: string | null
  /** Why relay could not use this text. */
  problemsIn(text: string): readonly string[]
}

export async function projectSettings({ cwd, files }: Pick<System, 'cwd' | 'files'>): Promise<SettingsFile> {
  const root = await findProjectFolder({ cwd, files })
  const text = root === undefined ? null : await readConfigText(root, files)
  if (root === undefined || text === null) throw noProject(cwd)
  return { path: join(root, configName), text, problemsIn: text => problemsOf(readConfig(text)) }
}

export async function userSettings(system: Pick<System, 'env' | 'files' | 'home'>): Promise<SettingsFile> {
  const path = userConfigPath(system)
  if (path === undefined) {
    throw new RelayError('environment', 'There is no home folder for your settings', {
      hint: 'Set HOME, or XDG_CONFIG_HOME, to a folder that you can write to.',
    })
  }
  const text = await readTextFile(path, system.files)
  return { path, text, problemsIn: text => problemsOf(readUserConfig(text)) }
}

function problemsOf(read: ReturnType<typeof readConfig | typeof readUserConfig>): readonly string[] {
  return read.kind === 'broken' ? read.problems : []
}

/**
 * Sets one key, or takes it out where nothing was typed, and leaves the rest of the text as it is. The typed value is JSON if
 * the key accepts it as such, otherwise a text.
 *
 * The new text is read as relay reads it at a start, and is not written if it has a fault. So a key that makes the file
 * unusable can be corrected.
 */
export async function setValue(
  { path, text, problemsIn }: SettingsFile,
  { key }: ConfigKey,
  typed: string | undefined,
  system: Pick<System, 'files' | 'randomUuid'>,
): Promise<{ readonly before: unknown; readonly value: unknown }> {
  const before = valueAt(jsonOf(text ?? '{}'), key)
  const problems: string[] = []
  for (const { edited, value } of editsOf(text, key, typed)) {
    const found = problemsIn(edited)
    if (found.length > 0) {
      if (problems.length === 0) problems.push(...found)
      continue
    }
    if (edited !== (text ?? '{}')) await write(path, edited, system)
    return { before, value }
  }
  const what = typed === undefined ? 'unset' : 'set'
  throw new RelayError('usage', [`Cannot ${what} ${key}:`, ...problems.map(line => `  ${line}`)].join('\n'), {
    hint: `${typed === undefined ? '' : 'Correct the value. '}Nothing was written to ${path}.`,
  })
}

/** What the text could become, the likelier first. If it is no object, reading it gives the reason. */
function editsOf(text: string | null, key: string, typed: string | undefined) {
  const json = readJson(text ?? '{}')
  if (json.kind !== 'json' || !isRecord(json.value) || json.repeated.length > 0)
    return [{ edited: text ?? '', value: typed }]
  const path = key.split('.')
  if (typed === undefined) return [{ edited: removeFromJson(text ?? '{}', path), value: undefined }]
  const values = [parseJson(typed), typed].filter(value => value !== undefined)
  return values.map(value => ({
    value,
    edited: text === null ? `${JSON.stringify({ [key]: value }, null, 2)}\n` : editJson(text, path, value),
  }))
}

/** Writes to the place to which a link leads; mode and owner stay. */
async function write(
  path: string,
  text: string,
  { files, randomUuid }: Pick<System, 'files' | 'randomUuid'>,
): Promise<void> {
  const real = await files.realPath(path)
  if (real === null) {
    const made = join(await makeFolders(dirname(path), files), basename(path))
    return files.replace(made, Buffer.from(text), `${made}.${randomUuid()}.tmp`, { mode: 0o600 })
  }
  if (!(await files.mayWrite(real))) throw new RelayError('environment', `You may not write ${real}`)
  const stat = await files.stat(real)
  const kept = stat === null ? {} : { mode: stat.mode, owner: { uid: stat.uid, gid: stat.gid } }
  return files.replace(real, Buffer.from(text), `${real}.${randomUuid()}.tmp`, kept)
}

function jsonOf(text: string): unknown {
  return parseJson(text.replace(/^\ufeff/, ''))
}

function valueAt(json: unknown, key: string): unknown {
  return key.split('.').reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), json)
}
