import { closeSync, constants, lstatSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf, systemError } from '../file-error.ts'

/**
 * Works on one name in a folder, and in that folder only: `work` gets a path that stands for the name, whatever
 * becomes of the folder's own path meanwhile.
 *
 * A folder can become a symbolic link right after a look at it. A call by its path would then follow the link, out of
 * the project. So relay holds the folder itself open, allows no link in its path, and makes the call through the open
 * folder. Only Linux can do that. Elsewhere relay compares the folder before and after, which leaves a window of one
 * call.
 *
 * Throws `EMOVED` when a link stands on the way, or the folder is not where it was.
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

interface Entered {
  readonly place: string
  /** Throws where the folder is not the one that was entered. */
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
  /** Its path when it was opened. */
  readonly at: string
}

type Held = Folder & { users: number }

/**
 * Open folders by their names. A folder is opened once for all uses at the same time or in a row, and closed as soon
 * as relay waits for something.
 */
const held = new Map<string, Held>()

/** How many idle folders stay open for a later use. */
const mostIdle = 64

function hold(name: string): Held {
  const known = held.get(name)
  // The kernel keeps this up to date: for a moved or removed folder it gives another path.
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

/** Nothing was written through it, so an error here changes nothing. */
function letGo(file: number): void {
  try {
    closeSync(file)
  } catch {
    // See above.
  }
}

/** Allows no link on the way. */
function open(folder: string): Folder {
  const file = openSync(folder, FOLDER)
  const at = readlinkSync(pathOf(file))
  if (at === folder) return { file, at }
  // The path may be another spelling of the same folder, or contain a link. Only a walk step by step tells.
  letGo(file)
  return walk(folder)
}

function walk(folder: string): Folder {
  let file = openSync('/', FOLDER)
  for (const part of folder.split('/').filter(Boolean)) {
    const above = file
    try {
      // Not joined: that would resolve `..`.
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

/** `O_PATH`, which Node does not name: with it, a folder that may not be listed can still be passed through. */
const FOLDER = constants.O_DIRECTORY | 0o10000000

function pathOf(file: number): string {
  return `/proc/self/fd/${file}`
}

let answer: boolean | undefined

/** Linux with its `/proc` can. */
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
    // The folder is gone, or is none.
  }
  throw moved()
}

function identityOf(folder: string): string {
  const real = realpathSync.native(folder)
  // The disks of these systems ignore case, so their own spelling may differ.
  if (folded(real) !== folded(folder)) throw moved()
  const { dev, ino } = lstatSync(real)
  return `${dev}:${ino}`
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
