import type { CheckRecord, Entry, EntryOperation, EntryWrite, SnapshotState, WrittenState } from '../../model/entry.ts'
import type { Flag, FlagName } from '../../model/response.ts'
import { parseYaml } from './parse-yaml.ts'
import type { Ending } from './write-entry.ts'

/** `undefined` for a text that is no entry, or not a whole one. */
export function readEntry(source: string): Entry | undefined {
  const value = parseYaml(source, { asMaps: true })
  try {
    return value === undefined ? undefined : entryOf(fields(value))
  } catch (error) {
    if (error instanceof NotAnEntry) return undefined
    throw error
  }
}

/** An entry of a later version is not damaged, only unknown to this relay. */
export function isLaterEntry(source: string): boolean {
  return Number(/^version: (\d+)\r?$/m.exec(source.slice(0, 100))?.[1]) > 1
}

class NotAnEntry extends Error {}

type Fields = ReadonlyMap<string, unknown>

function entryOf(map: Fields): Entry {
  if (map.get('version') !== 1) throw new NotAnEntry()
  const ending = map.get('outcome') === undefined ? {} : endingOf(map)
  return {
    version: 1,
    number: number(map.get('number')),
    uuid: string(map.get('uuid')),
    ...optional('modelUuid', map, string),
    projectId: string(map.get('projectId')),
    createdAt: string(map.get('createdAt')),
    source: string(map.get('source')) as Entry['source'],
    ...optional('undoes', map, undoesOf),
    changeSummary: list(map.get('changeSummary')).map(plain),
    ...optional('promptSummary', map, string),
    ...optional('gitCommitMsg', map, string),
    reasoning: texts(map.get('reasoning')),
    flags: list(map.get('flags')).map(flagOf),
    ...optional('asked', map, string),
    operations: list(map.get('operations')).map(operationOf),
    snapshot: new Map([...fields(map.get('snapshot'))].map(([path, state]) => [path, snapshotOf(state)])),
    createdFolders: texts(map.get('createdFolders')),
    ...optional('removedFolders', map, foldersOf),
    ...(map.get('held') === true ? { held: true } : {}),
    ...ending,
    ...optional('commit', map, commitOf),
    ...optional('title', map, string),
  }
}

function endingOf(map: Fields): Ending {
  const checks = fields(map.get('checks'))
  const outcome = fields(map.get('outcome'))
  return {
    checks: { before: checkOf(fields(checks.get('before'))), after: checkOf(fields(checks.get('after'))) },
    written: new Map([...fields(map.get('written'))].map(([path, state]) => [path, writtenOf(state)])),
    outcome: {
      kind: 'committed',
      by: outcome.get('by') === 'user' ? 'user' : 'auto',
      at: string(outcome.get('at')),
      ...optional('edited', outcome, texts),
    },
  }
}

/** Strict, because relay prints it as a part of a command. */
function commitOf(value: unknown): string {
  const commit = string(value)
  if (!/^[\da-f]{7,64}$/.test(commit)) throw new NotAnEntry()
  return commit
}

function flagOf(value: unknown): Flag {
  const map = fields(value)
  return {
    flag: string(map.get('flag')) as FlagName,
    ...optional('path', map, string),
    ...optional('line', map, number),
    ...optional('text', map, string),
    reason: string(map.get('reason')),
  }
}

function checkOf(map: Fields): CheckRecord {
  const errors = map.get('errors')
  return {
    errors: errors === null ? null : number(errors),
    ...optional('new', map, number),
    ...optional('fixed', map, number),
    ...optional('uncounted', map, string),
    ...(map.get('tests') === 'none' && { tests: 'none' }),
  }
}

function undoesOf(value: unknown): NonNullable<Entry['undoes']> {
  const map = fields(value)
  return { number: number(map.get('number')), uuid: string(map.get('uuid')) }
}

function foldersOf(value: unknown): ReadonlyMap<string, number> {
  return new Map([...fields(value)].map(([path, mode]) => [path, octal(mode)]))
}

function operationOf(value: unknown): EntryOperation {
  const map = fields(value)
  const path = string(map.get('path'))
  if (map.get('op') === 'delete') return { op: 'delete', path }
  if (map.get('op') === 'link') return { op: 'link', path, to: string(map.get('to')) }
  if (map.get('op') !== 'write') throw new NotAnEntry()
  return {
    op: 'write',
    path,
    ...optional('renamedFrom', map, string),
    ...optional('mode', map, octal),
    ...textOf(map),
    ...optional('seen', map, textIn),
    ...optional('formatted', map, textIn),
  }
}

/** A file that is no text also has its bytes. */
function textOf(map: Fields): Pick<EntryWrite, 'content' | 'bytes'> {
  if (map.get('encoding') === undefined) return { content: string(map.get('content')) }
  const bytes = bytesOf(map)
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? { content: text } : { content: text, bytes }
}

function writtenOf(value: unknown): WrittenState {
  if (typeof value === 'string') return { sha256: value }
  const map = fields(value)
  return {
    sha256: string(map.get('sha256')),
    ...optional('mode', map, octal),
    ...(map.has('content') ? { bytes: bytesOf(map) } : {}),
  }
}

function snapshotOf(value: unknown): SnapshotState {
  if (value === null) return { kind: 'absent' }
  const map = fields(value)
  const place = { ...optional('target', map, string), ...optional('aside', map, string) }
  if (map.get('absent') === true) return { kind: 'absent', ...place }
  if (map.has('link')) return { kind: 'link', to: string(map.get('link')), ...place }
  return {
    kind: 'file',
    bytes: bytesOf(map),
    mode: octal(map.get('mode')),
    sha256: string(map.get('sha256')),
    ...place,
  }
}

function textIn(value: unknown): string {
  return bytesOf(fields(value)).toString('utf8')
}

function bytesOf(map: Fields): Buffer {
  const encoding = map.get('encoding')
  if (encoding !== undefined && encoding !== 'base64') throw new NotAnEntry()
  return Buffer.from(string(map.get('content')), encoding === 'base64' ? 'base64' : 'utf8')
}

function optional<Key extends string, T>(key: Key, map: Fields, read: (value: unknown) => T): { [K in Key]?: T } {
  return map.has(key) ? ({ [key]: read(map.get(key)) } as { [K in Key]: T }) : {}
}

function fields(value: unknown): Fields {
  if (!(value instanceof Map)) throw new NotAnEntry()
  return value as Fields
}

function list(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new NotAnEntry()
  return value
}

function string(value: unknown): string {
  if (typeof value !== 'string') throw new NotAnEntry()
  return value
}

function texts(value: unknown): readonly string[] {
  return list(value).map(string)
}

function octal(value: unknown): number {
  return Number.parseInt(string(value), 8)
}

function number(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new NotAnEntry()
  return value
}

/** Turns maps into plain objects without a prototype, which could be polluted. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!(value instanceof Map)) return value
  const object: Record<string, unknown> = Object.create(null)
  for (const [key, item] of value) object[String(key)] = plain(item)
  return object
}
