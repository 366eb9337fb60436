import { RelayError } from '../errors.ts'
import { isRecord, parseJson } from '../ground/json.ts'
import type { ProcessMark, System } from '../ports.ts'
import { makeMark } from '../transact/disk/mark.ts'
import { findOwners, makeOwnerMark } from '../transact/lock/owner-marks.ts'

/**
 * Claims a piece of work for this relay process; the returned function gives it up. `folder` holds the marks of those who
 * claim the work, `what` names it for people, and marks in the folders `rivals` exclude it as well. `about` is what the mark
 * says to other relay processes.
 *
 * Throws `environment` when another relay process has claimed it; the error names that process.
 */
export async function takeAlone(
  folder: string,
  what: string,
  system: Pick<System, 'files' | 'shell' | 'randomUuid'>,
  rivals: readonly string[] = [],
  about?: object,
): Promise<() => Promise<void>> {
  const { files } = system
  const say = (path: string) =>
    files
      .create(path, Buffer.from(JSON.stringify(about)), { mode: 0o600, sync: false })
      // On a full disk the claim itself has to be there.
      .catch(() => makeMark(path, files, false))
  const mark = await makeOwnerMark(folder, system, about && say)
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

/** A living relay process that has claimed a piece of work. */
export interface Claim {
  readonly owner: ProcessMark
  /** Its mark's file, which goes with the claim. */
  readonly path: string
  readonly about: Readonly<Record<string, unknown>>
}

/** Those who have claimed the work of this folder, as far as they say what about. */
export async function claimsIn(
  folder: string,
  { files, shell }: Pick<System, 'files' | 'shell'>,
): Promise<readonly Claim[]> {
  const claims = (await findOwners(folder, files, shell)).map(async ({ path, mark: owner }) => {
    const bytes = await files.read(path)
    const about = bytes === null ? undefined : parseJson(Buffer.from(bytes).toString('utf8'))
    return isRecord(about) ? [{ owner, path, about }] : []
  })
  return (await Promise.all(claims)).flat()
}
