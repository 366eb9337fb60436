import { lintersOf } from '../../model/linters-of.ts'
import type { Config } from '../../model/project.ts'
import type { Session, SessionError } from '../../model/session.ts'
import type { Shipped } from '../../model/ship.ts'
import type { System } from '../../ports.ts'
import { clonedGitDir } from '../checkout/clone.ts'
import { openPull } from '../ship/open-pull.ts'
import type { Origin } from '../ship/origin.ts'
import { bringHome } from './sessions.ts'

export interface SessionShip {
  readonly folder: string
  /** `origin` as it was before the agent ran. */
  readonly origin: Origin | undefined
  readonly title: string
  readonly config: Config
  note(news: Partial<Session>): Promise<Session>
}

/** What happened to the work, and why it is not where it should be. */
export interface ShippedSession {
  readonly shipped: Shipped
  readonly error?: SessionError
}

/**
 * Pushes the branch of a session from its clone and opens a pull request. A branch that cannot be pushed is copied into the
 * user's repository, so that it is not lost.
 */
export async function shipSession(session: Session, ship: SessionShip, system: System): Promise<ShippedSession> {
  const { folder, origin, title, config, note } = ship
  const wish = {
    root: session.gitDirectory,
    gitDir: clonedGitDir(folder),
    branch: session.branch,
    timeLimit: config.commandTimeout,
    origin,
    base: origin && baseOf(session, origin),
    title,
    body: async () => pullRequestBody(session, config),
    isWanted: session.wantsPullRequest,
  }
  const { shipped, failure } = await openPull(wish, system)
  if (shipped.kind !== 'left') await note({ isPushed: true })
  if (shipped.kind === 'pull-request') {
    await note({ prUrl: shipped.url, ...(shipped.isMasked && { remark: 'secrets in its text were masked' }) })
    return { shipped }
  }
  const branch = shipped.kind === 'left' ? await comeHome(session, ship, system) : session.branch
  if (failure === undefined) {
    if (shipped.kind === 'left' || session.wantsPullRequest) await note({ remark: shipped.why })
    return { shipped: { ...shipped, branch } }
  }
  const { cause, message, hint } = failure
  const kind = cause === 'rejected' || cause === 'refused' ? 'git' : cause
  // The error carries the reason.
  const why = shipped.kind === 'left' ? 'not pushed' : 'pushed, no pull request'
  return { shipped: { ...shipped, branch, why }, error: { kind, message, hint } }
}

/** The base as a branch name of `origin`; its default branch where the base was a commit. */
function baseOf({ base }: Session, { defaultBranch }: Origin): string {
  if (base === undefined || base === 'HEAD' || /^[0-9a-f]{7,64}$|[~^@{]/.test(base)) return defaultBranch
  return base.replace(/^(?:refs\/heads\/|(?:refs\/remotes\/)?origin\/)/, '')
}

async function comeHome(known: Session, { folder, note }: SessionShip, system: System): Promise<string> {
  const home = await bringHome({ session: known, folder }, system)
  if (home !== undefined) await note({ homeBranch: home })
  return home ?? known.homeBranch ?? known.branch
}

/** The text of a pull request: what was done, what was asked for, what was checked, and which agent did it. */
export function pullRequestBody(
  session: Pick<Session, 'agent' | 'instructions' | 'extra' | 'fromFile' | 'summary'>,
  { postCommand, linter }: Pick<Config, 'postCommand' | 'linter'>,
): string {
  const { agent, instructions, extra = '', fromFile = '', summary = '' } = session
  const commands = [postCommand, ...lintersOf({ linter })].filter(command => command.trim() !== '')
  const checks =
    commands.length === 0
      ? 'The project has no commands of its own that relay could run.'
      : [
          ...commands.map(command => `- \`${command.replaceAll(/[`\n]/g, ' ')}\``),
          '',
          'relay ran them after the agent was done, and took the result.',
        ].join('\n')
  return [
    ['## Summary', withoutOrders(summary).trim() || instructions],
    ['## Instructions', [instructions, extra, fromFile].filter(text => text.trim() !== '').join('\n\n')],
    ['## Checks', checks],
    ['---', `Made by an agent (${agent}), by way of \`relay delegate\`.`],
  ]
    .flat()
    .join('\n\n')
    .concat('\n')
}

/**
 * Puts issue references after words like "closes" into code, where GitHub does not act on them: closing an issue is for the
 * user to decide, not for an agent.
 */
function withoutOrders(text: string): string {
  return text.replaceAll(
    /\b((?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+)((?:[\w.-]+\/[\w.-]+)?#\d+|GH-\d+|https?:\/\/[^\s/]+\/[^\s)]+\/\d+)/gi,
    '$1`$2`',
  )
}
