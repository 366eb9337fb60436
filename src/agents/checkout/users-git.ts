import type { Doors, Printed } from './program.ts'
import { runToEnd } from './program.ts'
import { hideSecrets } from './secrets.ts'

/** The limits and the environment for calls of the user's git. */
export interface GitLimits {
  /** Seconds. */
  readonly timeLimit: number
  /** The environment of git and its hooks. By default, relay's own environment. */
  readonly from?: Readonly<Record<string, string>>
  /** Added to `from`. */
  readonly env?: Readonly<Record<string, string>>
}

interface CallOptions {
  /** Runs also after Ctrl+C. */
  readonly isCleanup?: boolean
  readonly stdin?: string
}

/** Runs git and gives how it ended. Secrets are hidden in what git printed to stderr. */
export type UsersGit = (args: readonly string[], options?: CallOptions) => Promise<GitAnswer>

export interface GitAnswer extends Omit<Printed, 'code'> {
  /** `undefined` where git did not end by itself. */
  readonly code: number | undefined
  /** The last error, where git failed. The lines before it are only progress. */
  readonly complaint: string
}

/**
 * The user's own git in a folder of the user, with everything configured for it: hooks, signing, credentials, URL rewrites.
 *
 * It cannot ask anything: there is no terminal, editor or window. It leaves no process behind either, because relay would end
 * that in the middle of its work.
 */
export function usersGit(cwd: string, limits: GitLimits, system: Doors): UsersGit {
  const env = { ...withoutPlaces(limits.from ?? system.env), ...askNobody, ...limits.env }
  const options = { cwd, env, path: system.env['PATH'], timeLimit: limits.timeLimit }
  return async (args, { isCleanup = false, stdin = '' } = {}) => {
    const signal = isCleanup ? new AbortController().signal : system.interruption
    const argv = ['git', ...stayAlone, ...args]
    const { end, out, err } = await runToEnd(argv, { ...options, stdin, signal }, system)
    if (!isCleanup) system.interruption.throwIfAborted()
    const printed = { out, err: hideSecrets(err, system.env) }
    if (end.kind === 'exit') {
      const complaint = end.code === 0 ? '' : hideSecrets(lastError(`${out}\n${err}`), system.env)
      return { ...printed, code: end.code, complaint }
    }
    const why = end.kind === 'time-limit' ? `took longer than ${limits.timeLimit} seconds` : 'was ended'
    return { ...printed, code: undefined, complaint: `git ${why}` }
  }
}

/** The commit that a name stands for; `undefined` where there is none. */
export async function commitOf(name: string, git: UsersGit): Promise<string | undefined> {
  const { code, out } = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`])
  return code === 0 ? out.trim() : undefined
}

export async function isAncestor(older: string, newer: string, git: UsersGit): Promise<boolean> {
  return (await git(['merge-base', '--is-ancestor', older, newer])).code === 0
}

function lastError(printed: string): string {
  const lines = printed.split('\n').filter(line => line.trim() !== '' && !line.startsWith('hint:'))
  const error = lines.findLast(line => /^(?:error|fatal):/.test(line)) ?? lines.at(-1)
  return error?.replace(/^(?:error|fatal): /, '').trim() ?? 'it said nothing'
}

/** No monitor either: one that came with a clone would be a program of a stranger. */
const stayAlone = ['gc.auto=0', 'maintenance.auto=false', 'core.fsmonitor=false'].flatMap(each => ['-c', each])

/** An empty `GIT_ASKPASS` overrules `core.askPass` and `SSH_ASKPASS`. */
const askNobody = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_EDITOR: ':',
  GIT_MERGE_AUTOEDIT: 'no',
}

/**
 * Removes the variables by which git tells its hooks their repository: a hook may have started relay, which works elsewhere.
 */
function withoutPlaces(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !places.test(name) && name !== 'SSH_ASKPASS'))
}

const places =
  /^GIT_(?:ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|DIR|GRAFT_FILE|IMPLICIT_WORK_TREE|INDEX_FILE|NAMESPACE|OBJECT_DIRECTORY|PREFIX|SHALLOW_FILE|WORK_TREE)$/
