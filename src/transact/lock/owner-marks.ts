import { join } from 'node:path'
import type { Files, ProcessMark, Shell, System } from '../../ports.ts'
import { makeMark } from '../disk/mark.ts'
import { ownerFiles, ownerName } from './owner-name.ts'

/** What says that this process is at something: that it watches, say, or waits for an answer. */
export interface OwnerMark {
  /** Who else was at it when it was made. */
  readonly others: readonly ProcessMark[]
  /** Makes it again where somebody has removed it, and all of `.relaycode/` with it. */
  renew(): Promise<void>
  remove(): Promise<void>
}

/**
 * Says that this process is at something, until its mark is removed, and tells who else is.
 *
 * A file of its own name for each process in a folder for that, as the lock has it: one that died counts for nothing.
 * Whoever cannot say it (a full disk) goes on all the same. Nothing is synced: after a power cut nobody is at it.
 */
export async function makeOwnerMark(
  folder: string,
  { files, shell, randomUuid }: Pick<System, 'files' | 'shell' | 'randomUuid'>,
): Promise<OwnerMark> {
  const self = await shell.self()
  const mine = join(folder, ownerName(self, randomUuid()))
  const renew = async () => {
    try {
      if ((await files.stat(mine)) !== null) return
      await files.makeFolder(folder, 0o700)
      await forgetDeadOwners(folder, files, shell)
      await makeMark(mine, files, false)
    } catch {
      // See above.
    }
  }
  await renew()
  // Only now: of two that start together, at least one sees the other.
  const all = await findOwners(folder, files, shell).catch(() => [])
  return {
    others: all.filter(({ pid }) => pid !== self.pid),
    renew,
    async remove() {
      await files.remove(mine).catch(() => undefined)
    },
  }
}

/** Removes the files of processes that died without doing so themselves. */
export async function forgetDeadOwners(folder: string, files: Files, shell: Shell): Promise<void> {
  for (const { path, mark } of await ownerFiles(folder, files)) {
    if ((await shell.lifeOf(mark)) === 'dead') await files.remove(path)
  }
}

/** The processes that are at it now; looks only, and removes nothing. */
export async function findOwners(folder: string, files: Files, shell: Shell): Promise<readonly ProcessMark[]> {
  const found: ProcessMark[] = []
  for (const { mark } of await ownerFiles(folder, files)) {
    if ((await shell.lifeOf(mark)) === 'alive') found.push(mark)
  }
  return found.sort((a, b) => a.pid - b.pid)
}
