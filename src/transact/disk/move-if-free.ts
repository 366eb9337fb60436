import { causeCode } from '../../errors.ts'
import type { Files } from '../../ports.ts'

interface MoveOptions {
  /** On a disk without room for another name. A rollback needs `move`, because it must not need room. */
  readonly whenFull?: 'fail' | 'move'
  /** The target, if the file is a symbolic link. */
  readonly pointsTo?: string | undefined
}

/**
 * Moves a file to a place only while nothing is there; `false` when something is.
 *
 * First the place becomes a second name of the file, which cannot overwrite anything; a symbolic link is made again.
 * File systems without hard links, and full disks, only allow a check followed by a rename: between these two system
 * calls a file can appear and be overwritten.
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
