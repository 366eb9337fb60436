import { join } from 'node:path'
import { makeFolders } from '../kept-outside.ts'
import type { Config } from '../model/project.ts'
import type { Session, SessionError } from '../model/session.ts'
import type { Shipped } from '../model/ship.ts'
import type { System } from '../ports.ts'
import { pullRequestBody } from './books/session/pull-request-body.ts'
import { clonedGitDir } from './checkout/clone.ts'
import { stateFolderFor } from './run/run-folder.ts'
import { bringHome } from './sessions.ts'
import type { Origin } from './ship/origin.ts'
import { requestPull } from './ship/pull-request.ts'
import { pushBranch } from './ship/push.ts'

export interface SessionShip {
  readonly folder: string
  /** As it was before the agent ran. */
  readonly origin: Origin | undefined
  readonly title: string
  readonly config: Config
  note(news: Partial<Session>): Promise<Session>
}

/** What became of the work, and why it is not where it was to go. */
export interface ShippedSession {
  readonly shipped: Shipped
  readonly error?: SessionError
}

/**
 * Pushes the branch of a session from its clone and opens a pull request. What cannot be pushed comes into the user's repository
 * as a branch, so that it is not lost. Each step finds out whether it is done: a retry does none twice.
 */
export async function shipSession(known: Session, ship: SessionShip, system: System): Promise<ShippedSession> {
  const { folder, origin, title, config, note } = ship
  const { branch, gitDirectory: root } = known
  const timeLimit = config.commandTimeout
  if (origin === undefined) {
    const home = await comeHome(known, ship, system)
    const remark = 'there is no remote `origin` to push to'
    await note({ remark })
    return { shipped: { kind: 'left', branch: home, why: remark } }
  }
  const pushed = await pushBranch(
    { root, gitDir: clonedGitDir(folder), branch, url: origin.pushUrl, timeLimit },
    system,
  )
  if (pushed.kind === 'failed') {
    const home = await comeHome(known, ship, system)
    const { cause, message, hint } = pushed
    const kind = cause === 'rejected' ? 'git' : cause
    return { shipped: { kind: 'left', branch: home, why: message }, error: { kind, message, hint } }
  }
  const session = await note({ isPushed: true })
  const left = (why: string): Shipped => ({ kind: 'pushed', branch, why })
  if (!session.wantsPullRequest) return { shipped: left('pushed, and no pull request was wished') }
  const private_ = await makeFolders(join(stateFolderFor(system), 'ship'), system.files)
  const body = pullRequestBody(session, config)
  const request = { origin, branch, base: baseOf(session, origin), title, body, folder: private_, timeLimit }
  const pull = await requestPull(request, system)
  switch (pull.kind) {
    case 'opened':
    case 'open-already':
      await note({ prUrl: pull.url })
      return { shipped: { kind: 'pull-request', branch, url: pull.url, isNew: pull.kind === 'opened' } }
    case 'not-github':
      await note({ remark: pull.message })
      return { shipped: left(pull.message) }
    case 'failed': {
      const { cause, message, hint } = pull
      const kind = cause === 'refused' ? 'git' : cause
      return { shipped: left(message), error: { kind, message, hint } }
    }
  }
}

/** A branch as origin calls it; where it was a commit, the default branch. */
function baseOf({ base }: Session, { defaultBranch }: Origin): string {
  if (base === undefined || base === 'HEAD' || /^[0-9a-f]{7,64}$|[~^@{]/.test(base)) return defaultBranch
  return base.replace(/^(?:refs\/heads\/|(?:refs\/remotes\/)?origin\/)/, '')
}

async function comeHome(known: Session, { folder, note }: SessionShip, system: System): Promise<string> {
  const home = await bringHome({ session: known, folder }, system)
  if (home !== undefined) await note({ homeBranch: home })
  return home ?? known.homeBranch ?? known.branch
}
