import type { Entry, EntryOperation } from '../model/entry.ts'
import { changeBetween } from '../model/path-state.ts'
import type { Change, FileState, PathState } from '../model/plan.ts'

/**
 * What a kept entry changed in the end: from what stood at each path to what the operation and the commands after it
 * left there.
 */
export function changesOf(entry: Entry): Change[] {
  return entry.operations.map((operation): Change => {
    const { path } = operation
    const snapshot = entry.snapshot.get(path) ?? { kind: 'absent' }
    const before = stateOf(snapshot)
    const change = changeBetween(
      { path, target: snapshot.target ?? path },
      before,
      finalState(entry, operation, before),
    )
    return operation.op === 'write' ? { ...change, renamedFrom: operation.renamedFrom } : change
  })
}

function stateOf(snapshot: NonNullable<ReturnType<Entry['snapshot']['get']>>): PathState {
  switch (snapshot.kind) {
    case 'absent':
      return null
    case 'link':
      return { kind: 'link', to: snapshot.to }
    case 'file':
      return { kind: 'file', bytes: snapshot.bytes, mode: snapshot.mode }
  }
}

function finalState(entry: Entry, operation: EntryOperation, before: PathState): PathState {
  const written = entry.written?.get(operation.path)
  if (operation.op === 'link' && written === undefined) return { kind: 'link', to: operation.to }
  if (written === undefined && (operation.op === 'delete' || entry.written !== undefined)) return null
  const asked = operation.op === 'write' ? askedFile(operation, before) : undefined
  const mode = written?.mode ?? asked?.mode ?? USUAL_MODE
  // An old entry holds no more than the hash of what a command made of the file: what was asked for has to do.
  return { kind: 'file', bytes: written?.bytes ?? asked?.bytes ?? new Uint8Array(), mode }
}

function askedFile(operation: Extract<EntryOperation, { op: 'write' }>, before: PathState): FileState {
  const mode = operation.mode ?? (before?.kind === 'file' ? before.mode : USUAL_MODE)
  return { kind: 'file', bytes: operation.bytes ?? Buffer.from(operation.content), mode }
}

/** An entry does not tell what the umask left of a new file's permission bits. */
const USUAL_MODE = 0o644
