/** What relay keeps for the user outside every project, where nothing in a project can change it. */
import { basename, dirname, join } from 'node:path'
import { isRecord, parseJson } from './ground/json.ts'
import type { Files, Stat, System } from './ports.ts'

/** Makes a folder where it is missing and returns its real path: people link parts of their home folder elsewhere. */
export async function makeFolders(folder: string, files: Files): Promise<string> {
  const real = await files.realPath(folder)
  if (real !== null || dirname(folder) === folder) return real ?? folder
  const above = await makeFolders(dirname(folder), files)
  const made = join(above, basename(folder))
  if (await files.makeFolder(made, 0o700)) await files.sync(above)
  return made
}

/** Reads a JSON object that relay wrote for itself; `undefined`: there is none, or the file holds something else. */
export async function readNote(
  path: string,
  { files }: { readonly files: Pick<Files, 'read'> },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const bytes = await files.read(path)
  const found = bytes === null ? undefined : parseJson(new TextDecoder().decode(bytes))
  return isRecord(found) ? found : undefined
}

/** Writes a note to the disk in one step. `sync` is that of `Files.replace`; set `indent` when people read the file. */
export async function writeNote(
  path: string,
  note: object,
  { files }: { readonly files: Pick<Files, 'replace'> },
  { indent = 0, ...options }: NoteOptions = {},
): Promise<void> {
  const bytes = new TextEncoder().encode(`${JSON.stringify(note, undefined, indent)}\n`)
  await files.replace(path, bytes, `${path}.new`, { mode: 0o600, ...options })
}

type NoteOptions = Omit<NonNullable<Parameters<Files['replace']>[3]>, 'mode'> & { readonly indent?: number }

/**
 * Whether a file was written by this user (or root) and nobody else: a real file in real folders that only they can write to.
 */
export async function isOwn(path: string, { files, uid }: Pick<System, 'files' | 'uid'>): Promise<boolean> {
  const folder = (await files.realPath(dirname(path))) ?? dirname(path)
  const all = [
    [await files.stat(path), 'file'],
    [await files.stat(folder), 'folder'],
    [await files.stat(dirname(folder)), 'folder'],
  ] as const
  return all.every(([stat, kind]) => stat?.kind === kind && isPrivate(stat, uid))
}

/** Whether nobody but this user and root can change what lies there. */
export function isPrivate({ uid, mode }: Stat, own: number | undefined): boolean {
  return own === undefined || ((uid === own || uid === 0) && (mode & 0o022) === 0)
}
