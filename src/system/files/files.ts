import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  ftruncateSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  open,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RelayError } from '../../errors.ts'
import type { CreateOptions, Files, Inspected, Stat } from '../../ports.ts'
import { codeOf, type FileVerb, fileError, systemError } from '../file-error.ts'
import { late } from '../late.ts'
import { inRealFolder, whileInRealFolder } from './real-folder.ts'
import { turnstile } from './turnstile.ts'

/** More open files than this at a time gain nothing, and the usual limit of a process is 1024, or 256 on macOS. */
const openFiles = 64

/** What stays so is looked at so many times, so many milliseconds apart. */
const [looks, apartMs] = [10, 15]

/**
 * The real file system. Messages name paths as they are seen from the folder `from`.
 *
 * Only what has to wait for the disk itself, or could wait for ever, goes by the runtime's threads: syncs, new files, and
 * what the shell hands over. For the small files of a project the way to a thread and back costs ten times what another
 * call does, and ten thousand files take half a million calls.
 */
export function systemFiles(from: string): Files {
  const turn = turnstile(openFiles)
  const breathe = breather()
  const door = async <T>(verb: FileVerb, path: string, work: () => T, to?: string): Promise<T> => {
    const pause = breathe()
    if (pause !== undefined) await pause
    try {
      return work()
    } catch (error) {
      throw fileError(error, verb, path, from, to)
    }
  }
  /** For what waits with a file open: only so many at a time. */
  const slowDoor = <T>(verb: FileVerb, path: string, work: () => Promise<T>): Promise<T> =>
    turn(async () => {
      await breathe()
      try {
        return await work()
      } catch (error) {
        throw fileError(error, verb, path, from)
      }
    })

  const stat = (path: string) =>
    door('read', path, () => {
      const stats = look(path)
      return stats === null ? null : statOf(stats)
    })

  return {
    read: (path, most) =>
      isHanded(path)
        ? slowDoor('read', path, () => readHanded(path, most))
        : door('read', path, () => nullWhenAbsent(() => readWhole(path))),
    stat,
    stays: async (path, isSo) => {
      for (let look = 0; look < looks; look++) {
        if (!isSo(await stat(path))) return false
        await sleep(apartMs)
      }
      return true
    },
    mayWrite: path => door('read', path, () => mayWrite(path)),
    readLink: path => door('read', path, () => atOnce(() => readlinkSync(path))),
    inspect: path => door('read', path, () => nullWhenAbsent(() => inRealFolder(path, inspect))),
    list: path => door('list', path, () => nullWhenAbsent(() => atOnce(() => readdirSync(path)))),
    create: (path, bytes, options = {}) =>
      slowDoor('write', options.standsFor ?? path, () =>
        whileInRealFolder(path, place => create(place, bytes, options)),
      ),
    replace: (path, bytes, temporary, options = {}) =>
      slowDoor('write', path, () => replace(path, bytes, temporary, options)),
    append: (path, bytes, options = {}) => slowDoor('add to', path, () => append(path, bytes, options)),
    link: (existing, path) => door('link', path, () => link(existing, path)),
    symlink: (to, path) => door('link', path, () => inRealFolder(path, place => linked(() => symlinkSync(to, place)))),
    rename: (from, to) => door('move', from, () => rename(from, to), to),
    canMove: (folder, into) => door('read', into, () => canMove(folder, into)),
    touch: path => door('write', path, () => inRealFolder(path, touch)),
    remove: path => door('remove', path, () => nullWhenAbsent(() => inRealFolder(path, unlink)) !== null),
    makeFolder: (path, mode) => door('make folder', path, () => inRealFolder(path, place => makeFolder(place, mode))),
    makePrivate: path => door('make folder', path, () => inRealFolder(path, place => setFolderMode(place, 0o700))),
    removeFolder: path => door('remove', path, () => removeFolder(path)),
    sync: path => slowDoor('sync', path, () => sync(path)),
    realPath: path => door('find', path, () => nullWhenAbsent(() => realPath(path))),
  }
}

/** A copy takes several turns to arrive, and another one may follow within some ten milliseconds. */
const turnMs = 5

/**
 * Lets others have a turn (signals, the live line, the next copy on its way from the display) where work that does not
 * wait goes on for long.
 */
function breather(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < turnMs) return undefined
    return new Promise(resolve =>
      setImmediate(() => {
        since = performance.now()
        resolve()
      }),
    )
  }
}

/** What the shell hands over (`<(command)`). */
function isHanded(path: string): boolean {
  return path.startsWith('/dev/')
}

/** Reads a regular file. A FIFO or a device that somebody put in the project is refused, for it could block for ever. */
function readWhole(path: string, flags = 0): Uint8Array {
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
async function readHanded(path: string, most = Number.POSITIVE_INFINITY): Promise<Uint8Array | null> {
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

function inspect(path: string): Inspected {
  const { kind, size } = statOf(atOnce(() => lstatSync(path)))
  if (kind === 'link') return { kind, to: atOnce(() => readlinkSync(path)) }
  // Whatever it is, relay has not written it.
  if (kind === 'file' && size > largestFile) return { kind: 'other' }
  // Should a link take its place at this moment, opening it fails.
  return kind === 'file' ? { kind, bytes: readWhole(path, constants.O_NOFOLLOW ?? 0) } : { kind }
}

async function create(path: string, bytes: Uint8Array, options: CreateOptions): Promise<'created' | 'exists'> {
  let file: number
  try {
    file = await again(() => openNew(path, options.mode ?? 0o666))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'exists'
    throw error
  }
  try {
    try {
      writeAll(file, bytes)
      if (options.owner !== undefined) giveTo(file, options.owner)
      if (options.mode !== undefined) setMode(file, options.mode)
      if (options.sync !== false) await bringToDisk(file, options.sync === 'name' ? dirname(path) : undefined)
    } finally {
      // Network file systems report a full disk only here.
      closeSync(file)
    }
  } catch (error) {
    try {
      unlink(path)
    } catch {
      // The first error is the one that tells.
    }
    throw error
  }
  return 'created'
}

/** Where a file system takes long to make a file (a shared folder, a disk without a journal), several are made at a time. */
function openNew(path: string, mode: number): Promise<number> {
  return new Promise((resolve, reject) =>
    open(path, 'wx', mode, (error, file) => (error ? reject(error) : resolve(file))),
  )
}

async function replace(path: string, bytes: Uint8Array, temporary: string, options: CreateOptions): Promise<void> {
  const replaceIn = (aside: string) => async (place: string) => {
    if ((await create(aside, bytes, options)) === 'exists') {
      // Left over by a relay that was killed here.
      unlink(aside)
      if ((await create(aside, bytes, options)) === 'exists') throw systemError('EEXIST')
    }
    try {
      atOnce(() => renameSync(aside, place))
    } catch (error) {
      try {
        unlink(aside)
      } catch {
        // See above.
      }
      throw error
    }
  }
  await whileInRealFolder(temporary, aside => whileInRealFolder(path, replaceIn(aside)))
  if (options.sync !== false) await sync(dirname(path))
}

async function append(path: string, bytes: Uint8Array, options: Pick<CreateOptions, 'sync'>): Promise<void> {
  const wasEmpty = await whileInRealFolder(path, async place => {
    const file = atOnce(() => openSync(place, APPEND, 0o600))
    try {
      const before = fstatSync(file).size
      try {
        writeAll(file, bytes)
        if (options.sync !== false) await flush(file)
      } catch (error) {
        // Half a line would be taken for a whole one.
        cutTo(file, before)
        throw error
      }
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

function cutTo(file: number, size: number): void {
  try {
    ftruncateSync(file, size)
  } catch {
    // What is wrong with the disk is already known.
  }
}

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

/** Sets the mode of a file of our own: only a file system that knows no modes refuses that. */
function setMode(file: number, mode: number): void {
  try {
    atOnce(() => fchmodSync(file, mode))
  } catch (error) {
    if (!unsupported.has(codeOf(error))) throw error
  }
}

/** Some file systems have no second names, some files (of other people, with too many names) get no further one. */
function link(existing: string, path: string): 'linked' | 'exists' | 'unsupported' {
  try {
    return inRealFolder(existing, from => inRealFolder(path, to => linked(() => linkSync(from, to))))
  } catch (error) {
    if (cannotLink.has(codeOf(error))) return 'unsupported'
    throw error
  }
}

function rename(from: string, to: string): 'renamed' | 'absent' {
  try {
    inRealFolder(from, source => inRealFolder(to, target => move(source, target)))
    return 'renamed'
  } catch (error) {
    if (isAbsent(error) && look(from) === null) return 'absent'
    throw error
  }
}

function move(from: string, to: string): void {
  atOnce(() => renameSync(from, to))
  // The system takes two names of one file for "nothing to do" and leaves both.
  const left = look(from)
  if (left !== null && left.nlink > 1 && isSecondName(left, from, to)) unlink(from)
}

/** Whether two paths are two entries of one file, and not one entry in two spellings. */
function isSecondName(left: Stats, from: string, to: string): boolean {
  const moved = look(to)
  if (moved === null || moved.ino !== left.ino || moved.dev !== left.dev) return false
  const folded = (path: string) => basename(path).normalize('NFKC').toLowerCase()
  if (folded(from) !== folded(to)) return true
  return realpathSync.native(dirname(from)) !== realpathSync.native(dirname(to))
}

/**
 * A folder of the same device can be mounted below the root (a bind mount, a container's volume), and then has the
 * same device number; but nothing can be moved across. A rename of what is not there changes nothing, and the kernel
 * compares the mounts before it looks for the file.
 */
function canMove(folder: string, into: string): boolean {
  const [here, there] = [look(folder), look(into)]
  if (here === null || there === null) return true
  if (here.dev !== there.dev) return false
  const name = `.relay-${process.pid}-nothing`
  try {
    atOnce(() => renameSync(join(folder, name), join(into, name)))
  } catch (error) {
    if (codeOf(error) === 'EXDEV') return false
    // What these forbid is said best by the step that needs it.
    if (!isAbsent(error) && !['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error
  }
  return true
}

function makeFolder(path: string, mode: number | undefined): boolean {
  try {
    atOnce(() => mkdirSync(path, mode ?? 0o777))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  if (mode !== undefined) {
    const made = lstatSync(path).mode & 0o7777
    // What the umask took is given back; a bit inherited from the folder above stays.
    if ((made & 0o777) !== (mode & 0o777)) setFolderMode(path, mode | (made & 0o7000))
  }
  return true
}

function realPath(path: string): string | null {
  try {
    return atOnce(() => realpathSync.native(path))
  } catch (error) {
    // Links in a circle lead nowhere.
    if (codeOf(error) === 'ELOOP') return null
    throw error
  }
}

/** By what is opened, for the name could be a link by now. */
function setFolderMode(path: string, mode: number): void {
  if (process.platform === 'win32') return
  const folder = atOnce(() =>
    openSync(path, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)),
  )
  try {
    setMode(folder, mode)
  } finally {
    closeSync(folder)
  }
}

function removeFolder(path: string): 'removed' | 'absent' | 'not-empty' | 'no-folder' {
  try {
    inRealFolder(path, place => atOnce(() => rmdirSync(place)))
    return 'removed'
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return 'not-empty'
    if (isAbsent(error)) {
      const there = look(path)
      if (there === null) return 'absent'
      if (!there.isDirectory()) return 'no-folder'
    }
    throw error
  }
}

/** Some file systems, and Windows, cannot sync a folder; there is nothing to be done about it. */
async function sync(path: string): Promise<void> {
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
    if (!unsupported.has(codeOf(error))) throw error
  } finally {
    closeSync(file)
  }
}

function openForSync(path: string): number {
  const quiet = constants.O_NONBLOCK ?? 0
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

/** Waits until the disk has it; meanwhile other work goes on. */
async function flush(file: number): Promise<void> {
  await again(() => new Promise<void>((resolve, reject) => fsync(file, error => (error ? reject(error) : resolve()))))
}

/** A link is not followed, should one have taken the file's place. */
function touch(path: string): void {
  const now = new Date()
  atOnce(() => lutimesSync(path, now, now))
}

function unlink(path: string): void {
  atOnce(() => unlinkSync(path))
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch (error) {
    return !['EACCES', 'EPERM'].includes(codeOf(error))
  }
}

/** What is at a path, links not followed. */
function look(path: string): Stats | null {
  // An error for each place where nothing is would take longer than all the looks.
  return nullWhenAbsent(() => atOnce(() => lstatSync(path, { throwIfNoEntry: false })) ?? null)
}

function statOf(stats: Stats): Stat {
  return {
    kind: stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other',
    mode: stats.mode & 0o7777,
    size: stats.size,
    device: stats.dev,
    inode: stats.ino,
    links: stats.nlink,
    uid: stats.uid,
    gid: stats.gid,
    modifiedMs: stats.mtimeMs,
    changedMs: stats.ctimeMs,
  }
}

function linked(work: () => void): 'linked' | 'exists' {
  try {
    atOnce(work)
    return 'linked'
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'exists'
    throw error
  }
}

/** Only these two mean that nothing is there. Any other error must never be taken for that. */
function nullWhenAbsent<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (isAbsent(error)) return null
    throw error
  }
}

/** Repeats a call that was only interrupted. */
async function again<T>(call: () => Promise<T>): Promise<T> {
  for (let left = 100; ; left--) {
    try {
      return await call()
    } catch (error) {
      if (left === 0 || !isInterrupted(error)) throw error
    }
  }
}

/** The same for a call that does not wait for a thread. */
function atOnce<T>(call: () => T): T {
  for (let left = 100; ; left--) {
    try {
      return call()
    } catch (error) {
      if (left === 0 || !isInterrupted(error)) throw error
    }
  }
}

function isInterrupted(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'EINTR' || code === 'EAGAIN'
}

const unsupported = new Set(['EINVAL', 'ENOSYS', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP'])
const cannotLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

function isAbsent(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}
