/**
 * Changes names in folders, and folders, each in one step. A `path` is resolved here, and no link may stand on the
 * way. A `place` is in a folder that the caller already holds (`inRealFolder`).
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

/**
 * Some file systems have no second names. Some files get no further one: files of other people, and files with too
 * many names.
 */
export function link(existing: string, path: string): 'linked' | 'exists' | 'unsupported' {
  try {
    return inRealFolder(existing, from => inRealFolder(path, to => linked(() => linkSync(from, to))))
  } catch (error) {
    if (cannotLink.has(codeOf(error))) return 'unsupported'
    throw error
  }
}

/** For a call that makes a name and never replaces one. */
export function linked(work: () => void): 'linked' | 'exists' {
  try {
    atOnce(work)
    return 'linked'
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return 'exists'
    throw error
  }
}

/** Replaces a file of the new name. */
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
  // For two names of one file the system does nothing, and leaves both.
  const left = look(from)
  if (left !== null && left.nlink > 1 && isSecondName(left, from, to)) unlink(from)
}

/** `false` for one entry in two spellings. */
function isSecondName(left: Stats, from: string, to: string): boolean {
  const moved = look(to)
  if (moved === null || moved.ino !== left.ino || moved.dev !== left.dev) return false
  const folded = (path: string) => basename(path).normalize('NFKC').toLowerCase()
  if (folded(from) !== folded(to)) return true
  return realpathSync.native(dirname(from)) !== realpathSync.native(dirname(to))
}

/**
 * Below the root, a folder of the same device can be mounted (a bind mount, a container's volume). It has the same
 * device number, but nothing can be moved across. To rename a missing file changes nothing, and the kernel compares
 * the mounts before it looks for the file.
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
    // The step that meets these errors reports them best.
    if (!isAbsent(error) && !['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error
  }
  return true
}

/** Makes a folder with exactly this mode, where one is given; `false` when the name is taken. */
export function makeFolder(place: string, mode: number | undefined): boolean {
  try {
    atOnce(() => mkdirSync(place, mode ?? 0o777))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
  if (mode !== undefined) {
    const made = lstatSync(place).mode & 0o7777
    // This restores the bits that the umask took; a bit inherited from the folder above stays.
    if ((made & 0o777) !== (mode & 0o777)) setFolderMode(place, mode | (made & 0o7000))
  }
  return true
}

/** Works on the open folder, because the name could be a link by now. */
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

/** `false` where there was no such name. */
export function remove(path: string): boolean {
  try {
    inRealFolder(path, unlink)
    return true
  } catch (error) {
    if (wasNever(path, error)) return false
    throw error
  }
}

/** A read-only mount refuses to remove a name before it looks whether the name exists. */
function wasNever(path: string, error: unknown): boolean {
  return isAbsent(error) || (codeOf(error) === 'EROFS' && look(path) === null)
}

/** Removes only an empty folder, and says why it did not remove another one. */
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

/** Does not follow a link, should one have taken the file's place. */
export function touch(place: string, ms?: number): void {
  const time = ms === undefined ? new Date() : new Date(ms)
  atOnce(() => lutimesSync(place, time, time))
}

/** On Windows a disk without links (exFAT) answers EISDIR, whatever relay tried to link. */
const cannotLink = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EISDIR'])
