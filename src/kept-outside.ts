/** What relay keeps for its user outside every project, where nothing that a project brings can reach it. */
import { basename, dirname, join } from 'node:path'
import { isRecord } from './ground/is-record.ts'
import { parseJson } from './ground/parse-json.ts'
import type { Files, Stat, System } from './ports.ts'

/** Makes a folder where it is missing, and answers where it really is: people keep parts of their home elsewhere. */
export async function makeFolders(folder: string, files: Files): Promise<string> {
  const real = await files.realPath(folder)
  if (real !== null || dirname(folder) === folder) return real ?? folder
  const above = await makeFolders(dirname(folder), files)
  const made = join(above, basename(folder))
  if (await files.makeFolder(made, 0o700)) await files.sync(above)
  return made
}

/** What relay has noted for itself as a JSON object; `undefined`: nothing, or something else stands there. */
export async function readNote(
  path: string,
  { files }: { readonly files: Pick<Files, 'read'> },
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const bytes = await files.read(path)
  const found = bytes === null ? undefined : parseJson(new TextDecoder().decode(bytes))
  return isRecord(found) ? found : undefined
}

/** Brings a note to the disk in one step. `sync` as `Files.replace` takes it; `indent` where people read it. */
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

/** Written by this user (or root), and by nobody else since: a real file in a real folder that are theirs alone. */
export async function isOwn(path: string, { files, uid }: Pick<System, 'files' | 'uid'>): Promise<boolean> {
  const folder = (await files.realPath(dirname(path))) ?? dirname(path)
  const all = [
    [await files.stat(path), 'file'],
    [await files.stat(folder), 'folder'],
    [await files.stat(dirname(folder)), 'folder'],
  ] as const
  return all.every(([stat, kind]) => stat?.kind === kind && isPrivate(stat, uid))
}

function isPrivate({ uid, mode }: Stat, own: number | undefined): boolean {
  return own === undefined || ((uid === own || uid === 0) && (mode & 0o022) === 0)
}
