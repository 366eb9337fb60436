import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { digest } from '../../ground/bytes.ts'
import type { Committed } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { type Doors, runProgram } from './program.ts'
import { repositoryState } from './repository-state.ts'
import { type GitAnswer, type GitLimits, type UsersGit, usersGit } from './users-git.ts'
import { findUsersRepository } from './users-repository.ts'

/** The paths to commit, relative to the folder, with `/` as the separator. */
export interface ToCommit {
  readonly folder: string
  readonly paths: readonly string[]
  readonly message: string
  /** Seconds, for git including all hooks. */
  readonly timeLimit: number
  /** The environment of the hooks. By default, relay's own environment. */
  readonly env?: System['env'] | undefined
}

/**
 * The paths that differ from the last commit already: a commit of them would include the user's own changes. `undefined` where
 * there is no repository with a commit.
 */
export async function uncommittedAmong(
  { folder, paths }: Pick<ToCommit, 'folder' | 'paths'>,
  system: Doors,
): Promise<readonly string[] | undefined> {
  const git = literalGit(folder, system)
  if ((await headOf(git)) === undefined) return undefined
  return changedAmong(paths, git)
}

/**
 * Whether the last commit has a file with exactly these bytes. `false` also where git stores other bytes than the folder has,
 * for example because of a filter.
 */
export async function isCommitted(
  { folder, path, bytes }: { readonly folder: string; readonly path: string; readonly bytes: Uint8Array },
  system: Doors,
): Promise<boolean> {
  const git = literalGit(folder, system)
  const [, name = ''] = / ([0-9a-f]{40,64})\t/.exec((await git(['ls-tree', '-z', 'HEAD', '--', path])).out) ?? []
  return name === digest(name.length === 40 ? 'sha1' : 'sha256', `blob ${bytes.length}\0`, bytes)
}

/**
 * Commits exactly these paths as they are on the disk, with the user's git, hooks and signing, and without a terminal. Other
 * staged changes stay staged. Leaves out new paths that git ignores. Finds a commit that a killed relay run made already, and
 * does not make it again.
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
  // A hook may have changed or added files that the index does not know yet.
  const all = (await git(['diff-tree', '--no-commit-id', '--name-only', '-r', '-z', '--relative', 'HEAD'])).out
  await git(['reset', '--quiet', ...fromStdin], { stdin: all })
  return { kind: 'commit', sha: after }
}

async function ignoredAmong(paths: readonly string[], git: UsersGit): Promise<ReadonlySet<string>> {
  // With `./` before it, no path can be read as a pattern.
  const { out } = await git(['check-ignore', '-z', '--stdin'], nulJoined(paths.map(path => `./${path}`)))
  return new Set(out.split('\0').map(path => path.slice('./'.length)))
}

const fromStdin = ['--pathspec-from-file=-', '--pathspec-file-nul']

function not(why: string): Committed {
  return { kind: 'not-committed', why }
}

/** Seconds, for git commands that run no hooks. */
const usualTimeLimit = 60

/** Git that reads no path as a pattern and takes no optional lock. */
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

/**
 * The last commit, if it is the one that relay was to make. Compares the paths, and looks for the message inside the commit's
 * message, because a hook may have added to it.
 */
async function madeBefore(paths: readonly string[], message: string, git: UsersGit): Promise<Committed | undefined> {
  const [sha = '', body = ''] = (await git(['log', '-1', '--format=%H%x00%B'])).out.split('\0')
  const files = (await git(['diff-tree', '--root', '--no-commit-id', '--name-only', '-r', '-z', '--relative', 'HEAD']))
    .out
  const holds = paths.length > 0 && paths.every(path => files.split('\0').includes(path))
  return holds && body.includes(message.trim()) ? { kind: 'commit', sha } : undefined
}

/** Waits up to 10 s for another git to finish: one that a killed relay run started may still be committing. */
async function unlocked(folder: string, system: Doors): Promise<void> {
  const repository = await findUsersRepository(folder, system)
  if (repository === undefined) return
  for (let times = 0; times < mostWaits; times++) {
    if ((await system.files.stat(join(repository.gitDir, 'index.lock'))) === null) return
    await runProgram(['sleep', '0.2'], { cwd: '/' }, system)
  }
}

const mostWaits = 50

/** The error that git names, else the end of its output. */
function whyNot({ out, err, code, complaint }: GitAnswer): string {
  if (code === undefined) return complaint
  const words = (err || out).split('\n').filter(line => line.trim() !== '' && !line.startsWith('hint:'))
  const said = words.filter(line => /^(?:fatal|error):/.test(line))
  return (said.length > 0 ? said.slice(0, 2) : words.slice(-3)).join(' / ') || `git ended with ${code}`
}

function nulJoined(paths: readonly string[]): { readonly stdin: string } {
  return { stdin: paths.map(path => `${path}\0`).join('') }
}
