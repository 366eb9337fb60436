import { digest } from '../../ground/bytes.ts'
import { remembered } from '../../ground/collections.ts'
import type { EntryOperation, EntryWrite } from '../../model/entry.ts'
import type { Edits, Operation } from '../../model/response.ts'

/** In hex. */
export function sha256(bytes: Uint8Array | string): string {
  return digest('sha256', bytes)
}

/**
 * One hash for what a patch asks for, whatever the order of its blocks.
 *
 * Line ends and the byte order mark do not count: they are the target file's, not the response's, so that an entry,
 * which has them applied, gives the same hash as the response it came from.
 */
export function hashOperations(operations: readonly (EntryOperation | Operation)[]): string {
  const parts = operations.map(operation => JSON.stringify(partOf(operation)))
  return sha256(parts.sort().join('\n'))
}

function partOf(operation: EntryOperation | Operation): readonly unknown[] {
  switch (operation.op) {
    case 'edit':
      return ['edit', operation.path, operation.content, ...editsOf(operation)]
    case 'rename':
      return ['rename', operation.path, operation.to, ...editsOf(operation)]
    case 'delete':
      return ['delete', operation.path]
    case 'link':
      return ['link', operation.path, operation.to]
    case 'write': {
      const { path, content, bytes, mode }: EntryWrite = operation
      const plain = content.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
      const hash = bytes !== undefined || plain === content ? hashOfFile(operation) : sha256(plain)
      return mode === undefined ? ['write', path, hash] : ['write', path, hash, mode]
    }
  }
}

/** Only what the edits ask for, and not where they stand in the response. */
function editsOf({ blocks, executable }: Edits): readonly unknown[] {
  return [executable, ...blocks.map(hunks => hunks.map(({ block, line, number, ...asked }) => asked))]
}

/**
 * SHA-256 of the file that a write asks for, in hex. Remembered: an operation never changes, and each step of a
 * transaction needs it.
 */
export const hashOfFile = remembered(
  ({ bytes, content }: EntryWrite) => sha256(bytes ?? content),
  new WeakMap<EntryWrite, string>(),
)
