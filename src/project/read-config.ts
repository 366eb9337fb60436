import * as v from 'valibot'
import { isRecord } from '../ground/json.ts'
import { readJson } from '../ground/read-json.ts'
import type { Config, UserConfig } from '../model/project.ts'
import { type ConfigKey, configKeys, userKeys } from './config-keys.ts'
import { configSchema, userSchema } from './config-schema.ts'
import { nearestKey } from './nearest-key.ts'

export type ReadConfig = Read<Config>

/** Each problem and note is one line. */
type Read<T> =
  /** The notes are about harmless faults: unknown keys. */
  | { readonly kind: 'config'; readonly config: T; readonly notes: readonly string[] }
  | { readonly kind: 'broken'; readonly problems: readonly string[] }

/**
 * Reads a project's configuration and fills in what it leaves open, from the user's and then from the defaults; or names
 * every fault at once: the key, the value, and the allowed values.
 */
export function readConfig(text: string, user: UserConfig = {}): ReadConfig {
  const read = readBy(configSchema, configKeys, text, belowProject(user), name => {
    const isUsers = userKeys.some(({ key }) => key === name)
    return isUsers ? `is yours, not the project's: \`relay config --user ${name} …\`` : undefined
  })
  if (read.kind === 'broken') return read
  const { $schema, ...config } = read.config
  return { ...read, config: { ...config, user } }
}

/** Reads the user's own file in the same way. */
export function readUserConfig(text: string): Read<UserConfig> {
  const read = readBy(userSchema, userKeys, text, {}, name => {
    const isProjects = configKeys.some(({ key }) => key === name)
    return isProjects ? "is a project's, not yours: it counts in relaycode.config.json alone" : undefined
  })
  if (read.kind === 'broken') return read
  const { $schema, ...user } = read.config
  return { ...read, config: user }
}

/** What a project's file can say as well. */
export function belowProject({ editor, instructions, ...both }: UserConfig): Partial<Config> {
  return both
}

/**
 * @param beneath counts where the text says nothing
 * @param elsewhere says of an unknown key where it belongs, if anywhere
 */
function readBy<const S extends v.GenericSchema>(
  schema: S,
  keys: readonly ConfigKey[],
  text: string,
  beneath: object,
  elsewhere: (name: string) => string | undefined,
): Read<v.InferOutput<S>> {
  const json = readJson(text)
  if (json.kind === 'broken') return { kind: 'broken', problems: [json.why] }
  const { value } = json
  if (!isRecord(value)) return { kind: 'broken', problems: [`found ${inWords(value)}, allowed: an object, { … }`] }

  const notes = unknownKeys(value, keys, elsewhere)
  const lists = listsForObjects(value, keys)
  const repeated = json.repeated.map(
    ({ key, line, firstLine }) => `line ${line}: the key ${quoted(key)} stands on line ${firstLine} already`,
  )
  const result = v.safeParse(schema, { ...beneath, ...value })
  if (result.success && lists.length === 0 && repeated.length === 0) {
    return { kind: 'config', config: result.output, notes }
  }
  const problems = new Set([...repeated, ...lists, ...(result.issues ?? []).map(issue => problemOf(issue, keys))])
  // A misspelt key is often the reason for a missing one, so the problems include the notes.
  return { kind: 'broken', problems: [...few([...problems], problem => problem), ...notes] }
}

/** valibot accepts a list as an empty object. */
function listsForObjects(config: Readonly<Record<string, unknown>>, keys: readonly ConfigKey[]): string[] {
  return keys
    .filter(({ key, default: byDefault }) => isRecord(byDefault) && Array.isArray(config[key]))
    .map(({ key, allowed }) => `${key}: found ${inWords(config[key])}, allowed: ${allowed}`)
}

function problemOf(issue: v.BaseIssue<unknown>, keys: readonly ConfigKey[]): string {
  const path = issue.path ?? []
  const shown = path.reduce(
    (key, { key: part }) => (typeof part === 'number' ? `${key}[${part}]` : join(key, String(part))),
    '',
  )
  const key = path.reduce((above, { key: part }) => (typeof part === 'number' ? above : join(above, String(part))), '')
  const allowed = allowedAt(key, keys)
  const value = path.at(-1)?.value
  return value === undefined
    ? `${shown} is missing; allowed: ${allowed}`
    : `${shown}: found ${inWords(value)}, allowed: ${allowed}`
}

/** The allowed values of a key, or of the nearest key above it. */
function allowedAt(key: string, keys: readonly ConfigKey[]): string {
  const above = keys.findLast(known => known.key === key || key.startsWith(`${known.key}.`))
  return above?.allowed ?? 'something else'
}

function unknownKeys(
  config: Readonly<Record<string, unknown>>,
  keys: readonly ConfigKey[],
  elsewhere: (name: string) => string | undefined,
): string[] {
  const known = keys.map(({ key }) => key)
  const written = Object.entries(config).flatMap(([name, value]) => {
    const holdsKeys = keys.some(({ key, holdsKeys }) => key === name && holdsKeys)
    const inner = holdsKeys && isRecord(value) ? Object.keys(value) : []
    return [{ above: '', name }, ...inner.map(below => ({ above: name, name: below }))]
  })
  const unknown = written.filter(({ above, name }) => !known.includes(join(above, name)))
  return few(unknown, ({ above, name }) => {
    const belongs = above === '' ? elsewhere(name) : undefined
    if (belongs !== undefined) return `unknown key ${quoted(name)}: it ${belongs}`
    const meant = nearestKey(name, known)
    return `unknown key ${quoted(join(above, name))}${meant === undefined ? '' : `; did you mean "${meant}"?`}`
  })
}

/** The first few in words, and the number of the others, so that no file fills the screen. */
function few<T>(list: readonly T[], inWords: (item: T) => string): string[] {
  const shown = list.slice(0, 20).map(inWords)
  return list.length > 20 ? [...shown, `and ${list.length - 20} more`] : shown
}

function join(above: string, key: string): string {
  return above === '' ? key : `${above}.${key}`
}

/** On one short line. Lists and objects are only named: they can have any size and depth. */
function inWords(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (isRecord(value)) return 'an object'
  return String(value)
}

/** Safe to print: cut, and with invisible characters made visible. */
function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 57)}...` : text
  const visible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu
  return `"${short.replaceAll(visible, sign => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)}"`
}
