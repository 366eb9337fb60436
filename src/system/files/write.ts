/**
 * Bringing bytes to the disk: all of them, or an error and nothing left of them. A `path` is looked for here, where no link
 * may stand on the way; a `place` is in a folder that the caller already holds (`inRealFolder`).
 */
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  ftruncateSync,
  open,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { CreateOptions } from '../../ports.ts'
import { codeOf, systemError } from '../file-error.ts'
import { again, atOnce, flush, look, patiently, setMode, unlink, unsupported } from './calls.ts'
import { whileInRealFolder } from './real-folder.ts'

/** Writes a new file whole, with its owner and mode, and never over another one. */
export async function create(place: string, bytes: Uint8Array, options: CreateOptions): Promise<'created' | 'exists'> {
  let file: number
  try {
    const mode = options.mode ?? (options.isProgram === true ? 0o777 : 0o666)
    file = await again(async () => (options.isOneOfMany === true ? openNew(place, mode) : openSync(place, 'wx', mode)))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'exists'
    throw error
  }
  const fill = async () => {
    try {
      writeAll(file, bytes)
      if (options.owner !== undefined) giveTo(file, options.owner)
      if (options.mode !== undefined) setMode(file, options.mode)
      if (options.sync !== false) await bringToDisk(file, options.sync === 'name' ? dirname(place) : undefined)
    } finally {
      // Network file systems report a full disk only here.
      closeSync(file)
    }
  }
  await orUndo(fill, () => unlink(place))
  return 'created'
}

/** Where the work fails, what there is of it goes, if it can: the first error is the one that tells. */
async function orUndo(work: () => Promise<void>, undo: () => void): Promise<void> {
  try {
    await work()
  } catch (error) {
    try {
      undo()
    } catch {}
    throw error
  }
}

/** By a thread: other work goes on where it takes long to make a file (a shared folder, a disk without a journal). */
function openNew(path: string, mode: number): Promise<number> {
  return new Promise((resolve, reject) =>
    open(path, 'wx', mode, (error, file) => (error ? reject(error) : resolve(file))),
  )
}

/** Writes a file beside its place and moves it there: whoever looks finds the old bytes or the new. */
export async function replace(
  path: string,
  bytes: Uint8Array,
  temporary: string,
  options: CreateOptions,
): Promise<void> {
  const replaceIn = (aside: string) => async (place: string) => {
    if ((await create(aside, bytes, options)) === 'exists') {
      // Left over by a relay that was killed here.
      unlink(aside)
      if ((await create(aside, bytes, options)) === 'exists') throw systemError('EEXIST')
    }
    const move = () => patiently(async () => atOnce(() => renameSync(aside, place)))
    await orUndo(move, () => unlink(aside))
  }
  await whileInRealFolder(temporary, aside => whileInRealFolder(path, replaceIn(aside)))
  if (options.sync !== false) await sync(dirname(path))
}

/** Adds bytes to the end of a file of our own; after a failure it is as long as before. */
export async function append(path: string, bytes: Uint8Array, options: Pick<CreateOptions, 'sync'>): Promise<void> {
  const wasEmpty = await whileInRealFolder(path, async place => {
    const file = atOnce(() => openSync(place, APPEND, 0o600))
    try {
      const before = fstatSync(file).size
      const add = async () => {
        writeAll(file, bytes)
        if (options.sync !== false) await flush(file)
      }
      // Half a line would be taken for a whole one.
      await orUndo(add, () => ftruncateSync(file, before))
      return before === 0
    } finally {
      closeSync(file)
    }
  })
  if (wasEmpty && options.sync !== false) await sync(dirname(path))
}

/** A link of that name is not followed: what is behind it may belong to others. A FIFO is not waited for. */
const APPEND =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0)

/**
 * Writes every byte. One call may write fewer than it was given and still report success, for instance when the disk
 * fills up in the middle; the next one then says why.
 */
function writeAll(file: number, bytes: Uint8Array): void {
  let done = 0
  while (done < bytes.length) {
    const written = atOnce(() => writeSync(file, bytes, done, bytes.length - done))
    if (written === 0) throw systemError('EIO')
    done += written
  }
}

/** Gives the file to its owner as far as this process may; who is not root can at most choose among his groups. */
function giveTo(file: number, owner: { readonly uid: number; readonly gid: number }): void {
  for (const uid of [owner.uid, -1]) {
    try {
      atOnce(() => fchownSync(file, uid, owner.gid))
      return
    } catch (error) {
      if (!unsupported.has(codeOf(error))) throw error
    }
  }
}

/**
 * Brings a file, or the names in a folder, to the disk. Some file systems, and Windows, cannot sync a folder; there is
 * nothing to be done about it.
 */
export async function sync(path: string): Promise<void> {
  let file: number
  try {
    file = atOnce(() => openForSync(path))
  } catch (error) {
    if (process.platform === 'win32' && look(path)?.isDirectory() === true) return
    throw error
  }
  try {
    await flush(file)
  } catch (error) {
    // A Windows share (SMB), too, syncs only through a handle that may write, and has its own word for that.
    if (codeOf(error) === 'EACCES') await syncForWriting(path)
    else if (!unsupported.has(codeOf(error))) throw error
  } finally {
    closeSync(file)
  }
}

/** Where this user may not write either, it goes without. */
async function syncForWriting(path: string): Promise<void> {
  let file: number
  try {
    file = atOnce(() => openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0)))
  } catch {
    return
  }
  try {
    await flush(file)
  } finally {
    closeSync(file)
  }
}

function openForSync(path: string): number {
  const quiet = constants.O_NONBLOCK ?? 0
  if (process.platform === 'win32') {
    try {
      // Windows syncs only what may be written through the same handle.
      return openSync(path, constants.O_RDWR)
    } catch {
      // One that is read-only then goes without.
    }
  }
  try {
    return openSync(path, constants.O_RDONLY | quiet)
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error
    // A file that its owner may write and not read. A folder cannot be written, and the first error is the true one.
    try {
      return openSync(path, constants.O_WRONLY | quiet)
    } catch (second) {
      throw codeOf(second) === 'EISDIR' ? error : second
    }
  }
}

/** Nothing is written between the two, so that neither has to wait for the other; an error waits for both. */
async function bringToDisk(file: number, folder: string | undefined): Promise<void> {
  const syncs = folder === undefined ? [flush(file)] : [flush(file), sync(folder)]
  for (const synced of await Promise.allSettled(syncs)) if (synced.status === 'rejected') throw synced.reason
}
