import { parseJson } from '../../ground/json.ts'
import type { Files } from '../../ports.ts'
import { readOwn } from './read-own.ts'

/** Leaves a note for a later relay, in one step by way of `draft`. Without `sync` a power cut may cost it. */
export async function writeNote(path: string, note: unknown, draft: string, files: Files, sync = true): Promise<void> {
  await files.replace(path, Buffer.from(JSON.stringify(note)), draft, { mode: 0o600, sync })
}

/**
 * `undefined` if there is no note. A note is replaced in one step. One that was not synced can be empty after a power
 * cut, and then counts as none.
 */
export async function readNote(path: string, files: Files): Promise<unknown> {
  const text = await readOwn(path, files)
  return text === undefined ? undefined : parseJson(text)
}
