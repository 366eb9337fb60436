import type { Doors } from '../checkout/program.ts'
import { type UsersGit, usersGit } from '../checkout/users-git.ts'
import { type GitHubRepository, gitHubRepository } from './github.ts'

/** A repository's `origin`, as it was before an agent ran. */
export interface Origin {
  /** The push URL as configured; git may rewrite it (`insteadOf`). It may contain a password. */
  readonly pushUrl: string
  readonly url: string
  readonly github: GitHubRepository | undefined
  /** The GitHub repository that pushes go to: a fork, for example. */
  readonly pushesTo: GitHubRepository | undefined
  readonly defaultBranch: string
}

/** The `origin` of the repository around a folder; `undefined` where it has none. */
export async function readOrigin(root: string, system: Doors): Promise<Origin | undefined> {
  const git = usersGit(root, { timeLimit: 60 }, system)
  const url = await setting('remote.origin.url', git)
  if (url === undefined) return undefined
  const pushUrl = (await setting('remote.origin.pushurl', git)) ?? url
  const github = gitHubRepository(url) ?? gitHubRepository((await git(['remote', 'get-url', 'origin'])).out.trim())
  return {
    url,
    pushUrl,
    github,
    pushesTo: pushUrl === url ? github : gitHubRepository(pushUrl),
    defaultBranch: await defaultBranchOf(git),
  }
}

/** A git setting; `undefined` where it is not set. */
export async function setting(name: string, git: UsersGit): Promise<string | undefined> {
  return (await git(['config', '--get', name])).out.trim() || undefined
}

async function defaultBranchOf(git: UsersGit): Promise<string> {
  const head = (await git(['symbolic-ref', '--quiet', `${remote}HEAD`])).out.trim()
  if (head.startsWith(remote)) return head.slice(remote.length)
  for (const name of ['main', 'master']) {
    if ((await git(['show-ref', '--verify', '--quiet', `${remote}${name}`])).code === 0) return name
  }
  return 'main'
}

const remote = 'refs/remotes/origin/'
