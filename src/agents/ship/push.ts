import { join } from 'node:path'
import { usersGitAt } from '../checkout/git.ts'
import type { Doors } from '../checkout/program.ts'
import { type GitAnswer, type UsersGit, usersGit } from '../checkout/users-git.ts'
import { setting } from './origin.ts'
import { type PushFailure, pushFailure } from './push-failure.ts'

export interface PushRequest {
  /** The project's root in the user's folder. Its push settings apply. */
  readonly root: string
  /** relay's git directory with the branch. By default, the user's repository has the branch. */
  readonly gitDir?: string
  readonly branch: string
  /** Read before an agent ran: `Origin.pushUrl`. */
  readonly url: string
  /** Seconds. */
  readonly timeLimit: number
}

export type Pushed = { readonly kind: 'pushed' | 'up-to-date' } | PushFailure

/**
 * Pushes a branch with the user's SSH agent or credential helper, never by force.
 *
 * Asks for no password or passphrase: a push that needs one fails, and says what to do. A branch of the user's repository
 * tracks the pushed branch afterwards (`push -u`), and the user's `pre-push` hook runs. A branch in relay's repository is
 * pushed with the settings of the user's repository, which stays as it is; no hook runs.
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

/** A remote that exists in no file. Its URL is in the environment, so a password in the URL appears on no command line. */
const nameless = 'relay-push'

function remoteFor(url: string, { env }: Doors): Record<string, string> {
  const at = Number(env['GIT_CONFIG_COUNT'] ?? 0)
  return {
    GIT_CONFIG_COUNT: `${at + 1}`,
    [`GIT_CONFIG_KEY_${at}`]: `remote.${nameless}.url`,
    [`GIT_CONFIG_VALUE_${at}`]: url,
  }
}

/** Makes SSH ask nothing. An SSH command that the user has set stays: it cannot ask either without a terminal. */
async function sshWithoutQuestions(git: UsersGit, { env }: Doors): Promise<Record<string, string>> {
  const isSet = env['GIT_SSH_COMMAND'] || env['GIT_SSH'] || (await setting('core.sshCommand', git))
  return isSet ? {} : { GIT_SSH_COMMAND: 'ssh -o BatchMode=yes' }
}

/** English output, so that relay can tell failures apart. */
const readable = { LC_ALL: 'C.UTF-8', LANGUAGE: '' }

interface RefStatus {
  readonly sign: string
  readonly summary: string
}

/** The status that git prints for the branch, in the `--porcelain` format: a sign, a TAB, the names, a TAB, and the summary. */
function statusOf({ out }: GitAnswer): RefStatus | undefined {
  const [, sign, summary] = /^([ +*=!-])\t[^\t\n]+\t(.+)$/m.exec(out) ?? []
  return sign === undefined || summary === undefined ? undefined : { sign, summary }
}

function rejectionIn(answer: GitAnswer): string | undefined {
  const status = statusOf(answer)
  return status?.sign === '!' ? status.summary : undefined
}
