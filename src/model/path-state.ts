import type { Change, PathState } from './plan.ts'

/** What a path can hold; only contents are compared. */
type Content =
  | { readonly kind: 'file'; readonly bytes: Uint8Array }
  | { readonly kind: 'link' | 'folder' | 'other' }
  | null

/**
 * Whether both are files with the same content. Permission bits are ignored: the umask decides those of a new file,
 * and no entry records them.
 */
export function isSameContent(one: Content, other: Content): boolean {
  return one?.kind === 'file' && other?.kind === 'file' && Buffer.compare(one.bytes, other.bytes) === 0
}

/** Whether two states look the same to a user: content, permission bits, and where a link points. */
export function isSameState(one: PathState, other: PathState): boolean {
  if (one?.kind === 'file') return other?.kind === 'file' && one.mode === other.mode && isSameContent(one, other)
  return one === null ? other === null : other?.kind === 'link' && one.to === other.to
}

/** The change that takes a place from one state to another. */
export function changeBetween(
  place: Pick<Change, 'path' | 'target' | 'otherNames' | 'aside' | 'isClosed'>,
  before: PathState,
  after: PathState,
): Change {
  return { op: after === null ? 'delete' : 'write', ...place, before, after, effect: effectBetween(before, after) }
}

/**
 * The permission bits that relay accepts from an entry: the entry may come with a project that somebody else made. Setuid,
 * setgid, sticky and world-writable are accepted only if the file on the disk has them.
 */
export function believedMode(told: number, onDisk = 0): number {
  return told & (0o775 | onDisk)
}

/** The state that an entry records, with only the permission bits that relay accepts. */
export function believedState(told: PathState, now: PathState): PathState {
  if (told?.kind !== 'file') return told
  return { ...told, mode: believedMode(told.mode, now?.kind === 'file' ? now.mode : undefined) }
}

/** The permission bits that a program asks for when it creates a file; the umask then removes some. */
export const NEW_FILE_MODE = 0o666

/** The same for an executable file. */
export const NEW_PROGRAM_MODE = 0o777

export function effectBetween(before: PathState, after: PathState): Change['effect'] {
  if (isSameState(before, after)) return 'none'
  if (before === null) return 'create'
  return after === null ? 'delete' : 'modify'
}
