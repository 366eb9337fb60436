import { basename, dirname, join, resolve } from 'node:path'
import { RelayError } from '../../errors.ts'
import { usersGitAt } from './git.ts'
import { type Doors, runProgram } from './program.ts'
import { removeAll } from './remove-all.ts'
import { findUsersRepository, textOf, type UsersRepository } from './users-repository.ts'
import { statusWords, usersStatus } from './users-status.ts'

/** A work tree that the user's repository lists. */
interface Registered {
  readonly path: string
  /** `undefined` for a detached HEAD. */
  readonly branch: string | undefined
}

/** The branch for a work tree, and the place of the work tree. */
interface Wanted {
  readonly branch: string
  /** The branch does not exist yet, and begins at `from`. */
  readonly isNew: boolean
  readonly from: string
  readonly at: string
}

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
  place: { readonly root: string; readonly branch: string; readonly repository?: UsersRepository },
  system: Doors,
): Promise<string | undefined> {
  const repository = place.repository ?? (await findUsersRepository(place.root, system))
  return repository && tipOf(place.branch, repository, system)
}

/**
 * Makes sure that the user's repository has a work tree at a place, with a branch checked out. A new one has no files yet.
 * `found` says that this repository listed it before. Throws `usage` where the branch is checked out elsewhere, or the place is
 * taken.
 *
 * @param wasHalfMade an earlier relay run was stopped while it made this work tree
 * @param onMake is awaited before a work tree is made
 */
export async function ensureWorktree(
  wanted: Wanted,
  repository: UsersRepository,
  { wasHalfMade, onMake }: { readonly wasHalfMade: boolean; readonly onMake: () => Promise<void> },
  system: Doors,
): Promise<{ readonly found: boolean; readonly gitDir: string }> {
  const { files } = system
  const { at, branch, isNew, from } = wanted
  const git = usersGitAt(repository.gitDir, repository.top, system)
  if (wasHalfMade) await clearHalfMade(at, repository, system)
  const all = await worktreesOf(repository, system)
  const elsewhere = all.find(each => each.branch === branch && each.path !== at)
  if (elsewhere !== undefined) {
    throw new RelayError('usage', `The branch ${branch} is checked out in ${elsewhere.path}`, {
      hint: `Check out another one there, or remove it with \`git worktree remove ${elsewhere.path}\`.`,
    })
  }
  const known = all.find(({ path }) => path === at)
  const isThere = (await files.stat(at)) !== null
  if (known !== undefined && isThere) return { found: true, gitDir: await mustHave(branch, known, repository, system) }
  if (isThere && (await files.list(at))?.length !== 0) throw notOurs(at)
  await onMake()
  if (known !== undefined) {
    // The user deleted the folder. This removes one entry only; `git worktree prune` might remove others as well.
    await unlock(await gitDirOf(at, repository, system), system)
    await git(['worktree', 'remove', '--', at])
  }
  const what = isNew ? ['--no-track', '-b', branch, '--', at, from] : ['--', at, branch]
  await git(['worktree', 'add', '--no-checkout', '--quiet', ...what])
  const gitDir = await gitDirOf(at, repository, system)
  if (gitDir === undefined) throw new RelayError('failed', `git made no work tree in ${at}`)
  return { found: false, gitDir }
}

/** The git directory of an existing work tree. Throws `usage` where it belongs to another repository or has another branch. */
async function mustHave(
  branch: string,
  known: Registered,
  repository: UsersRepository,
  system: Doors,
): Promise<string> {
  const { path } = known
  const gitDir = await gitDirOf(path, repository, system)
  if (gitDir === undefined || !(await leadsTo(path, gitDir, system))) throw notOurs(path)
  if (known.branch === branch) return gitDir
  throw new RelayError('usage', `${path} has ${known.branch ?? 'no branch'} checked out, and not ${branch}`, {
    hint: `Run \`git -C ${path} switch ${branch}\`.`,
  })
}

/** All work trees, also those whose folder is gone. The first one is the user's main work tree. */
export async function worktreesOf({ gitDir }: UsersRepository, system: Doors): Promise<readonly Registered[]> {
  const listed = await usersGitAt(gitDir, '/', system)(['worktree', 'list', '--porcelain'])
  return listed.split('\n\n').flatMap(block => {
    const path = /^worktree (.+)$/m.exec(block)?.[1]
    return path === undefined ? [] : [{ path, branch: /^branch refs\/heads\/(.+)$/m.exec(block)?.[1] }]
  })
}

/** The git directory of the work tree at a place. */
async function gitDirOf(at: string, { shared }: UsersRepository, system: Doors): Promise<string | undefined> {
  const above = join(shared, 'worktrees')
  for (const name of (await system.files.list(above)) ?? []) {
    const gitDir = join(above, name)
    const leads = (await textOf(join(gitDir, 'gitdir'), system).catch(() => undefined))?.trim()
    if (leads !== undefined && resolve(gitDir, leads) === join(at, '.git')) return gitDir
  }
  return undefined
}

/** Whether the work tree's `.git` leads to this git directory. A missing `.git` is written again. */
async function leadsTo(at: string, gitDir: string, system: Doors): Promise<boolean> {
  const found = await system.files.stat(join(at, '.git'))
  if (found === null) {
    await system.files.create(join(at, '.git'), new TextEncoder().encode(`gitdir: ${gitDir}\n`))
    return true
  }
  const text = found.kind === 'file' ? await textOf(join(at, '.git'), system) : undefined
  const leads = /^gitdir: (.+?)\s*$/.exec(text ?? '')?.[1]
  return leads !== undefined && (await system.files.realPath(resolve(at, leads))) === gitDir
}

function notOurs(at: string): RelayError {
  return new RelayError('usage', `${at} is there already, and is no work tree of this repository`, {
    hint: 'Move it away, or give the branch another name.',
  })
}

/** Removes what is left of a work tree that git did not finish: an empty folder with only `.git`. Keeps a finished one. */
async function clearHalfMade(at: string, repository: UsersRepository, system: Doors): Promise<void> {
  const gitDir = await gitDirOf(at, repository, system)
  const isFinished = gitDir !== undefined && (await textOf(join(gitDir, 'locked'), system)) !== 'initializing'
  const known = (await worktreesOf(repository, system)).find(({ path }) => path === at)
  if (isFinished && known?.branch !== undefined) return
  if (gitDir !== undefined) await removeAll([gitDir], repository.shared, system)
  const git = join(at, '.git')
  if ((await system.files.stat(git))?.kind === 'file') await system.files.remove(git)
}

const lockReason = 'relay works here\n'

/** Locks a work tree while the agent's repository is in place of its `.git`: `git worktree prune` would take it for gone. */
export async function lock(gitDir: string, { files }: Doors): Promise<void> {
  await files.create(join(gitDir, 'locked'), new TextEncoder().encode(lockReason), { sync: false })
}

/** Removes relay's lock of a work tree. A lock that the user made stays. */
export async function unlock(gitDir: string | undefined, system: Doors): Promise<void> {
  const path = join(gitDir ?? '', 'locked')
  if (gitDir !== undefined && (await textOf(path, system)) === lockReason) await system.files.remove(path)
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
