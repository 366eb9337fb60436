import { RelayError } from '../../errors.ts'
import { type Git, usersGitAt } from '../checkout/git.ts'
import type { Doors } from '../checkout/program.ts'
import { findUsersRepository } from '../checkout/users-repository.ts'

export interface FetchRequest {
  /** relay's git directory with the branch. */
  readonly from: string
  readonly branch: string
  /** The project's root in the user's folder. */
  readonly root: string
}

export interface Fetched {
  readonly kind: 'fetched' | 'there-already'
  /** The branch's name in the user's repository: another one where that was taken. */
  readonly branch: string
  readonly commit: string
}

/**
 * Copies a branch into the user's repository, so that it is not lost when its clone is removed: objects and one ref, nothing
 * else. Leaves a user's branch with other commits alone.
 */
export async function fetchHome({ from, branch, root }: FetchRequest, system: Doors): Promise<Fetched> {
  const repository = await findUsersRepository(root, system)
  if (repository === undefined) throw new RelayError('failed', `${root} is not in a git repository`)
  const git = usersGitAt(repository.gitDir, repository.top, system)
  const ref = `refs/heads/${branch}`
  const commit = (await usersGitAt(from, '/', system)(['rev-parse', '--verify', `${ref}^{commit}`])).trim()
  const nothingElse = ['--no-tags', '--no-write-fetch-head', '--recurse-submodules=no', '--no-auto-maintenance']
  await git(['fetch', '--quiet', ...nothingElse, '--', from, ref])
  const heads = await headsOf(git)
  const mayMove = await unusedHeads(git)
  for (const name of namesFor(branch, [...heads.keys()])) {
    const old = heads.get(name)
    if (old === commit) return { kind: 'there-already', branch: name, commit }
    if (old !== undefined && !(mayMove(name) && (await isAncestor(old, commit, git)))) continue
    await git(['update-ref', '-m', 'relay: an agent worked on it', `refs/heads/${name}`, commit, old ?? ''])
    return { kind: 'fetched', branch: name, commit }
  }
  throw new RelayError('failed', `No name is free for the branch ${branch}`, { hint: 'Delete some of these branches.' })
}

async function headsOf(git: Git): Promise<ReadonlyMap<string, string>> {
  const lines = (await git(['for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/'])).split('\n')
  return new Map(
    lines.filter(Boolean).map(line => {
      const [commit = '', ref = ''] = line.split(' ')
      return [ref.slice('refs/heads/'.length), commit]
    }),
  )
}

/** Makes a test for branches that no work tree has checked out. */
async function unusedHeads(git: Git): Promise<(name: string) => boolean> {
  const lines = (await git(['worktree', 'list', '--porcelain'])).split('\n')
  return name => !lines.includes(`branch refs/heads/${name}`)
}

async function isAncestor(older: string, newer: string, git: Git): Promise<boolean> {
  // `merge-base --is-ancestor` answers by its exit code, which `Git` does not give. This one prints.
  return (await git(['rev-list', '--max-count=1', older, `^${newer}`])) === ''
}

/** Names to try: the branch's own, then numbered ones. In git, `a` and `a/b` cannot both be branches. */
function namesFor(branch: string, taken: readonly string[]): readonly string[] {
  const fits = (name: string) => !taken.some(each => each.startsWith(`${name}/`) || name.startsWith(`${each}/`))
  const numbered = (name: string) => [name, ...Array.from({ length: 98 }, (_, at) => `${name}-${at + 2}`)]
  return [...numbered(branch), ...numbered(branch.replaceAll('/', '-'))].filter(fits)
}
