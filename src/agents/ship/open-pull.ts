import type { Shipped } from '../../model/ship.ts'
import type { System } from '../../ports.ts'
import type { PullRequestFailure } from './github.ts'
import type { Origin } from './origin.ts'
import { requestPull } from './pull-request.ts'
import { type PushRequest, pushBranch } from './push.ts'
import type { PushFailure } from './push-failure.ts'

/** A wish for a pull request. */
export interface PullRequestDraft extends Omit<PushRequest, 'url'> {
  /** `origin` as it was before an agent ran. */
  readonly origin: Origin | undefined
  /** A branch of `origin`; by default its default branch. */
  readonly base: string | undefined
  readonly title: string
  body(): Promise<string>
  /** `false` only pushes the branch. */
  readonly isWanted?: boolean
}

/** What happened to the branch, and why it is not where it should be. */
export interface PullEnd {
  readonly shipped: Exclude<Shipped, { kind: 'merged' }>
  readonly failure?: PushFailure | PullRequestFailure
}

/** Pushes a branch and opens a pull request. Safe to call again after a kill: each step checks whether it is done already. */
export async function openPull(wish: PullRequestDraft, system: System): Promise<PullEnd> {
  const { branch, origin, base, title, timeLimit, isWanted = true } = wish
  const left = (why: string) => ({ kind: 'left', branch, why }) as const
  if (origin === undefined) return { shipped: left('there is no remote `origin` to push to') }
  const pushed = await pushBranch({ ...wish, url: origin.pushUrl }, system)
  if (pushed.kind === 'failed') return { shipped: left(wordsOf(pushed)), failure: pushed }
  const only = (why: string, isFailed = false) => ({ kind: 'pushed', branch, why, isFailed }) as const
  if (!isWanted) return { shipped: only('pushed; no pull request (--no-pr)') }
  const pull = await requestPull({ origin, branch, base, title, body: await wish.body(), timeLimit }, system)
  switch (pull.kind) {
    case 'opened':
      return { shipped: { kind: 'pull-request', branch, url: pull.url, isNew: true, isMasked: pull.isMasked } }
    case 'open-already':
      return { shipped: { kind: 'pull-request', branch, url: pull.url, isNew: false, isMasked: false } }
    case 'not-github':
      return { shipped: only(pull.message) }
    case 'failed':
      return { shipped: only(wordsOf(pull), true), failure: pull }
  }
}

function wordsOf({ message, hint }: PushFailure | PullRequestFailure): string {
  return `${message}. ${hint}`
}
