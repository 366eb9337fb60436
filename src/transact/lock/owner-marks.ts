import { join } from 'node:path'
import type { Files, Shell, System } from '../../ports.ts'
import { makeMark } from '../disk/mark.ts'
import { type OwnerFile, ownerFiles, ownerName } from './owner-name.ts'

/** Says that this process does something, such as watching or waiting for an answer. */
export interface OwnerMark {
  /** Those who already did the same when the mark was made. */
  readonly others: readonly OwnerFile[]
  /** Makes the mark again after somebody has removed it, perhaps with all of `.relaycode/`. */
  renew(): Promise<void>
  remove(): Promise<void>
}

/**
 * Says that this process is at something, until its mark is removed, and tells who else is.
 *
 * A file of its own name for each process in a folder for that, as the lock has it: one that died counts for nothing.
 * Whoever cannot say it (a full disk) goes on all the same. Nothing is synced: after a power cut nobody is at it.
 *
 * @param make for a mark that says more than its name
 */
export async function makeOwnerMark(
  folder: string,
  { files, shell, randomUuid }: Pick<System, 'files' | 'shell' | 'randomUuid'>,
  make: (path: string) => Promise<unknown> = path => makeMark(path, files, false),
): Promise<OwnerMark> {
  const self = await shell.self()
  const mine = join(folder, ownerName(self, randomUuid()))
  const renew = async () => {
    try {
      if ((await files.stat(mine)) !== null) return
      await files.makeFolder(folder, 0o700)
      await forgetDeadOwners(folder, files, shell)
      await make(mine)
    } catch {
      // See above.
    }
  }
  await renew()
  // Only now: of two that start together, at least one sees the other.
  const all = await findOwners(folder, files, shell).catch(() => [])
  return {
    others: all.filter(({ mark }) => mark.pid !== self.pid),
    renew,
    async remove() {
      await files.remove(mine).catch(() => undefined)
    },
  }
}

export async function forgetDeadOwners(folder: string, files: Files, shell: Shell): Promise<void> {
  for (const { path, mark } of await ownerFiles(folder, files)) {
    if ((await shell.lifeOf(mark)) === 'dead') await files.remove(path)
  }
}

/** The marks of living processes. Removes no file. */
export async function findOwners(folder: string, files: Files, shell: Shell): Promise<readonly OwnerFile[]> {
  const found: OwnerFile[] = []
  for (const file of await ownerFiles(folder, files)) {
    if ((await shell.lifeOf(file.mark)) === 'alive') found.push(file)
  }
  return found.sort((a, b) => a.mark.pid - b.mark.pid)
}
