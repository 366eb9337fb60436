import { changeBetween, NEW_FILE_MODE } from '../model/path-state.ts'
import type { Change, PathFact } from '../model/plan.ts'
import type { Operation } from '../model/response.ts'

/** A change beside what the look at the disk told of its path. */
export interface FoundChange {
  readonly change: Change
  readonly fact: PathFact
}

/**
 * What one operation does to what was found on the disk; the operation and the fact must have been let through.
 *
 * A write goes where links lead and leaves them standing; a delete of a link removes the link itself. A file keeps its
 * permission bits, and nothing in a response can make a file executable.
 */
export function changeFile(operation: Operation, fact: PathFact): Change {
  const { path } = operation
  const aside = fact.otherDevice
  if (operation.op === 'delete' && fact.link !== undefined) {
    return changeBetween({ path, target: fact.place, aside }, { kind: 'link', to: fact.link }, null)
  }
  const target = fact.leads.kind === 'inside' ? fact.leads.target : path
  const before = fact.found === 'file' && fact.file !== undefined ? fact.file : null
  const { otherNames } = fact
  const place = { path, target, otherNames, aside, isClosed: before === null ? undefined : fact.isClosed }
  if (operation.op === 'delete') return changeBetween(place, before, null)
  const bytes = fileBytes(operation.content, before?.bytes)
  return changeBetween(place, before, { kind: 'file', bytes, mode: before?.mode ?? NEW_FILE_MODE })
}

/**
 * The exact bytes that a text becomes in a file: the line end and the byte order mark of the file that it replaces stay,
 * a new file gets LF and no mark.
 *
 * The more frequent line end counts where a file has both; LF when it has neither or as many. A mark that the text brings
 * itself is kept, but never twice. A text without any content is a file without any bytes.
 */
function fileBytes(content: string, before: Uint8Array | undefined): Uint8Array {
  const own = content.replace(/^\ufeff+/, '')
  const mark = own.length < content.length || (own !== '' && before !== undefined && hasMark(before))
  const text = before !== undefined && endsLinesWithCrlf(before) ? own.replace(/\r?\n/g, '\r\n') : own
  return new TextEncoder().encode(mark ? `\ufeff${text}` : text)
}

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
}

function endsLinesWithCrlf(bytes: Uint8Array): boolean {
  let crlf = 0
  let lf = 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at - 1] === CR) crlf++
    else lf++
  }
  return crlf > lf
}

const CR = 0x0d
const LF = 0x0a
