import { join } from 'node:path'
import type { ProcessMark, Shell, System } from '../../ports.ts'
import { makeMark } from '../disk/mark.ts'
import type { Layout } from '../layout/layout.ts'
import { ownerFiles, ownerName } from './owner-name.ts'

/** What says that this process watches. */
export interface WatchMark {
  /** Who else watched when it was made. */
  readonly others: readonly ProcessMark[]
  /** Makes it again where somebody has removed it, and all of `.relaycode/` with it. */
  renew(): Promise<void>
  remove(): Promise<void>
}

/**
 * Says that this process watches the clipboard for the project, until its mark is removed, and tells who else does.
 *
 * A file of its own name for each watcher, as the lock has it: one that died counts for nothing. Whoever cannot say it
 * (a full disk) watches all the same.
 */
export async function announceWatcher(
  layout: Layout,
  { shell, randomUuid }: Pick<System, 'shell' | 'randomUuid'>,
): Promise<WatchMark> {
  const { files } = layout
  const self = await shell.self()
  const mine = join(layout.watchers, ownerName(self, randomUuid()))
  const renew = async () => {
    try {
      if ((await files.stat(mine)) !== null) return
      await files.makeFolder(layout.watchers, 0o700)
      await forgetDeadWatchers(layout, shell)
      await makeMark(mine, files, false)
    } catch {
      // See above.
    }
  }
  await renew()
  // Only now: of two that start together, at least one sees the other.
  const all = await findWatchers(layout, shell).catch(() => [])
  return {
    others: all.filter(({ pid }) => pid !== self.pid),
    renew,
    async remove() {
      await files.remove(mine).catch(() => undefined)
    },
  }
}

/** Removes the files of watchers that died without doing so themselves. */
export async function forgetDeadWatchers({ watchers, files }: Layout, shell: Shell): Promise<void> {
  for (const { path, mark } of await ownerFiles(watchers, files)) {
    if ((await shell.lifeOf(mark)) === 'dead') await files.remove(path)
  }
}

/** The processes that watch the clipboard for the project now; looks only, and removes nothing. */
export async function findWatchers({ watchers, files }: Layout, shell: Shell): Promise<readonly ProcessMark[]> {
  const found: ProcessMark[] = []
  for (const { mark } of await ownerFiles(watchers, files)) {
    if ((await shell.lifeOf(mark)) === 'alive') found.push(mark)
  }
  return found.sort((a, b) => a.pid - b.pid)
}
