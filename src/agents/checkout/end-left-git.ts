import { join } from 'node:path'
import type { Doors } from './program.ts'

/** Milliseconds. A git that has lost its relay ends in this time: it finds nobody who reads what it prints. */
const oldEnough = 60_000

/**
 * Ends the git that a killed relay left running in relay's own folder for a piece of work, and removes the locks that it left
 * there: every later call would fail because of them. Only the relay that holds the mark of that work may call this.
 *
 * Where the system does not tell what runs, a young lock may still be in use. It is waited for.
 */
export async function endLeftGit(folder: string, system: Doors): Promise<void> {
  const { files, programs } = system
  const isEnded = await programs.endLeftIn(folder, 'git')
  for (const lock of await locksIn(folder, files)) {
    if (!isEnded) await waitUntilOld(lock, system)
    await files.remove(lock)
  }
}

async function waitUntilOld(lock: string, { files, clock, interruption }: Doors): Promise<void> {
  for (;;) {
    const found = await files.stat(lock)
    const left = oldEnough - ((clock?.now().getTime() ?? Number.POSITIVE_INFINITY) - (found?.modifiedMs ?? 0))
    if (found === null || left <= 0) return
    await clock?.sleep(Math.min(left, 1000), interruption)
    interruption.throwIfAborted()
  }
}

/** relay's indexes lie in the folder itself, its repositories in these folders of it. */
const repositories = ['git', 'clone.git']

async function locksIn(folder: string, files: Doors['files']): Promise<readonly string[]> {
  const repository = async (at: string): Promise<readonly string[]> => {
    const { folders = [] } = (await files.listKinds(at)) ?? {}
    return [
      ...(await locksAt(at, files)),
      ...(await Promise.all(folders.map(name => repository(join(at, name))))).flat(),
    ]
  }
  const inside = await Promise.all(repositories.map(name => repository(join(folder, name))))
  return [...(await locksAt(folder, files)), ...inside.flat()]
}

async function locksAt(folder: string, files: Doors['files']): Promise<readonly string[]> {
  const names = (await files.list(folder)) ?? []
  return names.filter(name => name.endsWith('.lock')).map(name => join(folder, name))
}
