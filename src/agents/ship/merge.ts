import { dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { Doors } from '../checkout/program.ts'
import { repositoryState } from '../checkout/repository-state.ts'
import { commitOf, type GitAnswer, isAncestor, type UsersGit, usersGit } from '../checkout/users-git.ts'
import { findUsersRepository } from '../checkout/users-repository.ts'

export interface MergeRequest {
  /** The project's root in the user's folder. */
  readonly root: string
  readonly branch: string
  readonly into: string
  /** Seconds, for each git command with the user's hooks. */
  readonly timeLimit: number
}

export type Merged =
  | { readonly kind: 'up-to-date' }
  /** `commit` is the new tip of the user's branch, and `undo` git's command that takes the merge back. */
  | { readonly kind: 'fast-forward' | 'merged'; readonly commit: string; readonly undo: string }
  | Left

/** Nothing was changed. */
interface Left {
  readonly kind: 'left'
  /**
   * - `conflict`: both sides changed the same places.
   * - `local-edits`: files in the user's folder would be overwritten.
   * - `elsewhere`: the user's branch is checked out in another work tree.
   * - `busy`: a merge, rebase or the like is under way.
   * - `refused`: git or a hook refused.
   */
  readonly reason: 'conflict' | 'local-edits' | 'elsewhere' | 'busy' | 'refused'
  readonly why: string
  readonly paths: readonly string[]
}

/**
 * Merges a branch into a branch of the user, without switching branches. The caller holds relay's lock of the project.
 *
 * Where the target is checked out in the user's folder, the user's git merges there, with its hooks and its signing. Where it
 * is not checked out anywhere, no folder is needed. A merge that would lose something is refused before anything changes.
 */
export async function mergeBranch(request: MergeRequest, system: Doors): Promise<Merged> {
  const { root, branch, into } = request
  const top = (await findUsersRepository(root, system))?.top
  if (top === undefined) throw new RelayError('failed', `${root} is not in a git repository`)
  const git = usersGit(top, request, system)
  const [ours, theirs] = [await commitOf(`refs/heads/${into}`, git), await commitOf(`refs/heads/${branch}`, git)]
  if (ours === undefined || theirs === undefined) {
    throw new RelayError('failed', `There is no branch ${ours === undefined ? into : branch} in ${top}`)
  }
  if (await isAncestor(theirs, ours, git)) return { kind: 'up-to-date' }
  const sides = { ours, theirs, message: messageFor(branch, into) }
  const state = await repositoryState(top, system)
  if (state !== 'ready') return left('busy', `A ${state} is under way in ${top}`)
  const head = (await git(['symbolic-ref', '--quiet', 'HEAD'])).out.trim()
  const isHere = head === `refs/heads/${into}`
  const elsewhere = isHere ? undefined : await workTreeOf(into, git)
  if (elsewhere !== undefined) return left('elsewhere', `${into} is checked out in ${elsewhere}`)
  const result = await resultOf(sides, git)
  if (result.kind === 'conflict') {
    return left('conflict', `${branch} and ${into} changed the same places`, result.paths)
  }
  if (!isHere) return await mergeByName(into, sides, result, git)
  const inTheWay = await pathsInTheWay(top, sides, result, { git, system })
  if (inTheWay.length > 0) return left('local-edits', 'It would overwrite files that are not committed', inTheWay)
  return await mergeInFolder(sides, result, git)
}

function left(reason: Left['reason'], why: string, paths: readonly string[] = []): Left {
  return { kind: 'left', reason, why, paths }
}

interface Sides {
  readonly ours: string
  readonly theirs: string
  readonly message: string
}

/** The default message of `git merge`. */
function messageFor(branch: string, into: string): string {
  return `Merge branch '${branch}'${into === 'main' || into === 'master' ? '' : ` into ${into}`}`
}

async function workTreeOf(branch: string, git: UsersGit): Promise<string | undefined> {
  const { out } = await git(['worktree', 'list', '--porcelain'])
  const lists = out.split('\n\n').map(each => each.split('\n'))
  const found = lists.find(lines => lines.includes(`branch refs/heads/${branch}`))
  if (found === undefined || found.some(line => line.startsWith('prunable'))) return undefined
  return found[0]?.replace(/^worktree /, '')
}

type Result =
  | { readonly kind: 'fast-forward' }
  | { readonly kind: 'tree'; readonly tree: string }
  | { readonly kind: 'conflict'; readonly paths: readonly string[] }
  /** git is older than 2.38, or the branches share no history. */
  | { readonly kind: 'unknown' }

/** The result of the merge, computed without a folder. */
async function resultOf({ ours, theirs }: Sides, git: UsersGit): Promise<Result> {
  if (await isAncestor(ours, theirs, git)) return { kind: 'fast-forward' }
  const { code, out } = await git(['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs])
  const [tree = '', ...paths] = out.split('\0').filter(Boolean)
  if (code === 0) return { kind: 'tree', tree }
  return code === 1 ? { kind: 'conflict', paths: [...new Set(paths)] } : { kind: 'unknown' }
}

/** Merges into a branch that no work tree has checked out. */
async function mergeByName(into: string, sides: Sides, result: Result, git: UsersGit): Promise<Merged> {
  const { ours, theirs, message } = sides
  if (result.kind === 'unknown') return left('refused', `git cannot merge into ${into} without switching to it`)
  const made = result.kind === 'tree' ? await commitMerge(result.tree, sides, git) : theirs
  if (typeof made !== 'string') return made
  const moved = await git(['update-ref', '-m', message, `refs/heads/${into}`, made, ours])
  if (moved.code !== 0) return left('refused', moved.complaint)
  return merged(result.kind === 'tree' ? 'merged' : 'fast-forward', sides, made)
}

function merged(kind: 'fast-forward' | 'merged', { ours }: Sides, commit: string): Merged {
  const [from, to] = [ours, commit].map(sha => sha.slice(0, shaLength))
  return { kind, commit, undo: kind === 'merged' ? `git revert -m 1 ${to}` : `git revert ${from}..${to}` }
}

/** Unambiguous in repositories as large as that of Linux. */
const shaLength = 12

async function commitMerge(tree: string, { ours, theirs, message }: Sides, git: UsersGit): Promise<string | Left> {
  const isSigned = (await git(['config', '--type=bool', '--get', 'commit.gpgSign'])).out.trim() === 'true'
  const parents = ['-p', ours, '-p', theirs]
  const made = await git(['commit-tree', ...(isSigned ? ['-S'] : []), ...parents, '-m', message, tree])
  return made.code === 0 ? made.out.trim() : left('refused', made.complaint)
}

interface Tools {
  readonly git: UsersGit
  readonly system: Doors
}

/**
 * Edited or untracked files in the user's folder that the merge would overwrite. git itself spares most, but not ignored ones.
 */
async function pathsInTheWay(top: string, sides: Sides, result: Result, tools: Tools): Promise<readonly string[]> {
  const { git } = tools
  const touched = await touchedBy(sides, result, git)
  const status = await git(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=no'])
  const edited = status.out.split('\0').filter(Boolean)
  // For a real merge, git refuses any staged change.
  const isInTheWay = (entry: string) =>
    touched.has(entry.slice(3)) || (result.kind !== 'fast-forward' && entry[0] !== ' ')
  const new_ = [...touched].filter(([, letter]) => letter === 'A').map(([path]) => path)
  const hidden = await filesAt(top, new_, path => touched.get(path) === 'D', tools)
  return [...new Set([...edited.filter(isInTheWay).map(entry => entry.slice(3)), ...hidden])].toSorted()
}

/** The paths that the merge changes, with git's status letter for each. */
async function touchedBy({ ours, theirs }: Sides, result: Result, git: UsersGit): Promise<ReadonlyMap<string, string>> {
  const base = result.kind === 'unknown' ? (await git(['merge-base', ours, theirs])).out.trim() : ours
  const made = result.kind === 'tree' ? result.tree : theirs
  const { out } = await git(['diff-tree', '-r', '-z', '--no-renames', '--name-status', base, made])
  const words = out.split('\0').filter(Boolean)
  return new Map(words.flatMap((word, at) => (at % 2 === 1 ? [[word, words[at - 1] ?? ''] as const] : [])))
}

/** Existing files in the places of new files, or of the folders for them. */
async function filesAt(
  top: string,
  paths: readonly string[],
  isGoing: (path: string) => boolean,
  { git, system }: Tools,
): Promise<readonly string[]> {
  // Below a link that the merge removes, a path leads elsewhere.
  const staying = paths.filter(path => !parentsOf(path).some(isGoing))
  const places = new Set(staying.flatMap(path => [path, ...parentsOf(path)]))
  const found = await Promise.all(
    [...places].map(async path => ({ path, kind: (await system.files.stat(join(top, path)).catch(() => null))?.kind })),
  )
  const isNew = new Set(paths)
  const folders = found.filter(({ path, kind }) => kind === 'folder' && isNew.has(path)).map(({ path }) => path)
  const inFolders =
    folders.length === 0 ? '' : (await git(['--literal-pathspecs', 'ls-files', '-z', '--others', '--', ...folders])).out
  return [
    ...found.filter(({ path, kind }) => kind !== undefined && kind !== 'folder' && !isGoing(path)).map(one => one.path),
    ...inFolders.split('\0').filter(Boolean),
  ]
}

function parentsOf(path: string): readonly string[] {
  const parent = dirname(path)
  return parent === '.' ? [] : [parent, ...parentsOf(parent)]
}

/** Merges in the user's folder. Reads the result from the repository: a hook that fails or hangs afterwards undoes no merge. */
async function mergeInFolder(sides: Sides, result: Result, git: UsersGit): Promise<Merged> {
  const { theirs, message } = sides
  const asPlanned = ['--ff', '--commit', '--no-squash', '--no-autostash', '--no-overwrite-ignore']
  const quietly = ['--no-edit', '--no-stat', '--no-progress']
  let complaint: string
  let conflicts: readonly string[] = []
  try {
    complaint = (await git(['merge', ...asPlanned, ...quietly, '-m', `${message}\n`, theirs])).complaint
  } finally {
    conflicts = await takeBack(sides, result, git)
  }
  const head = await commitOf('HEAD', git)
  if (head !== undefined && (await isAncestor(theirs, head, git))) {
    return merged(result.kind === 'fast-forward' || head === theirs ? 'fast-forward' : 'merged', sides, head)
  }
  if (conflicts.length > 0) return left('conflict', 'Both sides changed the same places', conflicts)
  return left('refused', complaint)
}

/**
 * Takes back a merge that stopped half-way, and gives the paths in conflict. No other merge was under way: the caller checked.
 */
async function takeBack({ ours, theirs }: Sides, result: Result, git: UsersGit): Promise<readonly string[]> {
  const cleanUp = (...args: readonly string[]) => git(args, { isCleanup: true })
  if ((await cleanUp('rev-parse', '--verify', '--quiet', 'MERGE_HEAD')).out.trim() === theirs) {
    const unmerged = await cleanUp('diff', '--name-only', '--diff-filter=U', '-z')
    mustBeBack(await cleanUp('merge', '--abort'))
    return unmerged.out.split('\0').filter(Boolean)
  }
  if (result.kind === 'fast-forward' || (await cleanUp('rev-parse', 'HEAD')).out.trim() !== ours) return []
  // If git was ended while a hook ran, the merge is in the index, but MERGE_HEAD does not exist yet.
  const staged = await cleanUp('write-tree')
  if (staged.out.trim() === (await cleanUp('rev-parse', `${ours}^{tree}`)).out.trim()) return []
  // Any other staged tree is the user's.
  const isMerge = result.kind === 'tree' && staged.out.trim() === result.tree
  mustBeBack(isMerge ? await cleanUp('reset', '--quiet', '--merge') : staged, isMerge)
  return []
}

function mustBeBack(answer: GitAnswer, isBack = answer.code === 0): void {
  if (isBack && answer.code === 0) return
  throw new RelayError('unfinished', `\`git merge\` stopped half-way: ${answer.complaint}`, {
    hint: 'Look at `git status`, then run `git reset --merge`.',
  })
}
