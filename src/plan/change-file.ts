import { changeBetween, NEW_FILE_MODE } from '../model/path-state.ts'
import type { Change, PathFact } from '../model/plan.ts'
import type { Operation } from '../model/response.ts'
import { fileBytes } from './file-bytes.ts'

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
