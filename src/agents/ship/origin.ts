import type { Doors } from '../checkout/program.ts'
import { type UsersGit, usersGit } from '../checkout/users-git.ts'
import { type GitHubRepository, gitHubRepository } from './github.ts'

/** Where a repository came from, as it was before an agent ran. */
export interface Origin {
  /** Where pushes go, as it stands in the configuration: git may lead it on (`insteadOf`). It may hold a password. */
  readonly pushUrl: string
  readonly url: string
  readonly github: GitHubRepository | undefined
  /** Where pushes go, when that is on GitHub: a fork, say. */
  readonly pushesTo: GitHubRepository | undefined
  readonly defaultBranch: string
}

/** Reads `origin` of the repository around a folder; `undefined` where it has none. */
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

/** A value of the configuration, or `undefined` where it is not set. */
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
