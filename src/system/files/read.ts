/** Looking, which changes nothing. A file of the project is never waited for (it may be a FIFO), what the shell hands over is. */
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { RelayError } from '../../errors.ts'
import type { Inspected, Stat } from '../../ports.ts'
import { codeOf, systemError } from '../file-error.ts'
import { late } from '../late.ts'
import { again, atOnce, isAbsent } from './calls.ts'

/** What the shell hands over (`<(command)`). */
export function isHanded(path: string): boolean {
  return path.startsWith('/dev/')
}

/** Reads a regular file. A FIFO or a device that somebody put in the project is refused, for it could block for ever. */
export function readWhole(path: string, flags = 0): Uint8Array {
  const file = atOnce(() => openSync(path, constants.O_RDONLY | flags | (constants.O_NONBLOCK ?? 0)))
  try {
    const stats = fstatSync(file)
    if (stats.isDirectory()) throw systemError('EISDIR')
    if (!stats.isFile()) throw systemError('EINVAL')
    if (stats.size > largestFile) throw systemError('EHUGE')
    return readKnown(file, stats.size)
  } finally {
    closeSync(file)
  }
}

/** Reads to the end where there is one, and not much further than `most`: `/dev/zero` has none. */
export async function readHanded(path: string, most = Number.POSITIVE_INFINITY): Promise<Uint8Array | null> {
  const file = await openHanded(path)
  if (file === null) return null
  try {
    if ((await file.stat()).isDirectory()) throw systemError('EISDIR')
    const pieces: Uint8Array[] = []
    for (let size = 0; size <= most; ) {
      const piece = Buffer.allocUnsafeSlow(pipeSize)
      const { bytesRead } = await again(() => file.read(piece, 0, piece.length, null))
      if (bytesRead === 0) break
      pieces.push(piece.subarray(0, bytesRead))
      size += bytesRead
      if (size > largestRead) throw new RelayError('usage', `Cannot read ${path}: it is larger than 512 MB`)
    }
    return Buffer.concat(pieces)
  } finally {
    await file.close()
  }
}

async function openHanded(path: string): Promise<FileHandle | null> {
  try {
    return await again(() => late.files.open(path, constants.O_RDONLY))
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** As much as a pipe holds. */
const pipeSize = 64 * 1024

/**
 * Reads a file whose size is known. One byte more is asked for than it should have: a call that gives less than it was
 * asked for is the last one, so that a small file costs a single call.
 */
function readKnown(file: number, size: number): Uint8Array {
  let bytes = Buffer.allocUnsafeSlow(Math.min(size, largestRead) + 1)
  let done = 0
  for (;;) {
    const bytesRead = atOnce(() => readSync(file, bytes, done, bytes.length - done, done))
    done += bytesRead
    // Some file systems give no size: there only a call that gives nothing tells the end.
    if (bytesRead === 0 || (size > 0 && done >= size && done < bytes.length)) return bytes.subarray(0, done)
    if (done === bytes.length) bytes = Buffer.concat([bytes], Math.min(done * 2, done + largestRead) + 4096)
  }
}

const largestRead = 512 * 1024 * 1024

/** No entry holds as much, and neither does a buffer of every runtime. */
const largestFile = 2 * 1024 * 1024 * 1024

/** What is at a place in a folder that the caller holds, with its content; no link is followed. */
export function inspect(place: string): Inspected {
  const { kind, size } = statOf(atOnce(() => lstatSync(place)))
  if (kind === 'link') return { kind, to: atOnce(() => readlinkSync(place)) }
  // Whatever it is, relay has not written it.
  if (kind === 'file' && size > largestFile) return { kind: 'other' }
  // Should a link take its place at this moment, opening it fails.
  return kind === 'file' ? { kind, bytes: readWhole(place, constants.O_NOFOLLOW ?? 0) } : { kind }
}

/** What the system says of a file, in our words. */
export function statAt(path: string, stats: Stats): Stat {
  return { ...statOf(stats), inode: inodeOf(path, stats) }
}

/** Overlays and NTFS number files beyond what a number can hold: rounded, one file looks like another. */
function inodeOf(path: string, { ino }: Stats): number | bigint {
  if (Number.isSafeInteger(ino)) return ino
  return atOnce(() => lstatSync(path, { bigint: true, throwIfNoEntry: false }))?.ino ?? ino
}

function statOf(stats: Stats): Omit<Stat, 'inode'> {
  return {
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other',
    mode: stats.mode & 0o7777,
    size: stats.size,
    device: stats.dev,
    links: stats.nlink,
    uid: stats.uid,
    gid: stats.gid,
    modifiedMs: stats.mtimeMs,
    changedMs: stats.ctimeMs,
  }
}

/** `false` where permission alone is lacking: what else is wrong is said best by the write. */
export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch (error) {
    return !['EACCES', 'EPERM'].includes(codeOf(error))
  }
}

/** Where a path leads in the end; `null` where its links lead in a circle. */
export function realPath(path: string): string | null {
  try {
    return atOnce(() => realpathSync.native(path))
  } catch (error) {
    // Links in a circle lead nowhere.
    if (codeOf(error) === 'ELOOP') return null
    throw error
  }
}
