import type { System } from '../../ports.ts'
import type { Doors } from '../checkout/program.ts'

export type WebDoors = Doors & Pick<System, 'web'>

/** A repository on GitHub: `owner/name`. */
export interface GitHubRepository {
  readonly owner: string
  readonly name: string
}

export interface PullRequestFailure {
  readonly kind: 'failed'
  /** `limit`: GitHub refuses further requests for now. `refused`: it refuses this request. */
  readonly cause: 'auth' | 'network' | 'limit' | 'refused'
  readonly message: string
  readonly hint: string
}

/** A request to GitHub, through gh or the REST API. */
export interface Wanted {
  readonly title: string
  readonly body: string
  readonly branch: string
  /** Seconds, for each step. */
  readonly timeLimit: number
  readonly repository: GitHubRepository
  readonly base: string
  /** The owner of the repository that has the branch. */
  readonly owner: string
  /** `branch`, or `owner:branch` from a fork. */
  readonly head: string
}

/** A client of GitHub. */
export interface GitHub {
  /** The URL of the open pull request for the branch; `undefined` where there is none. */
  find(): Promise<string | undefined | PullRequestFailure>
  open(): Promise<string | PullRequestFailure>
}

/**
 * The GitHub repository of a git URL; `undefined` for any other host. An SSH host may be an alias from the user's
 * `~/.ssh/config`: `work.github.com`, `github.com-work`.
 */
export function gitHubRepository(url: string): GitHubRepository | undefined {
  const [, owner, name] = forms.map(form => form.exec(url)).find(found => found !== null) ?? []
  return owner === undefined || name === undefined ? undefined : { owner, name }
}

const sshHost = String.raw`(?:[\w.-]+[.-])?github\.com(?:-[\w.-]+)?`
const path = String.raw`([\w-][\w.-]*)\/([\w.-]+?)(?:\.git)?\/?$`
const forms = [
  new RegExp(String.raw`^(?:[\w.-]+@)?${sshHost}:${path}`, 'i'),
  new RegExp(String.raw`^ssh:\/\/(?:[\w.-]+@)?${sshHost}(?::\d+)?\/${path}`, 'i'),
  new RegExp(String.raw`^https?:\/\/(?:[^\/@]+@)?(?:www\.)?github\.com(?::\d+)?\/${path}`, 'i'),
]
