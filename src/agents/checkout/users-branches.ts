import { basename, dirname, join, resolve } from 'node:path'
import { RelayError } from '../../errors.ts'
import { usersGitAt } from './git.ts'
import { type Doors, runProgram } from './program.ts'
import { findUsersRepository, textOf, type UsersRepository } from './users-repository.ts'
import { statusWords, usersStatus } from './users-status.ts'

/** Throws `usage` where git does not allow this name for a branch. */
export async function mustBeBranch(branch: string, { gitDir }: UsersRepository, system: Doors): Promise<void> {
  const ref = `refs/heads/${branch}`
  const args = ['check-ref-format', '--normalize', ref]
  const named = branch.startsWith('-') ? '' : await usersGitAt(gitDir, '/', system)(args, '', [0, 1])
  if (named.trim() !== ref) throw new RelayError('usage', `"${branch}" cannot be the name of a branch`)
}

/** The commit where a branch is to begin. Throws `usage` where there is none. */
export async function commitAt(from: string, { gitDir }: UsersRepository, system: Doors): Promise<string> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${from}^{commit}`]
  const commit = (await usersGitAt(gitDir, '/', system)(args, '', [0, 1, 128])).trim()
  if (commit !== '') return commit
  const isHead = from === 'HEAD'
  throw new RelayError('usage', isHead ? 'There is no commit here yet' : `There is no commit ${from}`, {
    hint: isHead ? 'Commit something first: a branch begins there.' : 'Name a branch or a commit.',
  })
}

/** The last commit of a branch; `undefined` where there is no such branch. */
export async function tipOf(branch: string, { gitDir }: UsersRepository, system: Doors): Promise<string | undefined> {
  const args = ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`]
  return (await usersGitAt(gitDir, '/', system)(args, '', [0, 1])).trim() || undefined
}

/** Like `tipOf`, but finds the repository around `root` where the caller names none. */
export async function branchTip(
  place: { readonly root: string; readonly branch: string; readonly repository?: UsersRepository | undefined },
  system: Doors,
): Promise<string | undefined> {
  const repository = place.repository ?? (await findUsersRepository(place.root, system))
  return repository && tipOf(place.branch, repository, system)
}

/** A work tree that the user's repository lists. */
export interface Registered {
  readonly path: string
  /** `undefined` for a detached HEAD. */
  readonly branch: string | undefined
}

/** All work trees, also those whose folder is gone. The first one is the user's main work tree. */
export async function worktreesOf({ gitDir }: UsersRepository, system: Doors): Promise<readonly Registered[]> {
  const listed = await usersGitAt(gitDir, '/', system)(['worktree', 'list', '--porcelain', '-z'])
  return listed.split('\0\0').flatMap(block => {
    const path = /^worktree (.+)$/ms.exec(block.split('\0')[0] ?? '')?.[1]
    const branch = /^branch refs\/heads\/(.+)$/.exec(block.split('\0').find(line => line.startsWith('branch ')) ?? '')
    return path === undefined || block.includes('\0bare') ? [] : [{ path, branch: branch?.[1] }]
  })
}

/**
 * Throws `environment` where a branch cannot move, because it is checked out in a work tree of the user's, or under a rebase or
 * bisect there.
 */
export async function requireMovable(branch: string, repository: UsersRepository, system: Doors): Promise<void> {
  for (const { path, branch: checkedOut } of await worktreesOf(repository, system)) {
    if (checkedOut === branch) {
      throw new RelayError('environment', `The branch ${branch} is checked out in ${path}`, {
        hint: `Check out another one there (\`git -C ${path} switch --detach\`), then try again.`,
      })
    }
    const state = await stateHolding(branch, await gitDirOf(path, repository, system), system)
    if (state === undefined) continue
    throw new RelayError('environment', `The branch ${branch} is under a ${state} in ${path}`, {
      hint: `Let it come to its end there, then try again.`,
    })
  }
}

/** What holds a branch in a work tree, although its HEAD is detached. */
async function stateHolding(branch: string, gitDir: string | undefined, system: Doors) {
  if (gitDir === undefined) return undefined
  const named = async (path: string) => (await textOf(join(gitDir, path), system).catch(() => undefined)) ?? ''
  const ref = `refs/heads/${branch}`
  for (const folder of ['rebase-merge', 'rebase-apply']) {
    if ((await named(`${folder}/head-name`)).trim() === ref) return 'rebase'
    if ((await named(`${folder}/update-refs`)).split('\n').includes(ref)) return 'rebase'
  }
  return (await named('BISECT_START')).trim() === branch ? 'bisect' : undefined
}

/** The git directory of the work tree at a place: the main one, or an added one. */
export async function gitDirOf(at: string, { shared }: UsersRepository, system: Doors): Promise<string | undefined> {
  const above = join(shared, 'worktrees')
  for (const name of (await system.files.list(above)) ?? []) {
    const gitDir = join(above, name)
    const leads = (await textOf(join(gitDir, 'gitdir'), system).catch(() => undefined))?.trim()
    if (leads !== undefined && resolve(gitDir, leads) === join(at, '.git')) return gitDir
  }
  return (await system.files.realPath(join(at, '.git'))) === shared ? shared : undefined
}

/** Uncommitted paths in a work tree, as the user's git reports them: with the user's conversions, but without running a thing. */
export async function uncommittedIn(at: string, gitDir: string, system: Doors): Promise<readonly string[]> {
  const configHome = system.env['XDG_CONFIG_HOME']
  const env = {
    GIT_DIR: gitDir,
    GIT_WORK_TREE: at,
    GIT_OPTIONAL_LOCKS: '0',
    ...(configHome === undefined ? {} : { XDG_CONFIG_HOME: configHome }),
  }
  const status = await usersStatus((args, options) =>
    runProgram(['git', ...args], { cwd: at, env, ...options }, system),
  )
  if (status === undefined) return []
  if (status.code !== 0) throw new RelayError('failed', `\`git status\` failed in ${at}: ${status.err}`)
  return status.entries.map(statusWords)
}

/** The real place of a path whose last parts need not exist yet. Follows links in its folders. */
export async function realPlace(path: string, system: Pick<Doors, 'files'>): Promise<string> {
  const real = await system.files.realPath(path)
  if (real !== null || dirname(path) === path) return real ?? path
  return join(await realPlace(dirname(path), system), basename(path))
}
