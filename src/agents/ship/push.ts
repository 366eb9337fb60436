import { join } from 'node:path'
import { usersGitAt } from '../checkout/git.ts'
import type { Doors } from '../checkout/program.ts'
import { type GitAnswer, type UsersGit, usersGit } from '../checkout/users-git.ts'
import { setting } from './origin.ts'
import { type PushFailure, pushFailure } from './push-failure.ts'

export interface PushRequest {
  /** The project's root in the user's folder: what is set there for pushes counts. */
  readonly root: string
  /** A git directory of relay's that holds the branch; without it, the user's does. */
  readonly gitDir?: string
  readonly branch: string
  /** Read before an agent ran: `Origin.pushUrl`. */
  readonly url: string
  /** Seconds. */
  readonly timeLimit: number
}

export type Pushed = { readonly kind: 'pushed' | 'up-to-date' } | PushFailure

/**
 * Pushes a branch with the SSH agent or the credential helper of the user, and never by force.
 *
 * Nobody is asked for a password or a passphrase: what would need one fails, and says what to do. A branch of the user's
 * follows what was pushed from then on (`push -u`), and the hook of the user's looks at it. One in a repository of relay's is
 * pushed from outside: the user's lends its settings, and learns nothing.
 */
export async function pushBranch(request: PushRequest, system: Doors): Promise<Pushed> {
  const { root, gitDir, branch, url, timeLimit } = request
  const ssh = await sshWithoutQuestions(usersGit(root, { timeLimit }, system), system)
  const env = { ...readable, ...ssh, ...remoteFor(url, system), ...(gitDir === undefined ? {} : objectsOf(gitDir)) }
  const git = usersGit(root, { timeLimit, env }, system)
  const isOrigin = gitDir === undefined && (await pushUrlOf(git)) === url
  const where = isOrigin ? ['--set-upstream', 'origin'] : [nameless]
  const from = gitDir === undefined ? `refs/heads/${branch}` : await tipIn(gitDir, branch, system)
  const hooks = gitDir === undefined ? [] : ['-c', 'core.hooksPath=/dev/null']
  const plainly = ['--porcelain', '--no-follow-tags', '--recurse-submodules=no', '--no-progress']
  const answer = await git([...hooks, 'push', ...plainly, ...where, `${from}:refs/heads/${branch}`])
  if (answer.code === 0) return { kind: statusOf(answer)?.sign === '=' ? 'up-to-date' : 'pushed' }
  return pushFailure(answer, { rejection: rejectionIn(answer), branch, url }, system.env)
}

async function tipIn(gitDir: string, branch: string, system: Doors): Promise<string> {
  return (await usersGitAt(gitDir, '/', system)(['rev-parse', '--verify', `refs/heads/${branch}^{commit}`])).trim()
}

function objectsOf(gitDir: string): Record<string, string> {
  return { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(gitDir, 'objects')) }
}

async function pushUrlOf(git: UsersGit): Promise<string | undefined> {
  return (await setting('remote.origin.pushurl', git)) ?? (await setting('remote.origin.url', git))
}

/** The name of a remote that is in no file: so a URL that holds a password stands on no command line. */
const nameless = 'relay-push'

function remoteFor(url: string, { env }: Doors): Record<string, string> {
  const at = Number(env['GIT_CONFIG_COUNT'] ?? 0)
  return {
    GIT_CONFIG_COUNT: `${at + 1}`,
    [`GIT_CONFIG_KEY_${at}`]: `remote.${nameless}.url`,
    [`GIT_CONFIG_VALUE_${at}`]: url,
  }
}

/** The way to SSH that the user has set is left as it is: without a terminal it cannot ask either. */
async function sshWithoutQuestions(git: UsersGit, { env }: Doors): Promise<Record<string, string>> {
  const isSet = env['GIT_SSH_COMMAND'] || env['GIT_SSH'] || (await setting('core.sshCommand', git))
  return isSet ? {} : { GIT_SSH_COMMAND: 'ssh -o BatchMode=yes' }
}

/** Its words can be told apart. */
const readable = { LC_ALL: 'C.UTF-8', LANGUAGE: '' }

interface RefStatus {
  readonly sign: string
  readonly summary: string
}

/** What git says of the one branch: its sign, a TAB, the names, a TAB, and the rest. */
function statusOf({ out }: GitAnswer): RefStatus | undefined {
  const [, sign, summary] = /^([ +*=!-])\t[^\t\n]+\t(.+)$/m.exec(out) ?? []
  return sign === undefined || summary === undefined ? undefined : { sign, summary }
}

function rejectionIn(answer: GitAnswer): string | undefined {
  const status = statusOf(answer)
  return status?.sign === '!' ? status.summary : undefined
}
