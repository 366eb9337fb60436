/**
 * Changing the names in folders, and the folders, each in one step. A `path` is looked for here, where no link may stand on
 * the way; a `place` is in a folder that the caller already holds (`inRealFolder`).
 */
import {
  closeSync,
  constants,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { codeOf } from '../file-error.ts'
import { atOnce, isAbsent, look, setMode, unlink } from './calls.ts'
import { inRealFolder } from './real-folder.ts'

/** Some file systems have no second names, some files (of other people, with too many names) get no further one. */
export function link(existing: string, path: string): 'linked' | 'exists' | 'unsupported' {
  try {
    return inRealFolder(existing, from => inRealFolder(path, to => linked(() => linkSync(from, to))))
  } catch (error) {
    if (cannotLink.has(codeOf(error))) return 'unsupported'
    throw error
  }
}

/** For a call that makes a name, and never replaces one. */
export function linked(work: () => void): 'linked' | 'exists' {
  try {
    atOnce(work)
    return 'linked'
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'exists'
    throw error
  }
}

/** Moves a file to a name, over a file of that name. */
export function rename(from: string, to: string): 'renamed' | 'absent' {
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
export function canMove(folder: string, into: string): boolean {
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

/** Makes a folder with just that mode, where one is given; `false` when something has that name. */
export function makeFolder(place: string, mode: number | undefined): boolean {
  try {
    atOnce(() => mkdirSync(place, mode ?? 0o777))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  if (mode !== undefined) {
    const made = lstatSync(place).mode & 0o7777
    // What the umask took is given back; a bit inherited from the folder above stays.
    if ((made & 0o777) !== (mode & 0o777)) setFolderMode(place, mode | (made & 0o7000))
  }
  return true
}

/** By what is opened, for the name could be a link by now. */
export function setFolderMode(place: string, mode: number): void {
  if (process.platform === 'win32') return
  const folder = atOnce(() =>
    openSync(place, constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)),
  )
  try {
    setMode(folder, mode)
  } finally {
    closeSync(folder)
  }
}

/** Removes the name of a file; `false` where there was none. */
export function remove(path: string): boolean {
  try {
    inRealFolder(path, unlink)
    return true
  } catch (error) {
    if (wasNever(path, error)) return false
    throw error
  }
}

/** What is mounted read-only refuses to remove a name before it looks whether there is one. */
function wasNever(path: string, error: unknown): boolean {
  return isAbsent(error) || (codeOf(error) === 'EROFS' && look(path) === null)
}

/** Removes a folder that is empty, and says of another one why not. */
export function removeFolder(path: string): 'removed' | 'absent' | 'not-empty' | 'no-folder' {
  try {
    inRealFolder(path, place => atOnce(() => rmdirSync(place)))
    return 'removed'
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return 'not-empty'
    if (wasNever(path, error)) {
      const there = look(path)
      if (there === null) return 'absent'
      if (!there.isDirectory()) return 'no-folder'
    }
    throw error
  }
}

/** A link is not followed, should one have taken the file's place. */
export function touch(place: string, ms?: number): void {
  const time = ms === undefined ? new Date() : new Date(ms)
  atOnce(() => lutimesSync(place, time, time))
}

/** On Windows EISDIR is what a disk without links says (exFAT), whatever was to be linked. */
const cannotLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR'])
