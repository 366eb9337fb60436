import { basename, dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { digest } from '../../ground/bytes.ts'
import type { System } from '../../ports.ts'
import { makeFolders } from '../../state-files.ts'
import { stateFolderFor } from '../run/run-folder.ts'

type Doors = Pick<System, 'files' | 'clock' | 'interruption'>

/** Milliseconds. An editor that writes in place needs at most this long for a note. */
const settled = 200
const mostTries = 50

/** The text of a note. Throws `usage` where there is no file, or it is not UTF-8. */
export async function readNoteFile(path: string, { files }: Pick<Doors, 'files'>): Promise<string> {
  const bytes = await files.read(path)
  if (bytes === null) throw new RelayError('usage', `There is no note ${path}`)
  return decode(bytes, path)
}

/** The folder in which a relay run records that it follows this note. */
export async function ownersOfNote(path: string, doors: Pick<System, 'files' | 'stateFolder'>): Promise<string> {
  const above = await makeFolders(join(stateFolderFor(doors), 'notes'), doors.files)
  return join(above, digest('sha256', path).slice(0, 32))
}

/**
 * Changes a note in one step, although the user may have it open in an editor.
 *
 * relay changes it only after it has been unchanged for a moment, and keeps the old file until that has been unchanged for a
 * moment as well. Text that an editor saves meanwhile stays, and relay changes that text instead. Throws `environment` where
 * the note never comes to rest. Gives whether the note was changed.
 *
 * @param change gives the new text, or `undefined` where there is nothing left to change
 */
export async function editNote(
  path: string,
  change: (text: string) => string | undefined,
  doors: Doors,
): Promise<boolean> {
  const { files, clock, interruption } = doors
  for (let tries = 0; tries < mostTries; tries++) {
    const bytes = await files.read(path)
    await clock.sleep(settled, interruption)
    if (interruption.aborted) return false
    // While an editor replaces the file, it is missing for a moment.
    if (bytes === null || !(await isStill(path, bytes, files))) continue
    const text = decode(bytes, path)
    const next = change(text)
    if (next === undefined) return false
    if (next === text || (await replace(path, bytes, new TextEncoder().encode(next), doors))) return true
  }
  throw new RelayError('environment', `${path} changes all the time`, { hint: 'Try again when nobody writes there.' })
}

/** Gives `false` where the file was written meanwhile. That text stays then. */
async function replace(
  path: string,
  bytes: Uint8Array,
  changed: Uint8Array,
  { files, clock }: Doors,
): Promise<boolean> {
  const temporary = join(dirname(path), `.${basename(path)}.relay-new`)
  const old = join(dirname(path), `.${basename(path)}.relay-old`)
  for (const left of [temporary, old]) await files.remove(left)
  await files.create(temporary, changed, { mode: (await files.stat(path))?.mode })
  try {
    // The link, made right before the rename, keeps the old file: an editor may have replaced it, or may still write into it.
    await files.link(path, old)
  } catch (error) {
    await files.remove(temporary)
    if ((await files.stat(path)) === null) return false
    throw error
  }
  await files.rename(temporary, path)
  for (const pause of [0, settled]) {
    await clock.sleep(pause)
    const replaced = await files.read(old)
    if (replaced === null || isSame(replaced, bytes)) continue
    // If an editor has saved again since, the new file has all of the text.
    if (await isStill(path, changed, files)) await files.rename(old, path)
    else await files.remove(old)
    return false
  }
  await files.remove(old)
  return true
}

async function isStill(path: string, bytes: Uint8Array, files: Doors['files']): Promise<boolean> {
  const now = await files.read(path)
  return now !== null && isSame(now, bytes)
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new RelayError('usage', `${path} is not UTF-8`, { cause })
  }
}
