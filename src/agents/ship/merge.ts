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
  /** The user's branch. */
  readonly into: string
  /** Seconds, for git with the user's hooks. */
  readonly timeLimit: number
}

export type Merged =
  | { readonly kind: 'up-to-date' }
  /** `commit`: what the user's branch is now. */
  | { readonly kind: 'fast-forward' | 'merged'; readonly commit: string }
  | Left

/** Nothing has been changed. */
interface Left {
  readonly kind: 'left'
  /**
   * `conflict`: both sides changed the same places. `local-edits`: files in the user's folder would be overwritten.
   * `elsewhere`: the user's branch is checked out in another work tree. `busy`: a merge, rebase or the like is under way.
   * `refused`: git or a hook said no.
   */
  readonly reason: 'conflict' | 'local-edits' | 'elsewhere' | 'busy' | 'refused'
  readonly why: string
  readonly paths: readonly string[]
}

/**
 * Merges a branch into one of the user's, without ever switching branches. The caller holds relay's lock of the project.
 *
 * Checked out in the user's folder, it is merged there by the user's git, with its hooks and its signing. Not checked out at
 * all, it needs no folder. What cannot be done without loss is found before anything is changed.
 */
export async function mergeBranch(request: MergeRequest, system: Doors): Promise<Merged> {
  const { root, branch, into } = request
  const top = (await findUsersRepository(root, system))?.top
  if (top === undefined) throw new RelayError('failed', `${root} is in no git repository`)
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

/** As git itself says it. */
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
  /** git is older than 2.38, or the two have nothing in common. */
  | { readonly kind: 'unknown' }

/** What the merge would make, found without a folder. */
async function resultOf({ ours, theirs }: Sides, git: UsersGit): Promise<Result> {
  if (await isAncestor(ours, theirs, git)) return { kind: 'fast-forward' }
  const { code, out } = await git(['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs])
  const [tree = '', ...paths] = out.split('\0').filter(Boolean)
  if (code === 0) return { kind: 'tree', tree }
  return code === 1 ? { kind: 'conflict', paths: [...new Set(paths)] } : { kind: 'unknown' }
}

/** Moves a branch that no folder shows. */
async function mergeByName(into: string, sides: Sides, result: Result, git: UsersGit): Promise<Merged> {
  const { ours, theirs, message } = sides
  if (result.kind === 'unknown') return left('refused', `git cannot merge into ${into} without switching to it`)
  const made = result.kind === 'tree' ? await commitMerge(result.tree, sides, git) : theirs
  if (typeof made !== 'string') return made
  const moved = await git(['update-ref', '-m', message, `refs/heads/${into}`, made, ours])
  if (moved.code !== 0) return left('refused', moved.complaint)
  return { kind: result.kind === 'tree' ? 'merged' : 'fast-forward', commit: made }
}

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
 * Files in the user's folder that git would write over: edited, or new there. git itself spares most of them, but not those
 * that it ignores.
 */
async function pathsInTheWay(top: string, sides: Sides, result: Result, tools: Tools): Promise<readonly string[]> {
  const { git } = tools
  const touched = await touchedBy(sides, result, git)
  const status = await git(['status', '--porcelain', '-z', '--no-renames', '--untracked-files=no'])
  const edited = status.out.split('\0').filter(Boolean)
  // With more than one parent, git wants nothing staged at all.
  const isInTheWay = (entry: string) =>
    touched.has(entry.slice(3)) || (result.kind !== 'fast-forward' && entry[0] !== ' ')
  const new_ = [...touched].filter(([, letter]) => letter === 'A').map(([path]) => path)
  const hidden = await filesAt(top, new_, path => touched.get(path) === 'D', tools)
  return [...new Set([...edited.filter(isInTheWay).map(entry => entry.slice(3)), ...hidden])].toSorted()
}

/** What the merge changes in the user's folder: path to git's letter for it. */
async function touchedBy({ ours, theirs }: Sides, result: Result, git: UsersGit): Promise<ReadonlyMap<string, string>> {
  const base = result.kind === 'unknown' ? (await git(['merge-base', ours, theirs])).out.trim() : ours
  const made = result.kind === 'tree' ? result.tree : theirs
  const { out } = await git(['diff-tree', '-r', '-z', '--no-renames', '--name-status', base, made])
  const words = out.split('\0').filter(Boolean)
  return new Map(words.flatMap((word, at) => (at % 2 === 1 ? [[word, words[at - 1] ?? ''] as const] : [])))
}

/** What stands where new files are to be, or where folders for them are to be. */
async function filesAt(
  top: string,
  paths: readonly string[],
  isGoing: (path: string) => boolean,
  { git, system }: Tools,
): Promise<readonly string[]> {
  // What lies below a link that goes away is elsewhere.
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

/** What has become of it is read from the repository: a hook that fails or hangs afterwards unmakes no merge. */
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
    return { kind: head === theirs ? 'fast-forward' : 'merged', commit: head }
  }
  if (conflicts.length > 0) return left('conflict', 'Both sides changed the same places', conflicts)
  return left('refused', complaint)
}

/** Ends a merge that stopped half-way; gives the paths in conflict. That nothing was under way before has been looked at. */
async function takeBack({ ours, theirs }: Sides, result: Result, git: UsersGit): Promise<readonly string[]> {
  const cleanUp = (...args: readonly string[]) => git(args, { isCleanup: true })
  if ((await cleanUp('rev-parse', '--verify', '--quiet', 'MERGE_HEAD')).out.trim() === theirs) {
    const unmerged = await cleanUp('diff', '--name-only', '--diff-filter=U', '-z')
    mustBeBack(await cleanUp('merge', '--abort'))
    return unmerged.out.split('\0').filter(Boolean)
  }
  if (result.kind === 'fast-forward' || (await cleanUp('rev-parse', 'HEAD')).out.trim() !== ours) return []
  // Ended while a hook ran, git has put the merge into the index, and noted nothing yet.
  const staged = await cleanUp('write-tree')
  if (staged.out.trim() === (await cleanUp('rev-parse', `${ours}^{tree}`)).out.trim()) return []
  // Anything else in there is the user's.
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
