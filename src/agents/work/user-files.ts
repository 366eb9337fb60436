/** The files of a book that lie in the user's folder, where no transaction writes them, and their copies elsewhere. */
import { dirname } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { PathState } from '../../model/plan.ts'
import type { System } from '../../ports.ts'

type Doors = Pick<System, 'files'>

/**
 * The text of a file; `undefined` when it does not exist. Throws `conflict` for a link or a folder: the text goes to an
 * agent, so no link is followed. Throws `usage` where it is not UTF-8: written back, it would not be what it was.
 */
export async function textAt(path: string, doors: Doors): Promise<string | undefined> {
  const bytes = await bytesAt(path, doors)
  return bytes === null ? undefined : textOf(bytes, path)
}

export async function bytesAt(path: string, { files }: Doors): Promise<Uint8Array | null> {
  const found = await files.inspect(path)
  if (found === null) return null
  if (found.kind !== 'file') throw new RelayError('conflict', `${path} is not a file`)
  return found.bytes
}

export function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new RelayError('usage', `${path} is not UTF-8`, { cause })
  }
}

/** The state of a path, in the form that a landing needs. */
export async function stateAt(path: string, { files }: Doors): Promise<PathState> {
  const [stat, found] = [await files.stat(path), await files.inspect(path)]
  if (found?.kind === 'link') return { kind: 'link', to: found.to }
  return found?.kind === 'file' ? { kind: 'file', bytes: found.bytes, mode: stat?.mode ?? 0o644 } : null
}

/** Writes a copy for an agent, or for relay itself, in one step; makes missing folders. No file of the user's is written so. */
export async function writeCopy(path: string, text: string, { files }: Doors): Promise<void> {
  const found = await files.inspect(path)
  const bytes = new TextEncoder().encode(text)
  if (found?.kind === 'file' && Buffer.from(found.bytes).equals(bytes)) return
  await makeFolder(dirname(path), { files })
  const mode = found?.kind === 'file' ? (await files.stat(path))?.mode : undefined
  await files.replace(path, bytes, `${path}.relay-new`, { mode })
}

export async function makeFolder(path: string, { files }: Doors): Promise<void> {
  if ((await files.stat(path)) !== null) return
  await makeFolder(dirname(path), { files })
  await files.makeFolder(path)
}
