import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import type { ProcessMark, System, Talk } from '../ports.ts'
import type { Layout } from './layout.ts'
import { ownerName, readOwnerName } from './owner-name.ts'

const lookAgainMs = 100
const sayAfterMs = 300
const giveUpAfterMs = 60_000

/**
 * Does one piece of work while no other relay works in the project.
 *
 * Every owner makes a file of its own name, then looks for others: who is not alone steps back and tries again. The
 * name holds process, start time and boot, so the file of a dead owner counts for nothing and can be removed by
 * anyone: its name is never used again. (One shared pid file with stale-breaking is the well-known broken way.)
 */
export async function withLock<T>(
  layout: Layout,
  system: Pick<System, 'files' | 'shell' | 'clock' | 'interruption' | 'randomUuid'>,
  talk: Pick<Talk, 'report'>,
  work: () => Promise<T>,
): Promise<T> {
  const { files, clock } = system
  await files.makeFolder(layout.locks, 0o700)
  const self = await system.shell.self()
  const mine = join(layout.locks, ownerName(self, system.randomUuid()))

  const began = clock.monotonic()
  let said = false
  for (;;) {
    let other = await liveOwner(layout, system, self, mine)
    if (other === undefined) {
      await files.create(mine, new Uint8Array(), { mode: 0o600, sync: false })
      try {
        other = await liveOwner(layout, system, self, mine)
      } catch (error) {
        await files.remove(mine)
        throw error
      }
      if (other === undefined) break
      await files.remove(mine)
    }
    const waited = clock.monotonic() - began
    if (system.interruption.aborted || waited > giveUpAfterMs) {
      throw new RelayError('environment', `Another relay (process ${other.pid}) is working in this project`, {
        hint: 'Wait until it is done, or answer its question, and try again.',
      })
    }
    if (!said && waited >= sayAfterMs) {
      talk.report({ kind: 'waiting', owner: `process ${other.pid}` })
      said = true
    }
    await clock.sleep(lookAgainMs * (0.5 + Math.random()), system.interruption)
  }

  try {
    return await work()
  } finally {
    // A lock that cannot be removed dies with this process.
    await files.remove(mine).catch(() => undefined)
  }
}

/** Who works in the project at this moment; looks only, and removes nothing. */
export async function ownerAtWork(
  layout: Layout,
  { files, shell }: Pick<System, 'files' | 'shell'>,
): Promise<ProcessMark | undefined> {
  for (const name of (await files.list(layout.locks)) ?? []) {
    const mark = readOwnerName(name)
    if (mark !== undefined && (await shell.alive(mark))) return mark
  }
  return undefined
}

/** Another owner that still lives, if there is one; files of dead owners are removed on the way. */
async function liveOwner(
  layout: Layout,
  { files, shell }: Pick<System, 'files' | 'shell'>,
  self: ProcessMark,
  mine: string,
): Promise<ProcessMark | undefined> {
  for (const name of (await files.list(layout.locks)) ?? []) {
    const path = join(layout.locks, name)
    const mark = readOwnerName(name)
    if (path === mine || mark === undefined) continue
    // One process does one piece of work at a time: another file of its own is one that it could not remove.
    const isOwn = mark.pid === self.pid && mark.startedAt === self.startedAt && mark.boot === self.boot
    if (!isOwn && (await shell.alive(mark))) return mark
    await files.remove(path)
  }
  return undefined
}
