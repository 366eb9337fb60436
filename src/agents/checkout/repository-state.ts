import { join } from 'node:path'
import type { Doors } from './program.ts'
import { findUsersRepository } from './users-repository.ts'

/** Whether relay can commit in a repository, and if not, why. */
export type RepositoryState =
  /** The folder is in no repository. */
  | 'none'
  | 'ready'
  /** It has no commit yet. */
  | 'empty'
  | 'merge'
  | 'rebase'
  | 'cherry-pick'
  | 'revert'

/** Reads the state of the user's repository around a folder, without running git. */
export async function repositoryState(folder: string, system: Doors): Promise<RepositoryState> {
  const repository = await findUsersRepository(folder, system)
  if (repository === undefined) return 'none'
  const isThere = async (name: string) => (await system.files.stat(join(repository.gitDir, name))) !== null
  for (const [name, state] of underWay) if (await isThere(name)) return state
  return (await hasCommit(repository, system)) ? 'ready' : 'empty'
}

const underWay = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
] as const

/** Whether HEAD names a commit, or a branch that has one as a loose or a packed ref. */
async function hasCommit(
  { gitDir, shared }: { readonly gitDir: string; readonly shared: string },
  { files }: Doors,
): Promise<boolean> {
  const textOf = async (path: string) => new TextDecoder().decode((await files.read(path)) ?? new Uint8Array())
  const head = (await textOf(join(gitDir, 'HEAD'))).trim()
  const branch = /^ref: (.+)$/.exec(head)?.[1]
  if (branch === undefined) return head !== ''
  if ((await files.stat(join(shared, branch))) !== null) return true
  return (await textOf(join(shared, 'packed-refs'))).split('\n').some(line => line.endsWith(` ${branch}`))
}
