import type { Change, FileState, Operation, PathFact } from '../model.ts'
import { fileBytes } from './file-bytes.ts'

/**
 * What one operation does to what was found on the disk; the operation and the fact must have been let through.
 *
 * A write goes where links lead and leaves them standing; a delete of a link removes the link itself. A file keeps its
 * permission bits, and nothing in a response can make a file executable.
 */
export function changeFile(operation: Operation, fact: PathFact): Change {
  const { op, path } = operation
  const aside = fact.otherDevice
  if (op === 'delete' && fact.link !== undefined) {
    return {
      op,
      path,
      target: fact.place,
      before: { kind: 'link', to: fact.link },
      aside,
      after: null,
      effect: 'delete',
    }
  }

  const target = fact.leads.kind === 'inside' ? fact.leads.target : path
  const before = fact.found === 'file' && fact.file !== undefined ? fact.file : null
  const { isClosed } = fact
  if (op === 'delete') {
    return { op, path, target, before, isClosed, aside, after: null, effect: before === null ? 'none' : 'delete' }
  }
  const after: FileState = {
    kind: 'file',
    bytes: fileBytes(operation.content, before?.bytes),
    mode: before?.mode ?? NEW_FILE_MODE,
  }
  if (before === null) return { op, path, target, before, aside, after, effect: 'create' }
  const same = Buffer.compare(before.bytes, after.bytes) === 0
  return { op, path, target, before, isClosed, aside, after, effect: same ? 'none' : 'modify' }
}

/** What a program asks for when it makes a file: the process's umask takes from it what the user does not give. */
const NEW_FILE_MODE = 0o666
