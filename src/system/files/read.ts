/**
 * Reads, and changes nothing. Relay never waits for a file of the project, which may be a FIFO. It does wait for what
 * the shell passes.
 */
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

/** What the shell passes for `<(command)`. */
export function isHanded(path: string): boolean {
  return path.startsWith('/dev/')
}

/** Refuses a FIFO or a device in the project, which could block for ever. */
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

/** Reads to the end where there is one, or a little past `most`: `/dev/zero` has no end. */
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

const pipeSize = 64 * 1024

/**
 * Reads a file of known size. It asks for one byte more than that: a call that gives less than asked for is the last
 * one, so a small file costs a single call.
 */
function readKnown(file: number, size: number): Uint8Array {
  let bytes = Buffer.allocUnsafeSlow(Math.min(size, largestRead) + 1)
  let done = 0
  for (;;) {
    const bytesRead = atOnce(() => readSync(file, bytes, done, bytes.length - done, done))
    done += bytesRead
    // Some file systems give no size: there only a call that gives nothing marks the end.
    if (bytesRead === 0 || (size > 0 && done >= size && done < bytes.length)) return bytes.subarray(0, done)
    if (done === bytes.length) bytes = Buffer.concat([bytes], Math.min(done * 2, done + largestRead) + 4096)
  }
}

const largestRead = 512 * 1024 * 1024

/** No entry holds as much, and not every runtime has such a buffer. */
const largestFile = 2 * 1024 * 1024 * 1024

/** Reads what is at a place in a folder that the caller holds, and follows no link. */
export function inspect(place: string): Inspected {
  const { kind, size } = statOf(atOnce(() => lstatSync(place)))
  if (kind === 'link') return { kind, to: atOnce(() => readlinkSync(place)) }
  // Relay has not written a file of this size.
  if (kind === 'file' && size > largestFile) return { kind: 'other' }
  // If a link takes its place at this moment, opening it fails.
  return kind === 'file' ? { kind, bytes: readWhole(place, constants.O_NOFOLLOW ?? 0) } : { kind }
}

export function statAt(path: string, stats: Stats): Stat {
  return { ...statOf(stats), inode: inodeOf(path, stats) }
}

/** Overlays and NTFS use inode numbers beyond the safe integers: rounded, one file looks like another. */
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

/** `false` only for a missing permission. The write itself reports other faults best. */
export function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch (error) {
    return !['EACCES', 'EPERM'].includes(codeOf(error))
  }
}

/** `null` where the links of a path form a circle. */
export function realPath(path: string): string | null {
  try {
    return atOnce(() => realpathSync.native(path))
  } catch (error) {
    if (codeOf(error) === 'ELOOP') return null
    throw error
  }
}
