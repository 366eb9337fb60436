import { isAbsolute, relative } from 'node:path'
import { RelayError } from '../errors.ts'

/** What was tried, as the word that stands after "Cannot". */
export type FileVerb = 'read' | 'write' | 'list' | 'link' | 'move' | 'remove' | 'make folder' | 'sync' | 'find'

/**
 * Says a failed call of the file system in words: what was tried, on which path, why it failed, what to do.
 *
 * The original stays as the cause, with its code (`EXDEV`, `ENOSPC`) for callers that can do something about it.
 */
export function fileError(cause: unknown, verb: FileVerb, path: string, from: string): RelayError {
  if (cause instanceof RelayError) return cause
  const shown = seenFrom(from, path)
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? ''
  const reason = reasons[code]
  if (reason === undefined) {
    return new RelayError('failed', `Cannot ${verb} ${shown}: ${code === '' ? String(cause) : code}`, { cause })
  }
  return new RelayError(reason.kind, `Cannot ${verb} ${shown}: ${reason.text}`, {
    ...(reason.hint === undefined ? {} : { hint: reason.hint(shown) }),
    cause,
  })
}

interface Reason {
  readonly kind: 'environment' | 'failed'
  readonly text: string
  readonly hint?: (path: string) => string
}

const diskFull = 'Free some space, then try again.'
const owner = (path: string) => `Look at its owner and mode: \`ls -ld -- ${quote(path)}\``

const reasons: Readonly<Record<string, Reason>> = {
  ENOSPC: { kind: 'environment', text: 'the disk is full', hint: () => diskFull },
  EDQUOT: { kind: 'environment', text: 'the disk quota is used up', hint: () => diskFull },
  EFBIG: { kind: 'environment', text: 'the file is too large for this file system' },
  EACCES: { kind: 'environment', text: 'permission denied', hint: owner },
  EPERM: { kind: 'environment', text: 'the operation is not permitted', hint: owner },
  EROFS: {
    kind: 'environment',
    text: 'the file system is read-only',
    hint: () => 'Mount it writable, then try again.',
  },
  EMFILE: { kind: 'environment', text: 'too many files are open', hint: () => 'Raise the limit: `ulimit -n 4096`' },
  ENFILE: { kind: 'environment', text: 'too many files are open', hint: () => 'Close other programs, then try again.' },
  ENOMEM: { kind: 'environment', text: 'the memory is used up', hint: () => 'Close other programs, then try again.' },
  EIO: { kind: 'environment', text: 'the disk reports an error', hint: () => 'Look at the system log: `dmesg | tail`' },
  EBUSY: { kind: 'environment', text: 'it is in use', hint: () => 'Close what uses it, then try again.' },
  ETXTBSY: { kind: 'environment', text: 'it is a program that runs', hint: () => 'End it, then try again.' },
  ESTALE: {
    kind: 'environment',
    text: 'the network file system lost it',
    hint: () => 'Mount it again, then try again.',
  },
  EXDEV: {
    kind: 'environment',
    text: 'its folder is mounted, or has a quota, of its own',
    hint: path => `Look at what is mounted there: \`findmnt -T ${quote(path)}\``,
  },
  ENAMETOOLONG: { kind: 'failed', text: 'the name is too long' },
  EINVAL: { kind: 'failed', text: 'the file system does not take it' },
  EISDIR: { kind: 'failed', text: 'it is a folder' },
  ENOTDIR: { kind: 'failed', text: 'a part of the path is no folder' },
  ENOENT: { kind: 'failed', text: 'there is no such file or folder' },
  EEXIST: { kind: 'failed', text: 'something is in the way' },
  ENOTEMPTY: { kind: 'failed', text: 'the folder is not empty' },
  ELOOP: { kind: 'failed', text: 'its symbolic links lead in a circle' },
  EMLINK: { kind: 'failed', text: 'it has too many names already' },
}

/** The path as somebody in the folder `from` would name it; paths elsewhere stay whole. */
function seenFrom(from: string, path: string): string {
  const way = relative(from, path)
  return way === '' || way === '..' || way.startsWith('../') || isAbsolute(way) ? path : way
}

function quote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
