import { constants } from 'node:buffer'
import { bufferOf } from '../../ground/bytes.ts'
import type { Files } from '../../ports.ts'

/**
 * The text of a file of relay's own; `undefined` where there is none. What stands in its place and is no file (a link, a
 * pipe, a folder, a file that is longer than any text can be) is nothing that relay has made: it counts as none, and nobody
 * looks behind it.
 */
export async function readOwn(path: string, files: Files): Promise<string | undefined> {
  const bytes = await readOwnBytes(path, files)
  return bytes?.toString('utf8')
}

/** The same before it is made a text. */
export async function readOwnBytes(path: string, files: Files): Promise<Buffer | undefined> {
  const found = await files.inspect(path)
  const isOwn = found?.kind === 'file' && found.bytes.length <= constants.MAX_STRING_LENGTH
  return isOwn ? bufferOf(found.bytes) : undefined
}
