/**
 * Writes bytes to the disk: all of them, or none and an error. A `path` is resolved here, and no link may stand on
 * the way. A `place` is in a folder that the caller already holds (`inRealFolder`).
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

/** Writes a new file whole, with its owner and mode, and never over another file. */
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

/** If the work fails, its remains go where they can. The first error is thrown, because it tells the cause. */
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

/**
 * In a thread, because it can take long to make a file (a shared folder, a disk without a journal). Other work goes
 * on.
 */
function openNew(path: string, mode: number): Promise<number> {
  return new Promise((resolve, reject) =>
    open(path, 'wx', mode, (error, file) => (error ? reject(error) : resolve(file))),
  )
}

/** Writes a file beside its place and moves it there: each reader finds the old bytes or the new. */
export async function replace(
  path: string,
  bytes: Uint8Array,
  temporary: string,
  options: CreateOptions,
): Promise<void> {
  const replaceIn = (aside: string) => async (place: string) => {
    if ((await create(aside, bytes, options)) === 'exists') {
      // A relay that was killed here may have left it.
      unlink(aside)
      if ((await create(aside, bytes, options)) === 'exists') throw systemError('EEXIST')
    }
    const move = () => patiently(async () => atOnce(() => renameSync(aside, place)))
    await orUndo(move, () => unlink(aside))
  }
  await whileInRealFolder(temporary, aside => whileInRealFolder(path, replaceIn(aside)))
  if (options.sync !== false) await sync(dirname(path))
}

/** Adds bytes to the end of a file of ours. After a failure the file is as long as before. */
export async function append(path: string, bytes: Uint8Array, options: Pick<CreateOptions, 'sync'>): Promise<void> {
  const wasEmpty = await whileInRealFolder(path, async place => {
    const file = atOnce(() => openSync(place, APPEND, 0o600))
    try {
      const before = fstatSync(file).size
      const add = async () => {
        writeAll(file, bytes)
        if (options.sync !== false) await flush(file)
      }
      // Half a line would pass for a whole one.
      await orUndo(add, () => ftruncateSync(file, before))
      return before === 0
    } finally {
      closeSync(file)
    }
  })
  if (wasEmpty && options.sync !== false) await sync(dirname(path))
}

/** Does not follow a link of that name: its target may belong to others. Does not wait for a FIFO. */
const APPEND =
  constants.O_WRONLY |
  constants.O_APPEND |
  constants.O_CREAT |
  (constants.O_NOFOLLOW ?? 0) |
  (constants.O_NONBLOCK ?? 0)

/**
 * Writes every byte. One call may write fewer than it got and still report success, for instance when the disk fills
 * up meanwhile; the next call then gives the reason.
 */
function writeAll(file: number, bytes: Uint8Array): void {
  let done = 0
  while (done < bytes.length) {
    const written = atOnce(() => writeSync(file, bytes, done, bytes.length - done))
    if (written === 0) throw systemError('EIO')
    done += written
  }
}

/**
 * Gives the file to its owner as far as this process may. A user who is not root can at most choose among his own
 * groups.
 */
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
 * Brings a file, or the names in a folder, to the disk. Some file systems, and Windows, cannot sync a folder, and
 * relay goes on without.
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
    // A Windows share (SMB), too, syncs only through a handle that may write, and has its own code for that.
    if (codeOf(error) === 'EACCES') await syncForWriting(path)
    else if (!unsupported.has(codeOf(error))) throw error
  } finally {
    closeSync(file)
  }
}

/** Goes on without a sync where this user may not write. */
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
      // Windows syncs only through a handle that may write.
      return openSync(path, constants.O_RDWR)
    } catch {
      // A read-only file goes without a sync.
    }
  }
  try {
    return openSync(path, constants.O_RDONLY | quiet)
  } catch (error) {
    if (codeOf(error) !== 'EACCES') throw error
    // The owner may write this file and not read it. A folder cannot be written: there the first error is the true
    // one.
    try {
      return openSync(path, constants.O_WRONLY | quiet)
    } catch (second) {
      throw codeOf(second) === 'EISDIR' ? error : second
    }
  }
}

/** Nothing is written between the two syncs, so neither waits for the other. An error waits for both. */
async function bringToDisk(file: number, folder: string | undefined): Promise<void> {
  const syncs = folder === undefined ? [flush(file)] : [flush(file), sync(folder)]
  for (const synced of await Promise.allSettled(syncs)) if (synced.status === 'rejected') throw synced.reason
}
