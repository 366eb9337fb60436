import { dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { Files } from '../../ports.ts'

/** Whether a folder, and every folder between it and the root, exists and is no link. */
export async function isOwnFolder(root: string, folder: string, files: Files): Promise<boolean> {
  for (const each of foldersTo(folder)) if ((await files.stat(join(root, each)))?.kind !== 'folder') return false
  return true
}

/** The text of a file below a root; follows no link on the way. `undefined` when no file can be read. */
export async function textBelow(root: string, path: string, files: Files): Promise<string | undefined> {
  if (!(await isOwnFolder(root, dirname(path), files))) return undefined
  const found = await files.inspect(join(root, path))
  return found?.kind === 'file' ? new TextDecoder().decode(found.bytes) : undefined
}

/**
 * Writes a file in a checkout in one step, unless it already has this text. Removes links and other files that are in the way: an
 * agent may have put them there.
 */
export async function layText(root: string, path: string, text: string, files: Files): Promise<void> {
  if ((await textBelow(root, path, files)) === text) return
  for (const each of foldersTo(dirname(path))) {
    await clear(join(root, each), 'folder', files)
    await files.makeFolder(join(root, each))
  }
  const at = join(root, path)
  await clear(at, 'file', files)
  await files.replace(at, new TextEncoder().encode(text), `${at}.relay-new`, { mode: 0o644 })
}

async function clear(at: string, kind: 'file' | 'folder', files: Files): Promise<void> {
  const found = await files.stat(at)
  if (found === null || found.kind === kind) return
  if (found.kind === 'folder') throw new RelayError('failed', `${at} is in the way: it is no ${kind}`)
  await files.remove(at)
}

/** Turns `a/b` into `a`, `a/b`. */
function foldersTo(folder: string): readonly string[] {
  const parts = folder.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}
