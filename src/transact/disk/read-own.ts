import { constants } from 'node:buffer'
import { bufferOf } from '../../ground/bytes.ts'
import type { Files } from '../../ports.ts'

/**
 * The text of one of relay's own files; `undefined` if there is none. A link, a pipe, a folder, or a file too long for
 * a text is nothing that relay has made: it counts as none, and relay does not follow it.
 */
export async function readOwn(path: string, files: Files): Promise<string | undefined> {
  const bytes = await readOwnBytes(path, files)
  return bytes?.toString('utf8')
}

/** The same as bytes. */
export async function readOwnBytes(path: string, files: Files): Promise<Buffer | undefined> {
  const found = await files.inspect(path)
  const isOwn = found?.kind === 'file' && found.bytes.length <= constants.MAX_STRING_LENGTH
  return isOwn ? bufferOf(found.bytes) : undefined
}
