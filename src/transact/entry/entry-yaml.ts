import { isAscii } from 'node:buffer'
import { bufferOf } from '../../ground/buffer-of.ts'
import type {
  CheckRecord,
  Entry,
  EntryOperation,
  EntryWrite,
  Flag,
  FlagName,
  SnapshotState,
  WrittenState,
} from '../../model.ts'
import { readWithBlocks } from './literal-blocks.ts'
import { parseYaml } from './parse-yaml.ts'
import { printYaml } from './print-yaml.ts'
import { readPlainYaml } from './read-plain-yaml.ts'

/** What is known only at the end of a transaction; its text is put behind the pending entry's. */
export type Ending = Required<Pick<Entry, 'checks' | 'written' | 'outcome'>>

/**
 * The text of a pending entry: a YAML mapping that a person can read and any YAML reader takes.
 *
 * Texts are literal blocks. What a literal block cannot carry exactly everywhere is a double-quoted text (carriage
 * returns) or base64 (bytes that are no UTF-8, characters that some readers take for line ends or refuse).
 */
export function writeEntry(entry: Entry): string {
  return printYaml({
    version: entry.version,
    number: entry.number,
    uuid: entry.uuid,
    modelUuid: entry.modelUuid,
    projectId: entry.projectId,
    createdAt: entry.createdAt,
    source: entry.source,
    undoes: entry.undoes,
    changeSummary: entry.changeSummary,
    promptSummary: entry.promptSummary,
    gitCommitMsg: entry.gitCommitMsg,
    reasoning: entry.reasoning,
    flags: entry.flags,
    asked: entry.asked,
    operations: entry.operations.map(operationRecord),
    snapshot: new Map([...entry.snapshot].map(([path, state]) => [path, snapshotRecord(state)])),
    createdFolders: entry.createdFolders,
    removedFolders:
      entry.removedFolders && new Map([...entry.removedFolders].map(([path, mode]) => [path, octal(mode)])),
  })
}

/** The text that makes a pending entry an ended one, when it is put behind it. */
export function writeEnding(ending: Ending): string {
  const written = new Map([...ending.written].map(([path, state]) => [path, writtenRecord(state)]))
  return printYaml({ checks: ending.checks, written, outcome: ending.outcome })
}

/** The entry that a text holds, or `undefined` when it is not one, or not whole. */
export function readEntry(source: string): Entry | undefined {
  const value = readWithBlocks(source, yaml => readPlainYaml(yaml) ?? parseYaml(yaml, { asMaps: true }))
  try {
    return value === undefined ? undefined : entryOf(fields(value))
  } catch (error) {
    if (error instanceof NotAnEntry) return undefined
    throw error
  }
}

/** Whether a text is an entry of a later version than is read here: what stands in it is not known to be damaged. */
export function isLaterEntry(source: string): boolean {
  return Number(/^version: (\d+)\r?$/m.exec(source.slice(0, 100))?.[1]) > 1
}

// ── Writing ────────────────────────────────────────────────────────────────────────────────────

/** What no YAML text carries exactly everywhere; a carriage return is carried by a quoted one. */
const fragileButForReturns = /[^\t\r\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u

/** Most files are plain ASCII, and that is told much faster. */
const unusual = /[^\t\r\n\x20-\x7e]/

interface Content {
  readonly content: string
  readonly encoding?: 'base64'
}

/** Bytes as `content`, with an `encoding` where the content is not the text itself. */
function content(bytes: Uint8Array): Content {
  const buffer = bufferOf(bytes)
  const value = buffer.toString('utf8')
  const isPlain = isAscii(bytes) && !unusual.test(value)
  if (!isPlain && (fragileButForReturns.test(value) || !Buffer.from(value).equals(bytes))) {
    return { encoding: 'base64', content: buffer.toString('base64') }
  }
  return { content: value }
}

function contentOf({ content: text, bytes }: EntryWrite): Content {
  if (bytes === undefined && !unusual.test(text)) return { content: text }
  return content(bytes ?? Buffer.from(text))
}

function operationRecord(operation: EntryOperation): unknown {
  if (operation.op !== 'write') return operation
  const { op, path, mode } = operation
  return { op, path, ...octalMode(mode), ...contentOf(operation) }
}

/** The hash alone says enough of a file that is what its operation asked for. */
function writtenRecord({ sha256, mode, bytes }: WrittenState): unknown {
  if (mode === undefined && bytes === undefined) return sha256
  return { sha256, ...octalMode(mode), ...(bytes === undefined ? {} : content(bytes)) }
}

function snapshotRecord(state: SnapshotState): unknown {
  const place = { target: state.target, aside: state.aside }
  switch (state.kind) {
    case 'absent':
      return state.target === undefined && state.aside === undefined ? null : { absent: true, ...place }
    case 'link':
      return { link: state.to, ...place }
    case 'file':
      return { mode: octal(state.mode), sha256: state.sha256, ...place, ...content(state.bytes) }
  }
}

function octalMode(mode: number | undefined): { mode?: string } {
  return mode === undefined ? {} : { mode: octal(mode) }
}

function octal(mode: number): string {
  return `0${mode.toString(8)}`
}

// ── Reading ────────────────────────────────────────────────────────────────────────────────────

class NotAnEntry extends Error {}

type Fields = ReadonlyMap<string, unknown>

function entryOf(map: Fields): Entry {
  if (map.get('version') !== 1) throw new NotAnEntry()
  const ending = map.get('outcome') === undefined ? {} : endingOf(map)
  return {
    version: 1,
    number: number(map.get('number')),
    uuid: string(map.get('uuid')),
    ...optional('modelUuid', map),
    projectId: string(map.get('projectId')),
    createdAt: string(map.get('createdAt')),
    source: string(map.get('source')) as Entry['source'],
    ...(map.has('undoes') ? { undoes: undoesOf(fields(map.get('undoes'))) } : {}),
    changeSummary: list(map.get('changeSummary')).map(plain),
    ...optional('promptSummary', map),
    ...optional('gitCommitMsg', map),
    reasoning: list(map.get('reasoning')).map(string),
    flags: list(map.get('flags')).map(flagOf),
    ...optional('asked', map),
    operations: list(map.get('operations')).map(operationOf),
    snapshot: new Map([...fields(map.get('snapshot'))].map(([path, state]) => [path, snapshotOf(state)])),
    createdFolders: list(map.get('createdFolders')).map(string),
    ...(map.has('removedFolders') ? { removedFolders: foldersOf(fields(map.get('removedFolders'))) } : {}),
    ...(map.get('held') === true ? { held: true } : {}),
    ...ending,
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
      ...(outcome.has('edited') ? { edited: list(outcome.get('edited')).map(string) } : {}),
    },
  }
}

function flagOf(value: unknown): Flag {
  const map = fields(value)
  return {
    flag: string(map.get('flag')) as FlagName,
    ...optional('path', map),
    ...(map.has('line') ? { line: number(map.get('line')) } : {}),
    ...optional('text', map),
    reason: string(map.get('reason')),
  }
}

function checkOf(map: Fields): CheckRecord {
  const errors = map.get('errors')
  return {
    errors: errors === null ? null : number(errors),
    ...(map.has('new') ? { new: number(map.get('new')) } : {}),
    ...(map.has('fixed') ? { fixed: number(map.get('fixed')) } : {}),
    ...optional('uncounted', map),
  }
}

function undoesOf(map: Fields): NonNullable<Entry['undoes']> {
  return { number: number(map.get('number')), uuid: string(map.get('uuid')) }
}

function foldersOf(map: Fields): ReadonlyMap<string, number> {
  return new Map([...map].map(([path, mode]) => [path, Number.parseInt(string(mode), 8)]))
}

function operationOf(value: unknown): EntryOperation {
  const map = fields(value)
  const path = string(map.get('path'))
  if (map.get('op') === 'delete') return { op: 'delete', path }
  if (map.get('op') === 'link') return { op: 'link', path, to: string(map.get('to')) }
  if (map.get('op') !== 'write') throw new NotAnEntry()
  return { op: 'write', path, ...modeOf(map), ...textOf(map) }
}

/** What was no text has its bytes as well. */
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
    ...modeOf(map),
    ...(map.has('content') ? { bytes: bytesOf(map) } : {}),
  }
}

function modeOf(map: Fields): { mode?: number } {
  return map.has('mode') ? { mode: Number.parseInt(string(map.get('mode')), 8) } : {}
}

function snapshotOf(value: unknown): SnapshotState {
  if (value === null) return { kind: 'absent' }
  const map = fields(value)
  const place = { ...optional('target', map), ...optional('aside', map) }
  if (map.get('absent') === true) return { kind: 'absent', ...place }
  if (map.has('link')) return { kind: 'link', to: string(map.get('link')), ...place }
  const mode = Number.parseInt(string(map.get('mode')), 8)
  return { kind: 'file', bytes: bytesOf(map), mode, sha256: string(map.get('sha256')), ...place }
}

function bytesOf(map: Fields): Buffer {
  const encoding = map.get('encoding')
  if (encoding !== undefined && encoding !== 'base64') throw new NotAnEntry()
  return Buffer.from(string(map.get('content')), encoding === 'base64' ? 'base64' : 'utf8')
}

function optional<Key extends string>(key: Key, map: Fields): { [K in Key]?: string } {
  const value = map.get(key)
  return value === undefined ? {} : ({ [key]: string(value) } as { [K in Key]: string })
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

function number(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw new NotAnEntry()
  return value
}

/** Maps to plain objects, without a prototype to be polluted. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!(value instanceof Map)) return value
  const object: Record<string, unknown> = Object.create(null)
  for (const [key, item] of value) object[String(key)] = plain(item)
  return object
}
