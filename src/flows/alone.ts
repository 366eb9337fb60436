import { RelayError } from '../errors.ts'
import type { System } from '../ports.ts'
import { findOwners, makeOwnerMark } from '../transact/lock/owner-marks.ts'

/**
 * Says that this relay works at something that only one may work at, until what it gives is called. `folder` is where its marks
 * lie, and `what` names it for people. Who has marks in `rivals` is in the way as well.
 *
 * Throws `environment` where another relay is at it, and says which.
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
