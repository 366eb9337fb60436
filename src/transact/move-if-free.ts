import type { Files } from '../ports.ts'

/**
 * Moves a file to a place only while nothing is there; `false` when something is.
 *
 * It gets the place as a second name first, which cannot overwrite. File systems without hard links leave a look
 * followed by a rename: a window of two system calls that nothing on them can close. So does a disk that has no room
 * for one more name, where `whenFull` says that the move matters more: going back must not need room.
 */
export async function moveIfFree(
  from: string,
  to: string,
  files: Files,
  whenFull: 'fail' | 'move' = 'fail',
): Promise<boolean> {
  const linked = await files.link(from, to).catch((error: unknown) => {
    if (whenFull === 'move' && hasNoRoom(error)) return 'unsupported' as const
    throw error
  })
  if (linked === 'exists') return false
  if (linked === 'linked') {
    await files.remove(from)
    return true
  }
  if ((await files.stat(to)) !== null) return false
  await files.rename(from, to)
  return true
}

function hasNoRoom(error: unknown): boolean {
  const cause = (error as { readonly cause?: { readonly code?: string } } | undefined)?.cause
  return cause?.code === 'ENOSPC' || cause?.code === 'EDQUOT'
}
