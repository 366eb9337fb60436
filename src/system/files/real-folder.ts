import { closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf, systemError } from '../file-error.ts'

/**
 * Works on one name in a folder, and in that folder only: `work` gets a path that stands for the name whatever
 * becomes of the folder's own path meanwhile.
 *
 * A folder that was looked at can be a symbolic link a moment later, and a call by its path would then follow it, out
 * of the project. So the folder itself is held open, no part of its path may be a link, and the call goes through what
 * is held. Linux can do that; elsewhere the folder is compared before and after, which leaves a window of one call.
 *
 * Throws `EMOVED` when a link stands on the way, or the folder is somewhere else than it was.
 */
export function inRealFolder<T>(path: string, work: (place: string) => T): T {
  const folder = enter(path)
  try {
    const result = work(folder.place)
    folder.mustStay()
    return result
  } finally {
    folder.leave()
  }
}

/** The same for work that waits for something. */
export async function whileInRealFolder<T>(path: string, work: (place: string) => Promise<T>): Promise<T> {
  const folder = enter(path)
  try {
    const result = await work(folder.place)
    folder.mustStay()
    return result
  } finally {
    folder.leave()
  }
}

/** A folder in which something is done. */
interface Entered {
  readonly place: string
  /** Throws where it is not what it was when it was entered. */
  mustStay(): void
  leave(): void
}

function enter(path: string): Entered {
  const name = dirname(path)
  if (canHold()) {
    const folder = hold(name)
    const place = `${pathOf(folder.file)}/${basename(path)}`
    return { place, mustStay() {}, leave: () => release(folder) }
  }
  const before = identityOf(name)
  return { place: path, mustStay: () => mustBeTheSame(name, before), leave() {} }
}

function moved(): NodeJS.ErrnoException {
  return systemError('EMOVED')
}

// ── Where a folder that is held has a path of its own ──────────────────────────────────────────

interface Folder {
  readonly file: number
  /** Where it was when it was opened. */
  readonly at: string
}

type Held = Folder & { users: number }

/**
 * Folders that are open, by their names. One is opened once for all that is done in it at a time or in a row, and closed
 * as soon as relay waits for something.
 */
const held = new Map<string, Held>()

/** More than so many are not kept open for what might come. */
const mostIdle = 64

function hold(name: string): Held {
  const known = held.get(name)
  // The kernel keeps this up to date: a folder that was moved, or removed, is somewhere else.
  const isThere = known !== undefined && readlinkSync(pathOf(known.file)) === known.at
  if (known !== undefined && !isThere && known.users > 0) throw moved()
  const folder = isThere ? known : { ...open(name), users: 0 }
  if (known !== undefined && !isThere) letGo(known.file)
  held.set(name, folder)
  folder.users += 1
  return folder
}

let willClose = false

function release(folder: Held): void {
  folder.users -= 1
  if (folder.users > 0) return
  if (held.size > mostIdle) closeIdle()
  if (willClose) return
  willClose = true
  setImmediate(() => {
    willClose = false
    closeIdle()
  })
}

function closeIdle(): void {
  for (const [name, { file, users }] of held) {
    if (users > 0) continue
    held.delete(name)
    letGo(file)
  }
}

/** Nothing was written through it: whatever this says, the work is done. */
function letGo(file: number): void {
  try {
    closeSync(file)
  } catch {
    // See above.
  }
}

/** Opens a folder with no link on the way to it. */
function open(folder: string): Folder {
  const file = openSync(folder, FOLDER)
  const at = readlinkSync(pathOf(file))
  if (at === folder) return { file, at }
  // Another spelling of the same folder, or a link: only going there step by step tells.
  letGo(file)
  return walk(folder)
}

function walk(folder: string): Folder {
  let file = openSync('/', FOLDER)
  for (const part of folder.split('/').filter(Boolean)) {
    const above = file
    try {
      // Not joined: `..` would be taken for the folder of what is held.
      file = openSync(`${pathOf(above)}/${part}`, FOLDER | constants.O_NOFOLLOW)
    } catch (error) {
      const code = codeOf(error)
      const isLink = () => lstatSync(`${pathOf(above)}/${part}`).isSymbolicLink()
      throw (code === 'ENOTDIR' || code === 'ELOOP') && isLink() ? moved() : error
    } finally {
      letGo(above)
    }
  }
  return { file, at: readlinkSync(pathOf(file)) }
}

/** `O_PATH`, which Node does not name: to pass through a folder needs no right to list it. */
const FOLDER = constants.O_DIRECTORY | 0o10000000

function pathOf(file: number): string {
  return `/proc/self/fd/${file}`
}

let answer: boolean | undefined

/** Linux with its `/proc`. */
function canHold(): boolean {
  answer ??= process.platform === 'linux' && probe()
  return answer
}

function probe(): boolean {
  try {
    const fd = openSync('/', FOLDER)
    try {
      return readlinkSync(pathOf(fd)) === '/' && statSync(join(pathOf(fd), 'proc')).isDirectory()
    } finally {
      closeSync(fd)
    }
  } catch {
    return false
  }
}

// ── Elsewhere ──────────────────────────────────────────────────────────────────────────────────

function mustBeTheSame(folder: string, before: string): void {
  try {
    if (identityOf(folder) === before) return
  } catch {
    // Not there any more, or no folder.
  }
  throw moved()
}

function identityOf(folder: string): string {
  const real = realpathSync.native(folder)
  // These systems have case-insensitive disks: their own spelling may be another one.
  if (folded(real) !== folded(folder)) throw moved()
  const { dev, ino } = lstatSync(real)
  return `${dev}:${ino}`
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
