import { accessSync, constants, statfsSync } from 'node:fs'
import { constants as numbers } from 'node:os'
import { dirname, isAbsolute, relative, sep } from 'node:path'
import { RelayError } from '../errors.ts'
import { foldersFrom } from '../ground/paths.ts'
import { shellWord } from '../ground/words.ts'

/** The word that stands after "Cannot". */
export type FileVerb =
  | 'read'
  | 'write'
  | 'add to'
  | 'list'
  | 'link'
  | 'move'
  | 'remove'
  | 'make folder'
  | 'sync'
  | 'find'

/**
 * Puts a failed call of the file system in words: what was tried, on which path, why it failed, what to do.
 *
 * The original error stays as the cause. Callers read its code (`EXDEV`, `ENOSPC`). `to` is the target of a move.
 */
export function fileError(thrown: unknown, verb: FileVerb, path: string, from: string, to?: string): RelayError {
  if (thrown instanceof RelayError) return thrown
  const shown = seenFrom(from, path)
  const code = codeOf(thrown)
  const cause = isNamed(thrown, code) ? thrown : Object.assign(systemError(code), { cause: thrown })
  const reason = reasons[code]
  if (reason === undefined) {
    return new RelayError('failed', `Cannot ${verb} ${shown}: ${code === '' ? String(cause) : code}`, { cause })
  }
  const { kind, text, hint } = reason
  const said = typeof hint === 'function' ? hint(name => seenFrom(from, name), verb, path, to) : hint
  return new RelayError(kind, `Cannot ${verb} ${shown}: ${text}`, { hint: said, cause })
}

interface Reason {
  readonly kind: 'environment' | 'conflict' | 'failed'
  readonly text: string
  readonly hint: Hint | string | undefined
}

type Hint = (shown: (path: string) => string, verb: FileVerb, path: string, to: string | undefined) => string

const diskFull = 'Free some space, then try again.'
const noInodes = 'Remove some files, then try again: it has room, but not for another file (`df -i`).'
export const closeOthers = 'Close other programs, then try again.'

const onWindows = process.platform === 'win32'
const onLinux = process.platform === 'linux'
const onMac = process.platform === 'darwin'

export const manyFiles = {
  text: 'too many files are open',
  hint: onWindows ? closeOthers : 'Raise the limit: `ulimit -n 4096`',
} as const

const owner: Hint = (shown, verb, path, to) => {
  const found = forbidding(verb, path, to)
  if (onWindows) return `Look who may change it: \`icacls "${shown(found)}"\``
  const whose = found === path ? 'its owner and mode' : "the folder's owner and mode"
  return `Look at ${whose}: \`ls -ld -- ${shellWord(shown(found))}\``
}

/**
 * For what modes alone forbid there is another error. Here the cause is a sticky folder, or an attribute (`chattr
 * +i`). Windows has one error for all of these, and often gives it for an open file too.
 */
const attributes: Hint = (shown, verb, path) => {
  if (onWindows) return `Close what has it open. If nothing has, look who may change it: \`icacls "${shown(path)}"\``
  const names = (namings.has(verb) ? [dirname(path), path] : [path]).map(name => shellWord(shown(name))).join(' ')
  return onLinux
    ? `Look at owners, modes and attributes: \`ls -ld -- ${names}; lsattr -d -- ${names}\``
    : `Look at owners, modes and flags: \`ls -ldO -- ${names}\`${onMac ? '; or your terminal may not go there: System Settings, Privacy & Security' : ''}`
}

/** The folder is not where it was: a part of its path is a link, or another folder. */
const folders: Hint = (shown, _verb, path) => {
  if (onLinux) return `Look at its folders: \`namei -l -- ${shellWord(shown(path))}\``
  const way = foldersFrom(dirname(path)).map(folder => shellWord(shown(folder)))
  return onWindows ? 'Look at its folders.' : `Look at its folders: \`ls -ld -- ${way.join(' ')}\``
}

const circle: Hint = (shown, _verb, path) => {
  const what = 'Remove the link that leads back to itself, or mend it'
  if (onWindows) return `${what}.`
  const way = [path, ...foldersFrom(dirname(path))].map(name => shellWord(shown(name)))
  return `${what}: \`${onLinux ? `namei -l -- ${way[0]}` : `ls -ld -- ${way.join(' ')}`}\``
}

/**
 * A container can have a single file mounted into its project: nobody can close such a file, and nothing can replace
 * it.
 */
const inUse: Hint = (shown, _verb, path) =>
  onLinux
    ? `Close what uses it, or see whether it is a mount of its own: \`findmnt -T ${shellWord(shown(path))}\``
    : 'Close what uses it, then try again.'

/** The fault is the machine's, not the file's. */
function lacking(text: string, hint?: Hint | string): Reason {
  return { kind: 'environment', text, hint }
}

function failing(text: string, hint?: Hint | string): Reason {
  return { kind: 'failed', text, hint }
}

/** The server, or the program behind the mount, does not answer. What was done is seen once it answers again. */
const cutOff = lacking('its file system does not answer', 'Connect it again, or mount it again, then try again.')

const gone = lacking('its disk is gone', 'Connect it and mount it again, then try again.')

/** The structures of the file system, or their checksums, are wrong. */
const damaged = lacking(
  'the file system is damaged',
  'Copy what you need elsewhere, then have the file system repaired.',
)

/** Linux has one number for both names; macOS has two. */
const unable = lacking('its file system cannot do that', 'Move the project to another file system.')

const mounts: Hint = (shown, _verb, path) => {
  const where = shellWord(shown(path))
  if (onWindows) return 'Keep all of the project on one drive.'
  return `Look at what is mounted there: \`${onLinux ? `findmnt -T ${where}` : `df -- ${where}`}\``
}

const systemLog = `Look at the system log: \`${onWindows ? 'eventvwr' : onLinux ? 'dmesg | tail' : 'sudo dmesg | tail'}\``

const reasons: Readonly<Record<string, Reason>> = {
  ENOSPC: lacking('the disk is full', (_shown, _verb, path) => (hasInodes(path) ? diskFull : noInodes)),
  EDQUOT: lacking('the disk quota is used up', diskFull),
  EFBIG: lacking(`the file is too large for this file system${onWindows ? '' : ', or for `ulimit -f`'}`),
  EHUGE: failing('it is larger than 2 GB', 'Move it away, then try again.'),
  EACCES: lacking('permission denied', owner),
  EPERM: lacking('the operation is not permitted', attributes),
  EROFS: lacking('the file system is read-only', 'Mount it writable, then try again.'),
  EMFILE: lacking(manyFiles.text, manyFiles.hint),
  ENFILE: lacking(manyFiles.text, closeOthers),
  ENOMEM: lacking('the memory is used up', closeOthers),
  EIO: lacking('the disk reports an error', systemLog),
  EREMOTEIO: lacking('its disk or server reports an error', systemLog),
  EUCLEAN: damaged,
  EBADMSG: damaged,
  ENXIO: gone,
  ENODEV: gone,
  ENOKEY: lacking('its folder is encrypted, and locked', 'Unlock it, then try again.'),
  EBUSY: lacking('it is in use', inUse),
  ETXTBSY: lacking('it is a program that runs', 'End it, then try again.'),
  ESTALE: lacking('the network file system lost it', 'Mount it again, then try again.'),
  ENOTCONN: cutOff,
  EHOSTDOWN: cutOff,
  EHOSTUNREACH: cutOff,
  ECONNREFUSED: cutOff,
  ETIMEDOUT: cutOff,
  ENOTSUP: unable,
  EOPNOTSUPP: unable,
  EXDEV: lacking('its folder is mounted, or has a quota, of its own', mounts),
  ENAMETOOLONG: failing('the name is too long'),
  EILSEQ: failing('the file system does not take such a name', 'Give it another name.'),
  EINVAL: failing('the file system does not take it'),
  EISDIR: failing('it is a folder'),
  ENOTDIR: failing('a part of the path is no folder'),
  ENOENT: failing('there is no such file or folder', folders),
  EEXIST: failing('something is in the way'),
  ENOTEMPTY: failing('the folder is not empty'),
  ELOOP: failing('its symbolic links lead in a circle', circle),
  EMOVED: { kind: 'conflict', text: 'a folder on its path is a symbolic link, or is elsewhere now', hint: folders },
  EMLINK: failing('it has too many names already'),
}

/** These change the names in a folder, so the folder has to allow them. */
const namings: ReadonlySet<FileVerb> = new Set<FileVerb>(['write', 'link', 'move', 'remove', 'make folder'])

/** Finds what lacks the permission: a folder on the way, the folder itself where its names change, or the file. */
function forbidding(verb: FileVerb, path: string, to: string | undefined): string {
  for (const each of to === undefined ? [path] : [path, to]) {
    const folder = dirname(each)
    const closed = foldersFrom(folder).findLast(above => lacks(above, constants.X_OK))
    if (closed !== undefined) return closed
    if (!namings.has(verb)) return path
    if (lacks(folder, constants.W_OK)) return folder
  }
  // The cause cannot be seen from here: a sticky folder, an attribute, or a rule of the system.
  return namings.has(verb) ? dirname(path) : path
}

function lacks(path: string, permission: number): boolean {
  try {
    accessSync(path, permission)
    return false
  } catch (error) {
    return codeOf(error) === 'EACCES'
  }
}

/**
 * Tells whether another file can be made, where a disk has a limited number. A file system without a limit reports 0.
 */
function hasInodes(path: string): boolean {
  for (const folder of foldersFrom(dirname(path))) {
    try {
      const { files, ffree } = statfsSync(folder)
      return files === 0 || ffree > 0
    } catch {
      // The folder does not exist yet, or no longer.
    }
  }
  return true
}

/** The path as seen from the folder `from`; a path outside of it stays whole. */
function seenFrom(from: string, path: string): string {
  const way = relative(from, path)
  return way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) ? path : way
}

/** The code of an error (`ENOENT`), as far as the error says one. */
export function codeOf(error: unknown): string {
  const { code = '', errno = 0 } = (error as NodeJS.ErrnoException | undefined) ?? {}
  return isUnnamed.test(code) ? (names.get(-errno) ?? code) : code
}

/** Node knows some errors only by their number: a quota that is used up, a network file that was lost. */
const isUnnamed = /^(?:UNKNOWN$|Unknown system error)/
/** Only Linux has these, and Node lists neither. */
const unlisted = onLinux ? { EUCLEAN: 117, ENOKEY: 126 } : {}
const names: ReadonlyMap<number, string> = new Map(
  Object.entries({ ...numbers.errno, ...unlisted }).map(([name, number]) => [number, name]),
)

function isNamed(error: unknown, code: string): boolean {
  return code === ((error as NodeJS.ErrnoException | undefined)?.code ?? '')
}

export function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code })
}
