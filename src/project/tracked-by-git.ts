import { Buffer } from 'node:buffer'
import { join, relative, resolve } from 'node:path'
import { foldersFrom } from '../ground/paths.ts'
import type { Files } from '../ports.ts'

export const trackedNote =
  'git tracks .relaycode/, which holds the content of your files: git rm -r --cached .relaycode'

/** A larger index is not worth reading for a note. */
const largest = 64 * 1024 * 1024

/**
 * git tracks relay's state: then everybody who gets the repository gets everything that was ever rolled back. Reads
 * only git's index; `false` if that cannot be read.
 */
export function isTrackedByGit(root: string, files: Files): Promise<boolean> {
  return tracksAny(root, ['.relaycode/'], files)
}

/** git tracks one of these files, or something in one of these folders (with a slash at the end). */
export async function tracksAny(root: string, paths: readonly string[], files: Files): Promise<boolean> {
  try {
    const found = await indexOf(root, files)
    if (found === undefined) return false
    const size = (await files.stat(found.index))?.size ?? 0
    const bytes = size > largest ? null : await files.read(found.index)
    return bytes !== null && paths.some(path => holds(Buffer.from(bytes), found.prefix + path))
  } catch {
    return false
  }
}

/** The index of the repository that the project lies in, and the project's path in it. */
async function indexOf(root: string, files: Files): Promise<{ index: string; prefix: string } | undefined> {
  for (const top of foldersFrom(root)) {
    const git = join(top, '.git')
    const kind = (await files.stat(git))?.kind
    if (kind === undefined) continue
    const way = relative(top, root).replaceAll('\\', '/')
    const folder = kind === 'file' ? await separateFolder(top, git, files) : git
    return { index: join(folder, 'index'), prefix: way === '' ? '' : `${way}/` }
  }
  return undefined
}

/** In a worktree or a submodule `.git` is a file that names the folder. */
async function separateFolder(top: string, file: string, files: Files): Promise<string> {
  const text = Buffer.from((await files.read(file)) ?? []).toString('utf8')
  return resolve(top, /^gitdir: (.+?)\r?\n?$/.exec(text)?.[1] ?? '')
}

/** The index holds each path as it is, after two bytes with its length; version 4 leaves out its beginning. */
function holds(index: Buffer, path: string): boolean {
  if (index.toString('latin1', 0, 4) !== 'DIRC') return false
  if (index.readUInt32BE(4) === 4) return index.includes(path.slice(1))
  for (let at = index.indexOf(path); at >= 0; at = index.indexOf(path, at + 1)) {
    const length = at < 14 ? 0 : index.readUInt16BE(at - 2) & 0xfff
    const isSame = path.endsWith('/') ? length >= path.length : length === path.length
    if ((isSame && index[at + length] === 0) || length === 0xfff) return true
  }
  return false
}
