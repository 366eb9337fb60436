import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { realPathOf } from './checkout.ts'
import { cloneRepository, type Git, usersGitAt, writeNew } from './git.ts'
import type { Doors } from './program.ts'
import { removeAll } from './remove-all.ts'
import { commitAt, mustBeBranch } from './users-branches.ts'
import { findUsersRepository, textOf, type UsersRepository, usersSettings } from './users-repository.ts'

export interface ClonePlace {
  readonly root: string
  readonly branch: string
  /** Where the branch begins: a commit, or a branch (one that only `origin` has, too). By default the user's HEAD. */
  readonly base?: string | undefined
  /** relay's own folder for the clone. */
  readonly folder: string
}

/** A copy of the user's repository, without files. Nothing done in it reaches the user's repository. */
export interface Clone {
  /** The clone, with the user's folder as `top`: a checkout finds the packages there. */
  readonly repository: UsersRepository
  /** The commit that the branch begins at. */
  readonly from: string
}

/**
 * Makes a clone in relay's folder, or finds the existing one. It has the objects, branches and tags of the user's repository,
 * and the name and email for commits. Its `origin` is the user's `origin`, without a password in the URL. Throws `usage` where
 * `root` is not in a git repository.
 */
export async function makeClone(place: ClonePlace, system: Doors): Promise<Clone> {
  const root = await realPathOf(place.root, system)
  const users = await findUsersRepository(root, system)
  if (users === undefined) {
    throw new RelayError('usage', `${root} is not in a git repository`, { hint: 'Name one with `--git-dir`.' })
  }
  const gitDir = clonedGitDir(await realPathOf(place.folder, system))
  const repository = { top: users.top, gitDir, shared: gitDir }
  if ((await system.files.stat(gitDir)) === null) {
    await mustBeBranch(place.branch, users, system)
    const commit = await startOf(place.base, users, system)
    const half = `${gitDir}.new`
    await removeAll([half], '/', system)
    await cloneRepository(users.shared, half, system)
    await takeOver(users, half, system)
    const git = usersGitAt(half, '/', system)
    await makeRoom(place.branch, git)
    await git(['update-ref', start, commit])
    await system.files.rename(half, gitDir)
  }
  return { repository, from: (await usersGitAt(gitDir, '/', system)(['rev-parse', '--verify', start])).trim() }
}

/** The git directory of a clone, in relay's folder for it. An agent never works inside it. */
export function clonedGitDir(folder: string): string {
  return join(folder, 'clone.git')
}

/** Keeps the start of the branch, even when the user's HEAD has moved since. */
const start = 'refs/relay/start'

/** The commit that a branch from `base` begins at. */
export async function startOf(base: string | undefined, users: UsersRepository, system: Doors): Promise<string> {
  const ofOrigin = base && (await commitAt(`refs/remotes/origin/${base}`, users, system).catch(() => undefined))
  return commitAt(base ?? 'HEAD', users, system).catch(error => ofOrigin ?? Promise.reject(error))
}

/** Copies the user's settings for this repository that commits and a comparison of files need. */
async function takeOver(users: UsersRepository, gitDir: string, system: Doors): Promise<void> {
  const git = usersGitAt(gitDir, '/', system)
  const settings = await usersSettings(users, system)
  for (const name of ['user.name', 'user.email', 'core.excludesfile', 'core.filemode']) {
    const value = settings.get(name)
    if (value !== undefined) await git(['config', name, value])
  }
  const url = settings.get('remote.origin.url')?.replace(/^(https?:\/\/)[^/@]*@/i, '$1')
  if (url === undefined) await git(['config', '--remove-section', 'remote.origin'])
  else await git(['config', 'remote.origin.url', url])
  await system.files.makeFolder(join(gitDir, 'info'))
  const exclude = await textOf(join(users.shared, 'info/exclude'), system)
  if (exclude !== undefined) await writeNew(join(gitDir, 'info/exclude'), exclude, system)
}

/**
 * Removes branches whose name is in the way: in git, `a` and `a/b` cannot both be branches. An old branch of the same name is
 * another piece of work, and goes as well.
 */
async function makeRoom(branch: string, git: Git): Promise<void> {
  const all = (await git(['for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads/'])).split('\n').filter(Boolean)
  for (const each of all) {
    if (`${each}/`.startsWith(`${branch}/`) || `${branch}/`.startsWith(`${each}/`)) {
      await git(['update-ref', '-d', `refs/heads/${each}`])
    }
  }
}
