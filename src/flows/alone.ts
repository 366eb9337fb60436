import { RelayError } from '../errors.ts'
import type { System } from '../ports.ts'
import { findOwners, makeOwnerMark } from '../transact/lock/owner-marks.ts'

/**
 * Claims a piece of work for this relay process; the returned function gives it up. `folder` holds the marks of those who
 * claim the work, `what` names it for people, and marks in the folders `rivals` exclude it as well.
 *
 * Throws `environment` when another relay process has claimed it; the error names that process.
 */
export async function takeAlone(
  folder: string,
  what: string,
  system: Pick<System, 'files' | 'shell' | 'randomUuid'>,
  rivals: readonly string[] = [],
): Promise<() => Promise<void>> {
  const mark = await makeOwnerMark(folder, system)
  const there = await Promise.all(rivals.map(each => findOwners(each, system.files, system.shell)))
  const [other] = [...mark.others, ...there.flat()]
  if (other === undefined) return mark.remove
  await mark.remove()
  throw new RelayError('environment', `Another relay (process ${other.mark.pid}) works on ${what}`, {
    hint: 'Wait until it is done, or stop it.',
  })
}

/** The relay process that has claimed a piece of work, and lives. */
export async function takenBy(
  folder: string,
  { files, shell }: Pick<System, 'files' | 'shell'>,
): Promise<number | undefined> {
  return (await findOwners(folder, files, shell))[0]?.mark.pid
}
