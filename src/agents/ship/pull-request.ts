import type { Doors } from '../checkout/program.ts'
import { hideSecrets } from '../checkout/secrets.ts'
import { gh, isGhReady } from './gh.ts'
import type { PullRequestFailure, Wanted, WebDoors } from './github.ts'
import { maskSecrets } from './mask-secrets.ts'
import type { Origin } from './origin.ts'
import { restApi } from './rest-api.ts'

export interface PullRequest {
  readonly origin: Origin
  readonly branch: string
  /** The target branch; by default the default branch of `origin`. */
  readonly base?: string | undefined
  readonly title: string
  readonly body: string
  /** Seconds, for each step. */
  readonly timeLimit: number
}

export type PullRequested =
  /** `isMasked`: its text does not hold all that was asked for, since there were secrets in it. */
  | { readonly kind: 'opened'; readonly url: string; readonly isMasked: boolean }
  | { readonly kind: 'open-already'; readonly url: string }
  /** Only pushed: `origin` is not on GitHub. */
  | { readonly kind: 'not-github'; readonly message: string }
  | PullRequestFailure

/**
 * Opens a pull request for a pushed branch, or finds the open one: with gh where it is logged in, else through the REST API.
 */
export async function requestPull(request: PullRequest, system: WebDoors): Promise<PullRequested> {
  const { origin, branch } = request
  const repository = origin.github
  if (repository === undefined) return { kind: 'not-github', message: 'pushed, no pull request: not GitHub' }
  const { owner } = origin.pushesTo ?? repository
  const [title, body] = [await maskSecrets(request.title, system.env), await maskSecrets(request.body, system.env)]
  const isMasked = title !== request.title || body !== request.body
  const wanted: Wanted = {
    ...request,
    title: pullRequestTitle(title),
    body: body.slice(0, mostInBody),
    repository,
    base: request.base ?? origin.defaultBranch,
    owner,
    head: owner === repository.owner ? branch : `${owner}:${branch}`,
  }
  const account = await accountOf(system)
  if (account === undefined) return noAccount
  const gitHub = account === 'gh' ? gh(wanted, system) : restApi(wanted, account.token, system)
  const found = await gitHub.find()
  if (typeof found === 'string') return { kind: 'open-already', url: found }
  if (found !== undefined && found.cause !== 'refused') return found
  const opened = await gitHub.open()
  if (typeof opened === 'string') return { kind: 'opened', url: opened, isMasked }
  // Another run may have opened one meanwhile.
  const other = opened.cause === 'refused' ? await gitHub.find() : undefined
  return typeof other === 'string' ? { kind: 'open-already', url: other } : opened
}

/** Something that a pull request needs and does not have. */
export interface Missing {
  readonly kind: 'no-origin' | 'not-github' | 'no-account'
  readonly message: string
  /** What happens to the branch then, or what to do. */
  readonly hint: string
}

/** Finds what a pull request would lack, before any agent is paid for. */
export async function prPreflight(origin: Origin | undefined, system: Doors): Promise<readonly Missing[]> {
  if (origin === undefined) {
    const hint = 'The branch comes to your repository.'
    return [{ kind: 'no-origin', message: 'The repository has no remote `origin` to push to', hint }]
  }
  if (origin.github === undefined) {
    const message = `${hideSecrets(origin.url, system.env)} is not on GitHub`
    return [{ kind: 'not-github', message, hint: 'The branch is pushed there, and no pull request is opened.' }]
  }
  if ((await accountOf(system)) !== undefined) return []
  return [{ kind: 'no-account', message: noAccount.message, hint: noAccount.hint }]
}

const noAccount: PullRequestFailure = {
  kind: 'failed',
  cause: 'auth',
  message: 'gh is not logged in, and GITHUB_TOKEN is not set',
  hint: 'Run `gh auth login`, or set GITHUB_TOKEN.',
}

async function accountOf(system: Doors): Promise<'gh' | { readonly token: string } | undefined> {
  if (await isGhReady(system)) return 'gh'
  const token = system.env['GITHUB_TOKEN']?.trim()
  return token ? { token } : undefined
}

/** In UTF-16 units. GitHub's limit is slightly higher. */
const mostInBody = 65_000
const mostInTitle = 72

/** The text as one line of at most 72 characters, cut between words, without the markers of a list, quote or heading. */
export function pullRequestTitle(text: string): string {
  const line = text
    .replace(/^(?:\s*[-*>#]+\s)+/, '')
    .trim()
    .split(/\s+/)
    .join(' ')
  const signs = [...line]
  if (signs.length <= mostInTitle) return line
  const cut = signs.slice(0, mostInTitle - 1).join('')
  const words = signs[mostInTitle - 1] === ' ' ? cut : cut.replace(/ [^ ]*$/, '')
  return `${words.replace(/[\s,;:.–-]+$/, '')}…`
}
