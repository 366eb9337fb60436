import { createHash } from 'node:crypto'
import type { Operation } from '../model.ts'

/** SHA-256 of some bytes, hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * One hash for what a patch asks for, whatever the order of its blocks.
 *
 * Line ends and the byte order mark do not count: they are the target file's, not the response's, so that an entry,
 * which has them applied, gives the same hash as the response it came from.
 */
export function hashOperations(operations: readonly Operation[]): string {
  const parts = operations.map(operation =>
    operation.op === 'delete'
      ? JSON.stringify(['delete', operation.path])
      : JSON.stringify([
          'write',
          operation.path,
          sha256(operation.content.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')),
        ]),
  )
  return sha256(parts.sort().join('\n'))
}
