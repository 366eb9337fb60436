import { basename, dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { someOf } from '../../ground/words.ts'
import { readNote, writeNote } from '../../state-files.ts'
import type { Doors } from './program.ts'
import { commitAt, gitDirOf, type Registered, realPlace, uncommittedIn, worktreesOf } from './users-branches.ts'
import { type UsersGit, usersGit } from './users-git.ts'
import type { UsersRepository } from './users-repository.ts'

/**
 * The work tree in which people look at a branch. No agent works in it, and no check runs there. While relay works on the
 * branch, HEAD is detached, so that the branch is checked out nowhere; afterwards it is on the branch again.
 */
export interface BranchWorktree {
  readonly at: string
  readonly branch: string
  readonly repository: UsersRepository
  /** relay's note about it, in relay's own folder. */
  readonly note: string
  /** Seconds, for git with the filters of the user. */
  readonly timeLimit: number
}

/** What relay has done with HEAD there. Commits are hashes. */
interface Note {
  /** Where relay has left HEAD. */
  readonly commit: string
  /** The branch is being checked out: its tip, and the files that were moved out of the way. */
  readonly switching?: { readonly to: string; readonly asides: readonly Aside[] }
}

/** A file with the bytes that the branch has now, relative to the work tree, and the name that it has meanwhile. */
interface Aside {
  readonly path: string
  readonly aside: string
}

/**
 * Detaches HEAD where the work tree is on its branch. Finishes a switch that an earlier relay run left. A work tree in which HEAD
 * is anywhere else is the user's, and stays as it is.
 */
export async function detachWorktree(given: BranchWorktree, system: Doors): Promise<void> {
  const tree = { ...given, at: await realPlace(given.at, system) }
  await finishSwitch(tree, system)
  const found = await registered(tree, system)
  if (found?.branch !== tree.branch) return
  const git = gitIn(tree, system)
  const commit = await headOf(git)
  if (commit === undefined) return
  await noteTree(tree, { commit }, system)
  const { code, complaint } = await git(['update-ref', '--no-deref', '-m', 'relay works on the branch', 'HEAD', commit])
  if (code !== 0) throw new RelayError('failed', `Cannot detach HEAD in ${tree.at}: ${complaint}`)
}

/** Makes the work tree with a detached HEAD where there is none. Gives its place; `undefined` where something else lies there. */
export async function ensureWorktree(given: BranchWorktree, system: Doors): Promise<string | undefined> {
  const tree = { ...given, at: await realPlace(given.at, system) }
  if ((await registered(tree, system)) !== undefined) return tree.at
  const commit = await commitAt(`refs/heads/${tree.branch}`, tree.repository, system)
  const why = await add(tree, ['--detach', '--', tree.at, commit], system)
  if (why !== undefined) return undefined
  await noteTree(tree, { commit }, system)
  return tree.at
}

/**
 * Brings the work tree to its branch, or makes it. Never forces anything: where edits or commits of the user's are in the way,
 * it stays as it is. Gives what the user should know then, with the command to go on.
 *
 * @param makes where there is no work tree, one is made
 */
export async function bringWorktree(
  given: BranchWorktree,
  system: Doors,
  { makes }: { readonly makes: boolean },
): Promise<string | undefined> {
  const tree = { ...given, at: await realPlace(given.at, system) }
  const { at, branch } = tree
  await finishSwitch(tree, system)
  const found = await registered(tree, system)
  if (found === undefined) return makes ? add(tree, ['--', at, branch], system) : undefined
  if (found.branch === branch) return undefined
  const why = await whyUsers(found, tree, system)
  if (why !== undefined) return why
  const git = gitIn(tree, system)
  const commit = (await headOf(git)) ?? ''
  const to = await commitAt(`refs/heads/${branch}`, tree.repository, system)
  const asides = await moveSameAside(commit, to, tree, system)
  await noteTree(tree, { commit, switching: { to, asides } }, system)
  const { code, err } = await git(['switch', '--no-overwrite-ignore', '--quiet', branch])
  if (code === 0) {
    const saved = await dropAsides(asides, tree, system)
    await forget(tree, system)
    return saved.length === 0 ? undefined : `${at}: what was saved there meanwhile lies in ${someOf(saved, mostNamed)}`
  }
  await bringBack(asides, tree, system)
  await noteTree(tree, { commit }, system)
  const files = err.split('\n').flatMap(line => /^\t(.+)$/.exec(line)?.[1] ?? [])
  const what =
    files.length === 0
      ? (err.split('\n')[0] ?? '')
      : `there ${files.length === 1 ? 'is' : 'are'} ${someOf(files, mostNamed)}`
  return `${at} stays as it is: ${what}. When that is out of the way: \`git -C ${at} switch ${branch}\``
}

/** Removes the work tree where nothing of the user's lies in it. Gives why it stays. */
export async function removeWorktree(given: BranchWorktree, system: Doors): Promise<string | undefined> {
  const tree = { ...given, at: await realPlace(given.at, system) }
  const { at, branch } = tree
  await finishSwitch(tree, system)
  const found = await registered(tree, system)
  if (found === undefined) return forget(tree, system)
  const why = found.branch === branch ? undefined : await whyUsers(found, tree, system)
  if (why !== undefined) return why
  const git = gitIn(tree, system)
  const gitDir = await gitDirOf(at, tree.repository, system)
  const changed = gitDir === undefined ? [] : await uncommittedIn(at, gitDir, system)
  const ignored = (await git(['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'])).out
  const left = [...changed, ...(await overlooked(tree, system)), ...ignored.split('\0').filter(Boolean)]
  const stays = (what: string) =>
    `${at} stays: ${what}. When you need nothing of it any more: \`git worktree remove --force ${at}\``
  if (left.length > 0) return stays(`it holds ${someOf(left, mostNamed)}`)
  const { code, complaint } = await usersGit(tree.repository.top, tree, system)(['worktree', 'remove', '--', at])
  return code === 0 ? forget(tree, system) : stays(complaint)
}

/** The edited files that the user has told git to overlook: git would remove them. */
async function overlooked(tree: BranchWorktree, system: Doors): Promise<readonly string[]> {
  const git = gitIn(tree, system)
  const listed = (await git(['ls-files', '-z', '-v'])).out.split('\0').filter(each => /^[a-zS]/.test(each))
  if (listed.length === 0) return []
  const indexed = await indexOf(git)
  const edited: string[] = []
  for (const path of listed.map(each => each.slice(2))) {
    if ((await system.files.stat(join(tree.at, path))) === null) continue
    if (!(await holds(path, indexed.get(path) ?? '', tree, system))) edited.push(path)
  }
  return edited
}

/** Why HEAD is not where relay left it; `undefined` where it is. */
async function whyUsers(found: Registered, tree: BranchWorktree, system: Doors): Promise<string | undefined> {
  const { at, branch } = tree
  const toSwitch = `\`git -C ${at} switch ${branch}\``
  if (found.branch !== undefined) return `${at} stays as it is: ${found.branch} is checked out there (${toSwitch})`
  const head = await headOf(gitIn(tree, system))
  if (head !== undefined && head === (await noteOf(tree, system))?.commit) return undefined
  const log = `\`git -C ${at} log ${branch}..HEAD\``
  return `${at} stays as it is: you have worked there on no branch. ${log} shows your commits, ${toSwitch} leaves them`
}

/** Adds a work tree. Gives why that was not possible. */
async function add(tree: BranchWorktree, words: readonly string[], system: Doors): Promise<string | undefined> {
  const { at, repository } = tree
  const { files } = system
  const isFree = (await files.stat(at)) === null || (await files.list(at))?.length === 0
  if (!isFree) return `${at} is there already, and is no work tree of this repository`
  const git = usersGit(repository.top, tree, system)
  const known = (await worktreesOf(repository, system)).some(({ path }) => path === at)
  // The user deleted the folder. This removes one entry only; `git worktree prune` might remove others as well.
  if (known) await git(['worktree', 'remove', '--', at])
  const { code, complaint } = await git([...noHooks, 'worktree', 'add', '--quiet', ...words])
  return code === 0 ? undefined : `git made no work tree in ${at}: ${complaint}`
}

/** The work tree at the place, where this repository lists it and its `.git` leads back there. */
async function registered(tree: BranchWorktree, system: Doors): Promise<Registered | undefined> {
  const { at, repository } = tree
  const found = (await worktreesOf(repository, system)).find(({ path }) => path === at)
  if (found === undefined || (await system.files.stat(join(at, '.git'))) === null) return undefined
  const { code, out } = await gitIn(tree, system)(['rev-parse', '--absolute-git-dir'])
  const gitDir = await gitDirOf(at, repository, system)
  return code === 0 && gitDir !== undefined && (await system.files.realPath(out.trim())) === gitDir ? found : undefined
}

/**
 * Moves files out of the way of a switch that git does not know and the branch has with the same bytes: git refuses even those.
 * A file is compared only when it has been moved, so that no save of an editor gets lost; whatever differs goes back.
 */
async function moveSameAside(from: string, to: string, tree: BranchWorktree, system: Doors): Promise<readonly Aside[]> {
  const { at } = tree
  const git = gitIn(tree, system)
  const indexed = await indexOf(git)
  const added = (await entriesBetween(from, to, git)).filter(({ path, before }) => before === '' && !indexed.has(path))
  const asides: Aside[] = []
  for (const { path, after } of added) {
    if ((await system.files.stat(join(at, path)))?.kind !== 'file') continue
    const aside = join(dirname(path), `.${basename(path)}.relay-aside-${crypto.randomUUID()}`)
    // Noted before each move: after a kill the file is found again.
    await noteTree(tree, { commit: from, switching: { to, asides: [...asides, { path, aside }] } }, system)
    await system.files.rename(join(at, path), join(at, aside))
    if ((await hashOf(aside, path, git)) === hashIn(after)) asides.push({ path, aside })
    else await bringBack([{ path, aside }], tree, system)
  }
  return asides
}

/** Puts files back in their places; one that is taken meanwhile keeps the name that it has. */
async function bringBack(asides: readonly Aside[], { at }: BranchWorktree, { files }: Doors): Promise<void> {
  for (const { path, aside } of asides) {
    const isFree = (await files.stat(join(at, path))) === null
    if (isFree && (await files.stat(join(at, aside))) !== null) await files.rename(join(at, aside), join(at, path))
  }
}

/** Removes files that the branch has as well. Gives those that were written to meanwhile, by their names aside. */
async function dropAsides(
  asides: readonly Aside[],
  tree: BranchWorktree,
  { files, ...doors }: Doors,
): Promise<readonly string[]> {
  const git = gitIn(tree, { files, ...doors })
  const saved: string[] = []
  for (const { path, aside } of asides) {
    const there = join(tree.at, aside)
    if ((await files.stat(there)) === null) continue
    const isSame = (await hashOf(aside, path, git)) === (await hashOf(path, path, git))
    if (isSame) await files.remove(there)
    else saved.push(aside)
  }
  return saved
}

/**
 * Undoes a switch that was cut short: a path with the bytes of the branch gets those from before, so that git sees no edit of
 * the user's in it. Whatever has other bytes is the user's.
 */
async function finishSwitch(tree: BranchWorktree, system: Doors): Promise<void> {
  const noted = await noteOf(tree, system)
  if (noted?.switching === undefined) return
  const { commit, switching } = noted
  const { to, asides } = switching
  const found = await registered(tree, system)
  if (found === undefined) return forget(tree, system)
  if (found.branch === tree.branch) {
    await dropAsides(asides, tree, system)
    return forget(tree, system)
  }
  await unlocked(tree, system)
  const git = gitIn(tree, system)
  const indexed = await indexOf(git)
  const entries = await entriesBetween(commit, to, git)
  // Git writes the index once all files are: then only HEAD is left, and the next switch moves it.
  if (entries.every(({ path, after }) => (indexed.get(path) ?? '') === after)) {
    await dropAsides(asides, tree, system)
    return noteTree(tree, { commit }, system)
  }
  const half: string[] = []
  for (const { path, before, after } of entries.filter(({ path, before }) => (indexed.get(path) ?? '') === before)) {
    if (!(await holds(path, after, tree, system)) || (await holds(path, before, tree, system))) continue
    if (before === '') await system.files.remove(join(tree.at, path))
    else half.push(path)
  }
  const free: string[] = []
  for (const path of half) if (await isFree(path, tree, system)) free.push(path)
  if (free.length > 0) {
    const stdin = free.map(path => `${path}\0`).join('')
    await git(['checkout-index', '--force', '--quiet', '-z', '--stdin'], { stdin })
  }
  await bringBack(asides, tree, system)
  await noteTree(tree, { commit }, system)
}

/** Waits up to a minute for a git that still works there; a lock that is older was left by a dead one. */
async function unlocked({ at, repository }: BranchWorktree, system: Doors): Promise<void> {
  const gitDir = await gitDirOf(at, repository, system)
  if (gitDir === undefined) return
  const lock = join(gitDir, 'index.lock')
  for (let times = 0; times < mostWaits; times++) {
    if ((await system.files.stat(lock)) === null) return
    await system.clock?.sleep(200, system.interruption)
  }
  await system.files.remove(lock)
}

/** Whether git can write a file there again without removing anything else: forced, it removes whole folders. */
async function isFree(path: string, { at }: BranchWorktree, { files }: Doors): Promise<boolean> {
  const kind = (await files.stat(join(at, path)))?.kind
  if (kind === 'folder' && (await files.removeFolder(join(at, path))) === 'not-empty') return false
  for (let above = dirname(path); above !== '.'; above = dirname(above)) {
    const found = await files.stat(join(at, above))
    if (found !== null && found.kind !== 'folder') return false
  }
  return true
}

/** Whether the work tree has this side of an entry at a path. */
async function holds(path: string, side: string, tree: BranchWorktree, { files, ...doors }: Doors): Promise<boolean> {
  const there = join(tree.at, path)
  const found = await files.stat(there)
  if (found === null || found.kind === 'folder') return side === ''
  const git = gitIn(tree, { files, ...doors })
  if (found.kind === 'link') {
    const hash = (await git(['hash-object', '--stdin'], { stdin: await files.readLink(there) })).out.trim()
    return side === `120000 ${hash}`
  }
  if (hashIn(side) !== (await hashOf(path, path, git))) return false
  const followsModes = (await git(['config', '--type=bool', '--get', 'core.fileMode'])).out.trim() !== 'false'
  return side.startsWith('100') && (!followsModes || side.startsWith('100755') === ((found.mode & 0o100) !== 0))
}

/** In a sentence for the user. */
const mostNamed = 5

/** Of 200 ms each. */
const mostWaits = 300

interface EntryBetween {
  readonly path: string
  /** The mode and the hash of the content; empty for none. */
  readonly before: string
  readonly after: string
}

async function entriesBetween(from: string, to: string, git: UsersGit): Promise<readonly EntryBetween[]> {
  const { out } = await git(['diff-tree', '-r', '-z', '--no-renames', '--raw', from, to])
  const side = (mode = '', hash = '') => (mode === '000000' ? '' : `${mode} ${hash}`)
  return [...out.matchAll(/:([0-7]+) ([0-7]+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\0([^\0]*)\0/g)].map(
    ([, oldMode, newMode, oldHash, newHash, path = '']) => ({
      path,
      before: side(oldMode, oldHash),
      after: side(newMode, newHash),
    }),
  )
}

/** The mode and the hash of each path that git knows there. */
async function indexOf(git: UsersGit): Promise<ReadonlyMap<string, string>> {
  const { out } = await git(['ls-files', '-z', '--stage'])
  return new Map(
    [...out.matchAll(/([0-7]+) ([0-9a-f]+) \d\t([^\0]*)\0/g)].map(([, mode, hash, path = '']) => [
      path,
      `${mode} ${hash}`,
    ]),
  )
}

function hashIn(side: string): string {
  return side.slice(side.indexOf(' ') + 1)
}

/** The hash that git would give a file for what it is at `path`; empty where there is no file. */
async function hashOf(file: string, path: string, git: UsersGit): Promise<string> {
  const { code, out } = await git(['hash-object', `--path=${path}`, '--', file])
  return code === 0 ? out.trim() : ''
}

async function headOf(git: UsersGit): Promise<string | undefined> {
  const { code, out } = await git(['rev-parse', '--verify', '--quiet', 'HEAD'])
  return code === 0 ? out.trim() : undefined
}

const noHooks = ['-c', 'core.hooksPath=/dev/null']

/** The user's git there, with its conversions, but without hooks. */
function gitIn(tree: Pick<BranchWorktree, 'at' | 'timeLimit'>, system: Doors): UsersGit {
  const git = usersGit(tree.at, tree, system)
  return (args, options) => git([...noHooks, ...args], options)
}

async function noteOf({ note }: BranchWorktree, system: Doors): Promise<Note | undefined> {
  const found = await readNote(note, system)
  return typeof found?.['commit'] === 'string' ? (found as unknown as Note) : undefined
}

async function noteTree({ note }: BranchWorktree, noted: Note, system: Doors): Promise<void> {
  await writeNote(note, noted, system)
}

async function forget({ note }: BranchWorktree, { files }: Doors): Promise<undefined> {
  await files.remove(note)
}
