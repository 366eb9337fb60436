import type { Change, PathState } from './plan.ts'

/** What a path can hold, as far as contents go. */
type Content =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'link' | 'folder' | 'other' }
  | null

/** Whether both are files of the same content; a new file's permission bits are the umask's, and no entry tells them. */
export function isSameContent(one: Content, other: Content): boolean {
  return one?.kind === 'file' && other?.kind === 'file' && Buffer.compare(one.bytes, other.bytes) === 0
}

/** Whether two states are the same to a user: content, permission bits, and where a link points. */
export function isSameState(one: PathState, other: PathState): boolean {
  if (one?.kind === 'file') return other?.kind === 'file' && one.mode === other.mode && isSameContent(one, other)
  return one === null ? other === null : other?.kind === 'link' && one.to === other.to
}

/** What takes a place from one state to another. */
export function changeBetween(
  place: Pick<Change, 'path' | 'target' | 'otherNames' | 'aside' | 'isClosed'>,
  before: PathState,
  after: PathState,
): Change {
  return { op: after === null ? 'delete' : 'write', ...place, before, after, effect: effectBetween(before, after) }
}

/**
 * The permission bits that are believed of a file that an entry tells of: whoever made the project may have written the
 * entry. Setuid, setgid, sticky and world-writable are taken only where the file on the disk has them.
 */
export function believedMode(told: number, onDisk = 0): number {
  return told & (0o775 | onDisk)
}

/** The state that an entry tells of a path, with the permission bits that are believed. */
export function believedState(told: PathState, now: PathState): PathState {
  if (told?.kind !== 'file') return told
  return { ...told, mode: believedMode(told.mode, now?.kind === 'file' ? now.mode : undefined) }
}

/** Permission bits that a program asks for when it makes a file: the umask takes from them what the user does not give. */
export const NEW_FILE_MODE = 0o666

/** The same for a file that can be run. */
export const NEW_PROGRAM_MODE = 0o777

/** What it is to a path to come from one state to another. */
export function effectBetween(before: PathState, after: PathState): Change['effect'] {
  if (isSameState(before, after)) return 'none'
  if (before === null) return 'create'
  return after === null ? 'delete' : 'modify'
}
