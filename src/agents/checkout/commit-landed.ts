import type { Committed } from '../../model/task.ts'
import { type Doors, type Printed, runProgram } from './program.ts'

/** What is committed: paths relative to the folder, with `/` between their parts. */
export interface ToCommit {
  readonly folder: string
  readonly paths: readonly string[]
  readonly message: string
  /** Seconds, for git with all its hooks. */
  readonly timeLimit: number
  /** What git hands on to the hooks; by default that of relay's own programs. */
  readonly env?: Doors['env']
}

/**
 * The paths that differ from the last commit already, so that a commit of theirs would take in what is the user's;
 * `undefined`: there is no repository with a commit.
 */
export async function uncommittedAmong(
  { folder, paths }: Pick<ToCommit, 'folder' | 'paths'>,
  system: Doors,
): Promise<readonly string[] | undefined> {
  const git = usersGit({ folder }, system)
  if ((await git(['rev-parse', '--quiet', '--verify', 'HEAD'])).code !== 0) return undefined
  const prefix = (await git(['rev-parse', '--show-prefix'])).out
  const { code, out } = await git(['status', '--porcelain=v1', '-z', '--no-renames', '--untracked-files=all'])
  if (code !== 0) return undefined
  const changed = new Set(out.split('\0').map(entry => entry.slice(3)))
  return paths.filter(path => changed.has(`${prefix}${path}`))
}

/**
 * Commits exactly these paths as they are on the disk, by the user's git with its hooks and its signing, and with no terminal.
 * What else is staged stays staged. Paths that git ignores are left out. One that was made already by a relay that was
 * killed is found, and not made again.
 */
export async function commitLanded(what: ToCommit, system: Doors): Promise<Committed> {
  const { folder, paths, message } = what
  const git = usersGit(what, system)
  const ignored = new Set((await git(['check-ignore', '-z', '--stdin'], nulJoined(paths))).out.split('\0'))
  const wanted = paths.filter(path => !ignored.has(path))
  const changed = (await uncommittedAmong({ folder, paths: wanted }, system)) ?? []
  if (changed.length === 0) return (await lastCommit(git, message)) ?? { kind: 'none' }
  const fromStdin = ['--pathspec-from-file=-', '--pathspec-file-nul']
  const added = await git(['add', '--intent-to-add', ...fromStdin], nulJoined(changed))
  const args = ['commit', '--quiet', '--only', '--cleanup=verbatim', '--message', message, ...fromStdin]
  const made = added.code === 0 ? await git(args, nulJoined(changed)) : added
  if (made.code === 0) return (await lastCommit(git, message)) ?? { kind: 'none' }
  await git(['reset', '--quiet', ...fromStdin], nulJoined(changed))
  return { kind: 'not-committed', why: whyNot(made) }
}

type UsersGit = (args: readonly string[], stdin?: string) => Promise<Printed>

function usersGit(what: Pick<ToCommit, 'folder'> & Partial<ToCommit>, system: Doors): UsersGit {
  const { folder, timeLimit = 60 } = what
  const { GIT_DIR, GIT_WORK_TREE, GIT_INDEX_FILE, ...env } = what.env ?? system.env
  const silent = { GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', GIT_LITERAL_PATHSPECS: '1', GIT_OPTIONAL_LOCKS: '0' }
  return (args, stdin) =>
    runProgram(
      ['git', ...args],
      { cwd: folder, env: { ...env, ...silent }, timeLimit, ...(stdin && { stdin }) },
      system,
    )
}

async function lastCommit(git: UsersGit, message: string): Promise<Committed | undefined> {
  const [sha = '', body = ''] = (await git(['log', '-1', '--format=%H%x00%B'])).out.split('\0')
  // A hook may have added lines.
  return body.trim().startsWith(message.trim()) ? { kind: 'commit', sha } : undefined
}

function whyNot({ out, err, code }: Printed): string {
  const words = (err || out).split('\n').filter(line => line.trim() !== '')
  return words.slice(-3).join(' / ') || `git ended with ${code}`
}

function nulJoined(paths: readonly string[]): string {
  return paths.map(path => `${path}\0`).join('')
}
