import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { digest } from '../../ground/digest.ts'
import type { Committed } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { type Doors, runProgram } from './program.ts'
import { repositoryState } from './repository-state.ts'
import { type GitAnswer, type GitLimits, type UsersGit, usersGit } from './users-git.ts'
import { findUsersRepository } from './users-repository.ts'

/** What is committed: paths relative to the folder, with `/` between their parts. */
export interface ToCommit {
  readonly folder: string
  readonly paths: readonly string[]
  readonly message: string
  /** Seconds, for git with all its hooks. */
  readonly timeLimit: number
  /** What the hooks get; by default that of relay's own programs. */
  readonly env?: System['env'] | undefined
}

/**
 * The paths that differ from the last commit already, so that a commit of theirs would take in what is the user's;
 * `undefined`: there is no repository with a commit.
 */
export async function uncommittedAmong(
  { folder, paths }: Pick<ToCommit, 'folder' | 'paths'>,
  system: Doors,
): Promise<readonly string[] | undefined> {
  const git = literalGit(folder, system)
  if ((await headOf(git)) === undefined) return undefined
  return changedAmong(paths, git)
}

/** Whether the last commit has a file just so. Where git keeps other bytes than those in the folder, it is not known. */
export async function isCommitted(
  { folder, path, bytes }: { readonly folder: string; readonly path: string; readonly bytes: Uint8Array },
  system: Doors,
): Promise<boolean> {
  const git = literalGit(folder, system)
  const [, name = ''] = / ([0-9a-f]{40,64})\t/.exec((await git(['ls-tree', '-z', 'HEAD', '--', path])).out) ?? []
  return name === digest(name.length === 40 ? 'sha1' : 'sha256', `blob ${bytes.length}\0`, bytes)
}

/**
 * Commits exactly these paths as they are on the disk, by the user's git with its hooks and its signing, and with no terminal.
 * What else is staged stays staged. New paths that git ignores are left out. A commit that was made already, by a relay that
 * was killed, is found, and not made again.
 */
export async function commitLanded(what: ToCommit, system: Doors): Promise<Committed> {
  const { folder, env = system.env } = what
  const git = literalGit(folder, system, { from: env })
  const before = await headOf(git)
  if (before === undefined) return { kind: 'none' }
  await unlocked(folder, system)
  const state = await repositoryState(folder, system)
  if (state !== 'ready') return not(`a ${state} is under way`)
  try {
    return await commit(what, before, git, system)
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    return not(error.message)
  }
}

async function commit(what: ToCommit, before: string, git: UsersGit, system: Doors): Promise<Committed> {
  const { folder, paths, message, timeLimit, env = system.env } = what
  const tracked = new Set((await git(['ls-files', '-z'])).out.split('\0'))
  const ignored = await ignoredAmong(
    paths.filter(path => !tracked.has(path)),
    usersGit(folder, { timeLimit: usualTimeLimit, from: env }, system),
  )
  const wanted = paths.filter(path => !ignored.has(path))
  const changed = await changedAmong(wanted, git)
  if (changed.length === 0) return (await madeBefore(wanted, message, git)) ?? { kind: 'none' }
  const added = changed.filter(path => !tracked.has(path))
  const args = ['commit', '--quiet', '--only', '--cleanup=verbatim', '--message', message, ...fromStdin]
  let after: string | undefined
  let made: GitAnswer
  try {
    made = await git(['add', '--intent-to-add', ...fromStdin], nulJoined(added))
    if (made.code === 0) made = await literalGit(folder, system, { from: env, timeLimit })(args, nulJoined(changed))
    after = await headOf(git)
  } finally {
    const isMade = after !== undefined && after !== before
    if (!isMade && added.length > 0)
      await git(['reset', '--quiet', ...fromStdin], { ...nulJoined(added), isCleanup: true })
  }
  if (after === undefined || after === before) return not(whyNot(made))
  // A hook may have changed or added files, of which the index knows nothing yet.
  const all = (await git(['diff-tree', '--no-commit-id', '--name-only', '-r', '-z', '--relative', 'HEAD'])).out
  await git(['reset', '--quiet', ...fromStdin], { stdin: all })
  return { kind: 'commit', sha: after }
}

async function ignoredAmong(paths: readonly string[], git: UsersGit): Promise<ReadonlySet<string>> {
  // With a dot before it no path begins as one of git's patterns does.
  const { out } = await git(['check-ignore', '-z', '--stdin'], nulJoined(paths.map(path => `./${path}`)))
  return new Set(out.split('\0').map(path => path.slice('./'.length)))
}

const fromStdin = ['--pathspec-from-file=-', '--pathspec-file-nul']

function not(why: string): Committed {
  return { kind: 'not-committed', why }
}

/** Seconds, for what runs no hooks. */
const usualTimeLimit = 60

/** No path is a pattern, and nothing waits for a lock that it can do without. */
function literalGit(folder: string, system: Doors, limits: Partial<GitLimits> = {}): UsersGit {
  const env = { GIT_OPTIONAL_LOCKS: '0', GIT_LITERAL_PATHSPECS: '1' }
  return usersGit(folder, { timeLimit: usualTimeLimit, ...limits, env }, system)
}

async function headOf(git: UsersGit): Promise<string | undefined> {
  return (await git(['rev-parse', '--quiet', '--verify', 'HEAD'])).out.trim() || undefined
}

async function changedAmong(paths: readonly string[], git: UsersGit): Promise<readonly string[]> {
  const prefix = (await git(['rev-parse', '--show-prefix'])).out
  const status = await git(['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all'])
  if (status.code !== 0) throw new RelayError('failed', whyNot(status))
  const changed = new Set(status.out.split('\0').map(entry => entry.slice(3)))
  return paths.filter(path => changed.has(`${prefix}${path}`))
}

/** The last commit, where it is the one that was to be made: by its message, to which a hook may have added something. */
async function madeBefore(paths: readonly string[], message: string, git: UsersGit): Promise<Committed | undefined> {
  const [sha = '', body = ''] = (await git(['log', '-1', '--format=%H%x00%B'])).out.split('\0')
  const files = (await git(['diff-tree', '--root', '--no-commit-id', '--name-only', '-r', '-z', '--relative', 'HEAD']))
    .out
  const holds = paths.length > 0 && paths.every(path => files.split('\0').includes(path))
  return holds && body.includes(message.trim()) ? { kind: 'commit', sha } : undefined
}

/** Waits a moment for a git that works there: that of a relay that was killed may still be at its commit. */
async function unlocked(folder: string, system: Doors): Promise<void> {
  const repository = await findUsersRepository(folder, system)
  if (repository === undefined) return
  for (let times = 0; times < mostWaits; times++) {
    if ((await system.files.stat(join(repository.gitDir, 'index.lock'))) === null) return
    await runProgram(['sleep', '0.2'], { cwd: '/' }, system)
  }
}

const mostWaits = 50

/** What git itself says went wrong, else the end of what was printed. */
function whyNot({ out, err, code, complaint }: GitAnswer): string {
  if (code === undefined) return complaint
  const words = (err || out).split('\n').filter(line => line.trim() !== '' && !line.startsWith('hint:'))
  const said = words.filter(line => /^(?:fatal|error):/.test(line))
  return (said.length > 0 ? said.slice(0, 2) : words.slice(-3)).join(' / ') || `git ended with ${code}`
}

function nulJoined(paths: readonly string[]): { readonly stdin: string } {
  return { stdin: paths.map(path => `${path}\0`).join('') }
}
