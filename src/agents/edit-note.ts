import { basename, dirname, join } from 'node:path'
import { RelayError } from '../errors.ts'
import { digest } from '../ground/digest.ts'
import { makeFolders } from '../kept-outside.ts'
import type { System } from '../ports.ts'
import { stateFolderFor } from './run/run-folder.ts'

type Doors = Pick<System, 'files' | 'clock' | 'interruption'>

/** Milliseconds: an editor that writes in place needs that long for a note at most. */
const settled = 200
const mostTries = 50

/** The text of a note. Throws `usage` where there is none. */
export async function readNoteFile(path: string, { files }: Pick<Doors, 'files'>): Promise<string> {
  const bytes = await files.read(path)
  if (bytes === null) throw new RelayError('usage', `There is no note ${path}`)
  return decode(bytes, path)
}

/** Where the relay that follows a note says so. */
export async function ownersOfNote(path: string, doors: Pick<System, 'files' | 'stateFolder'>): Promise<string> {
  const above = await makeFolders(join(stateFolderFor(doors), 'notes'), doors.files)
  return join(above, digest('sha256', path).slice(0, 32))
}

/**
 * Changes a note that somebody may have open in an editor, in one step. It is changed only when it has been still for a moment,
 * and what it replaced is kept until that has been still as well: what an editor saves meanwhile stays, and is changed in its place.
 *
 * @param change `undefined`: there is nothing to change any more
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
    // An editor that replaces the file has it gone for a moment.
    if (bytes === null || !(await isStill(path, bytes, files))) continue
    const text = decode(bytes, path)
    const next = change(text)
    if (next === undefined) return false
    if (next === text || (await replace(path, bytes, new TextEncoder().encode(next), doors))) return true
  }
  throw new RelayError('environment', `${path} changes all the time`, { hint: 'Try again when nobody writes there.' })
}

/** `false`: somebody wrote there meanwhile, and that is what stands there now. */
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
    // Right before the rename: an editor may have replaced the file since it was read, or write into it a little later.
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
    // Where an editor has saved once more since then, that holds all of it.
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
