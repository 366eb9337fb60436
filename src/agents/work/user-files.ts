/** The files of a book that lie in the user's folder, where no transaction writes them. */
import { dirname } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { PathState } from '../../model/plan.ts'
import type { System } from '../../ports.ts'

type Doors = Pick<System, 'files'>

/**
 * The text of a file; `undefined` when it does not exist. Throws `conflict` for a link or a folder: the text goes to an
 * agent, so no link is followed.
 */
export async function textAt(path: string, { files }: Doors): Promise<string | undefined> {
  const found = await files.inspect(path)
  if (found === null) return undefined
  if (found.kind !== 'file') throw new RelayError('conflict', `${path} is not a file`)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(found.bytes)
}

/** The state of a path, in the form that a landing needs. */
export async function stateAt(path: string, { files }: Doors): Promise<PathState> {
  const [stat, found] = [await files.stat(path), await files.inspect(path)]
  if (found?.kind === 'link') return { kind: 'link', to: found.to }
  return found?.kind === 'file' ? { kind: 'file', bytes: found.bytes, mode: stat?.mode ?? 0o644 } : null
}

/** Replaces a file in one step, unless it already has this text; makes missing folders. */
export async function writeText(path: string, text: string, { files }: Doors): Promise<void> {
  const found = await files.inspect(path)
  const bytes = new TextEncoder().encode(text)
  if (found?.kind === 'file' && Buffer.from(found.bytes).equals(bytes)) return
  await makeFolder(dirname(path), { files })
  const mode = found?.kind === 'file' ? (await files.stat(path))?.mode : undefined
  await files.replace(path, bytes, `${path}.relay-new`, { mode })
}

async function makeFolder(path: string, { files }: Doors): Promise<void> {
  if ((await files.stat(path)) !== null) return
  await makeFolder(dirname(path), { files })
  await files.makeFolder(path)
}
