import { isAscii } from 'node:buffer'
import { bufferOf } from '../../ground/bytes.ts'
import type { Entry, EntryOperation, EntryWrite, SnapshotState, WrittenState } from '../../model/entry.ts'
import { printYaml, yamlBytes } from './print-yaml.ts'

/** What is known only at the end of a transaction. It is appended to the pending entry. */
export type Ending = Required<Pick<Entry, 'checks' | 'written' | 'outcome'>>

/**
 * The bytes of a pending entry: a YAML mapping that a person can read and any YAML reader takes.
 *
 * Texts are literal blocks. What a literal block cannot carry exactly everywhere is a double-quoted text (carriage
 * returns) or base64 (bytes that are no UTF-8, characters that some readers take for line ends or refuse).
 */
export function writeEntry(entry: Entry): Buffer {
  return yamlBytes({
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

/** The text that turns a pending entry into an ended one when it is appended. */
export function writeEnding(ending: Ending): string {
  const written = new Map([...ending.written].map(([path, state]) => [path, writtenRecord(state)]))
  return printYaml({ checks: ending.checks, written, outcome: ending.outcome })
}

/** Characters that YAML readers do not all read alike; a quoted text can hold a carriage return. */
const fragileButForReturns = /[^\t\r\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u

/** Most files are plain ASCII, which is much faster to test. */
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
  const { op, path, renamedFrom, mode, seen, formatted } = operation
  return {
    op,
    path,
    ...(renamedFrom === undefined ? {} : { renamedFrom }),
    ...octalMode(mode),
    ...contentOf(operation),
    ...(seen === undefined ? {} : { seen: content(Buffer.from(seen)) }),
    ...(formatted === undefined ? {} : { formatted: content(Buffer.from(formatted)) }),
  }
}

/** The hash is enough for a file that is as its operation asked. */
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
