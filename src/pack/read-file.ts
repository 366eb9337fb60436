import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { isOwnText } from '../lines/own-text.ts'
import type { Files } from '../ports.ts'
import type { LeftOut } from './choose-files.ts'
import type { FoundFile } from './walk-files.ts'

export interface GivenFile {
  readonly path: string
  readonly bytes: Uint8Array
  readonly text: string
}

/** About 250,000 tokens: nobody gives a model more of one file. */
export const mostFileBytes = 1_000_000

/** Reads a chosen file, or says why it is not given; `undefined` if it is gone by now. */
export async function readFile(
  { path, bytes: size }: FoundFile,
  root: string,
  files: Files,
): Promise<GivenFile | LeftOut | undefined> {
  if (size > mostFileBytes) return { path, why: 'over 1 MB' }
  const bytes = await files.read(join(root, path)).catch(unreadable)
  if (bytes === null) return undefined
  if (bytes === 'unreadable') return { path, why: 'cannot be read' }
  if (bytes.includes(0)) return { path, why: 'binary' }
  if (!isUtf8(bytes)) return { path, why: 'not UTF-8' }
  // The decoder removes a byte order mark.
  const text = new TextDecoder().decode(bytes)
  return isOwnText(text) ? { path, why: 'a prompt of relay' } : { path, bytes, text }
}

function unreadable(error: unknown): 'unreadable' {
  if (error instanceof RelayError) return 'unreadable'
  throw error
}
