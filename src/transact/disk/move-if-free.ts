import { causeCode } from '../../errors.ts'
import type { Files } from '../../ports.ts'

interface MoveOptions {
  /** What to do on a disk that has no room for one more name: to `move` is to go back, which must not need room. */
  readonly whenFull?: 'fail' | 'move'
  /** Where the file points, when it is a symbolic link. */
  readonly pointsTo?: string | undefined
}

/**
 * Moves a file to a place only while nothing is there; `false` when something is.
 *
 * It gets the place as a second name first, which cannot overwrite; a symbolic link is made again, which is the same.
 * File systems without hard links, and full disks, leave a look followed by a rename: a window of two system calls
 * that nothing on them can close.
 */
export async function moveIfFree(
  from: string,
  to: string,
  files: Files,
  { whenFull = 'fail', pointsTo }: MoveOptions = {},
): Promise<boolean> {
  const linking = pointsTo === undefined ? files.link(from, to) : files.symlink(pointsTo, to)
  const linked = await linking.catch((error: unknown) => {
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
  const code = causeCode(error)
  return code === 'ENOSPC' || code === 'EDQUOT'
}
