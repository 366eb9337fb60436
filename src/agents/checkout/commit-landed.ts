import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { digest } from '../../ground/bytes.ts'
import { isSameContent } from '../../model/path-state.ts'
import type { PathState } from '../../model/plan.ts'
import type { Committed } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { type Doors, runProgram } from './program.ts'
import { repositoryState } from './repository-state.ts'
import { type GitAnswer, type GitLimits, type UsersGit, usersGit } from './users-git.ts'
import { findUsersRepository } from './users-repository.ts'
import { usersStatus } from './users-status.ts'

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

/** Paths with edits that are in no commit. */
export interface Uncommitted {
  /** A commit of these would include the user's own changes. */
  readonly edited: readonly string[]
  /** Paths that relay does not compare, because a filter that the repository itself sets stands between. */
  readonly uncompared: readonly string[]
}

/** What relay's own undos made of a path: the states that they found, one of which the last commit may have, and what is left. */
interface Undone {
  readonly before: readonly PathState[]
  readonly after: PathState
}

interface ToCompare extends Pick<ToCommit, 'folder' | 'paths'> {
  /** Those of these paths that an undo changed last. What it did there is no edit of the user's. */
  readonly undone?: (paths: readonly string[]) => Promise<ReadonlyMap<string, Undone>>
}

/** Those of these paths that differ from the last commit already. `undefined` where there is no repository with a commit. */
export async function uncommittedAmong(
  { folder, paths, undone = async () => new Map() }: ToCompare,
  system: Doors,
): Promise<Uncommitted | undefined> {
  const git = literalGit(folder, system)
  const head = await headOf(git)
  if (head === undefined) return undefined
  const status = await usersStatus(git)
  if (status === undefined) return { edited: [], uncompared: paths }
  if (status.code !== 0)
    throw new RelayError('failed', whyNot({ ...status, out: '', complaint: 'git status was ended' }))
  const isNamed = new Set(paths)
  const found = status.entries
    .filter(({ path }) => path.startsWith(head.prefix))
    .map(entry => ({ ...entry, path: entry.path.slice(head.prefix.length) }))
    .filter(({ path }) => isNamed.has(path))
  const those = (isUncompared: boolean) =>
    found.filter(each => each.isUncompared === isUncompared).map(({ path }) => path)
  const edited = [...new Set(those(false))]
  // What is in the index, the user has put there.
  const isStaged = new Set(found.filter(({ code }) => !/^[ ?]/.test(code)).map(({ path }) => path))
  const loose = edited.filter(path => !isStaged.has(path))
  const known = loose.length === 0 ? new Map<string, Undone>() : await undone(loose)
  const isUndone = new Set<string>()
  for (const [path, each] of known) if (await isOnlyUndone({ folder, path }, each, system)) isUndone.add(path)
  return { edited: edited.filter(path => !isUndone.has(path)), uncompared: those(true) }
}

interface Place {
  readonly folder: string
  readonly path: string
}

/** Nothing but an undo stands between the last commit and the disk. */
async function isOnlyUndone(place: Place, { before, after }: Undone, system: Doors): Promise<boolean> {
  const { files } = system
  const at = join(place.folder, place.path)
  const [now, stat] = [await files.inspect(at), await files.stat(at)]
  const isAsLeft =
    after === null
      ? now === null
      : after.kind === 'file' && isSameContent(now, after) && mayRun(stat?.mode) === mayRun(after.mode)
  if (!isAsLeft) return false
  for (const state of before) {
    if (state?.kind === 'link') continue
    if (await isCommitted({ ...place, bytes: state?.bytes ?? null }, system)) return true
  }
  return false
}

/** As git tells a program. */
function mayRun(mode = 0): boolean {
  return (mode & 0o100) !== 0
}

/**
 * Whether the last commit has a file with exactly these bytes, or none there for `null`. `false` also where git stores other
 * bytes than the folder has, for example because of a filter.
 */
export async function isCommitted(
  { folder, path, bytes }: Place & { readonly bytes: Uint8Array | null },
  system: Doors,
): Promise<boolean> {
  const git = literalGit(folder, system)
  const { code, out } = await git(['ls-tree', '-z', 'HEAD', '--', path])
  if (bytes === null) return code === 0 && out === ''
  const [, name = ''] = / ([0-9a-f]{40,64})\t/.exec(out) ?? []
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

async function commit(what: ToCommit, before: Head, git: UsersGit, system: Doors): Promise<Committed> {
  const { folder, paths, message, timeLimit, env = system.env } = what
  const codes = await codesSince(before, git)
  // A file that the user took out of the index is not committed, where git ignores it now.
  const changed = paths.filter(path => codes.has(path) && codes.get(path) !== 'D ')
  if (changed.length === 0) {
    const ignored = await ignoredAmong(paths, usersGit(folder, { timeLimit: usualTimeLimit, from: env }, system))
    const wanted = paths.filter(path => !ignored.has(path))
    return (await madeBefore(wanted, message, git)) ?? { kind: 'none' }
  }
  const added = changed.filter(path => codes.get(path)?.endsWith(untracked))
  const args = ['commit', '--quiet', '--only', '--cleanup=verbatim', '--message', message, ...fromStdin]
  let made: GitAnswer | undefined
  let sha: string | undefined
  let all: readonly string[] = []
  try {
    if (added.length > 0) made = await git(['add', '--intent-to-add', ...fromStdin], nulJoined(added))
    if (made === undefined || made.code === 0)
      made = await literalGit(folder, system, { from: env, timeLimit })(args, nulJoined(changed))
    const [last = '', ...names] = await lastCommit(git)
    if (last !== '' && last !== before.commit) [sha, all] = [last, names]
  } finally {
    if (sha === undefined && added.length > 0)
      await git(['reset', '--quiet', ...fromStdin], { ...nulJoined(added), isCleanup: true })
  }
  if (sha === undefined) return not(whyNot(made))
  // A hook may have changed or added files that the index does not know yet. Without a path, git would reset all of them.
  if (all.length > 0) await git(['reset', '--quiet', ...fromStdin], nulJoined(all))
  return { kind: 'commit', sha }
}

/** The hash of the last commit, then the paths that it changed in the folder. */
async function lastCommit(git: UsersGit): Promise<readonly string[]> {
  const { out } = await git(['diff-tree', '--always', '--name-only', '-r', '-z', '--relative', 'HEAD'])
  return out.split('\0').filter(Boolean)
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

interface Head {
  readonly commit: string
  /** The path from the top of the repository to the folder: empty, or with a slash at its end. */
  readonly prefix: string
}

async function headOf(git: UsersGit): Promise<Head | undefined> {
  const { code, out } = await git(['rev-parse', '--quiet', '--show-prefix', '--verify', 'HEAD'])
  const end = out.lastIndexOf('\n')
  return code === 0 ? { prefix: out.slice(0, end), commit: out.slice(end + 1) } : undefined
}

/** The code of `git status` for a file that is not in the index. */
const untracked = '??'

/**
 * The paths in the folder that differ from the last commit, with their codes of `git status`. One that the index has lost has
 * two codes where it is still in the folder, and git does not ignore it.
 */
async function codesSince({ prefix }: Head, git: UsersGit): Promise<ReadonlyMap<string, string>> {
  const status = await git(['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all'])
  // What git needs here is missing.
  const kind = /\bgit-lfs: (?:command )?not found/.test(status.err) ? 'environment' : 'failed'
  if (status.code !== 0) throw new RelayError(kind, whyNot(status))
  const codes = new Map<string, string>()
  for (const entry of status.out.split('\0').filter(each => each.startsWith(prefix, codeLength))) {
    const path = entry.slice(codeLength + prefix.length)
    codes.set(path, `${codes.get(path) ?? ''}${entry.slice(0, 2)}`)
  }
  return codes
}

/** Two letters and a blank. */
const codeLength = 3

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
