import { join, resolve } from 'node:path'
import { RelayError } from '../../errors.ts'
import { takeAlone } from '../../flows/alone.ts'
import { digest } from '../../ground/bytes.ts'
import { insideOf } from '../../ground/paths.ts'
import { quietGit } from '../../ground/quiet-git.ts'
import type { AfterRun } from '../../model/ship.ts'
import type { System } from '../../ports.ts'
import { makeFolders } from '../../state-files.ts'
import { runProgram } from '../checkout/program.ts'
import { commitAt, mustBeBranch, tipOf } from '../checkout/users-branches.ts'
import { findUsersRepository, usersBranch } from '../checkout/users-repository.ts'
import { statusWords, usersStatus } from '../checkout/users-status.ts'
import { openStateFolder, stateFolderFor } from '../run/run-folder.ts'
import { readOrigin } from '../ship/origin.ts'
import { bringBackSaved } from '../work/replace-users-file.ts'
import type { ShipSettings } from '../work/ship-branch.ts'
import { ownersOf } from '../work/work-note.ts'
import { findPrd, type LoopPaths, loopPaths, readPrdAt } from './loop-files.ts'
import type { PrdFile } from './prd-file.ts'

/** A loop: its files, and the place where its stories land. */
export interface Loop {
  readonly root: string
  readonly paths: LoopPaths
  readonly prd: PrdFile
  readonly branch: string
  /** This loop makes the branch. */
  readonly isNew: boolean
  /** The user is on the branch, so stories land in the user's folder. */
  readonly isHere: boolean
  /** The branch that the user is on; `undefined` for a detached HEAD. */
  readonly usersBranch: string | undefined
  /** Where a new branch begins. */
  readonly from: string
  /** relay's own folder for this loop. */
  readonly folder: string
  readonly lastPrd: string
  /** The loop's files that git ignores. */
  readonly ignored: ReadonlySet<string>
  /** Uncommitted paths in the user's folder, without the loop's own files. */
  readonly uncommitted: readonly string[]
}

/** The named prd.json, or the project's own one, relative to the root. Throws `usage` where there is none. */
export async function prdPathIn(root: string, named: string | undefined, system: System): Promise<string> {
  if (named !== undefined) {
    const real = await system.files.realPath(resolve(system.cwd, named))
    const path = real === null ? undefined : insideOf(root, real)
    if (path !== undefined && path !== '') return path
    throw new RelayError('usage', real === null ? `There is no ${named}` : `${named} is not in the project`)
  }
  const found = await findPrd(root, system)
  if (found !== undefined) return found
  throw new RelayError('usage', `There is no prd.json in ${root}, nor in its scripts/ralph/`, {
    hint: 'Run `relay prd new`, or `relay prd convert <prd.md>` if you have a PRD.',
  })
}

/** relay's own folder for the loops of a prd.json. */
export function loopFolder(root: string, prd: string, system: System): string {
  return join(stateFolderFor(system), 'loops', digest('sha256', root, '\0', prd).slice(0, 32))
}

/** The copy of the last run's prd.json: the next run may find another one in the user's folder. */
export function lastPrdIn(folder: string): string {
  return join(folder, 'last-prd.json')
}

/**
 * Claims a prd.json for this relay process, whatever branch it names; the returned function gives it up. Throws `environment`
 * where another loop works with it. What the user had saved when that was killed comes back first.
 */
export async function claimLoop(root: string, prd: string, system: System): Promise<() => Promise<void>> {
  await openStateFolder(system)
  const folder = await makeFolders(loopFolder(root, prd, system), system.files)
  const leave = await takeAlone(ownersOf(folder), prd, system)
  const { progress, lastBranch } = loopPaths(prd)
  for (const path of [prd, progress, lastBranch]) await bringBackSaved(join(root, path), system)
  return leave
}

/** Finds out where the stories of a prd.json are to land. Throws `usage` where a loop cannot work with it. */
export async function openLoop(root: string, prdPath: string, base: string | undefined, system: System): Promise<Loop> {
  const prd = await readPrdAt(root, prdPath, system)
  const paths = loopPaths(prdPath)
  const { branchName: branch, stories } = prd.prd
  if (branch === '')
    throw new RelayError('usage', `${prdPath} has no "branchName"`, { hint: 'Add one: ralph/my-feature.' })
  const twin = stories.find(({ id }, at) => stories.findIndex(other => other.id === id) !== at)
  if (twin !== undefined) throw new RelayError('usage', `${prdPath} has two user stories ${twin.id}`)
  const repository = await findUsersRepository(root, system)
  if (repository === undefined) {
    throw new RelayError('usage', `${root} is not in a git repository, and a loop needs one`, {
      hint: 'Run `git init`.',
    })
  }
  await mustBeBranch(branch, repository, system)
  const current = await usersBranch(repository, system)
  const isHere = current === branch
  const isNew = (await tipOf(branch, repository, system)) === undefined
  const from = base ?? current ?? 'HEAD'
  // In a repository without a commit, the current branch is no valid start.
  if (isNew) await commitAt(base ?? 'HEAD', repository, system)
  const above = loopFolder(root, prdPath, system)
  const folder = await makeFolders(
    join(above, digest('sha256', branch, isHere ? '\0here' : '').slice(0, 12)),
    system.files,
  )
  const own = [paths.prd, paths.progress, paths.lastBranch]
  return {
    root,
    paths,
    prd,
    branch,
    isNew,
    isHere,
    usersBranch: current,
    from,
    folder,
    lastPrd: lastPrdIn(above),
    ignored: await ignoredAmong(root, own, system),
    uncommitted: isHere ? [] : await uncommittedBeside(root, [...own, join(paths.folder, 'archive/')], system),
  }
}

/** How to ship the branch of a loop when all of its stories pass. */
export async function loopShip(
  { root, paths, prd, branch, usersBranch: current }: Loop,
  wish: AfterRun,
  base: string | undefined,
  system: System,
): Promise<ShipSettings> {
  return {
    wish,
    into: wish === 'merge' ? (base ?? current) : base,
    origin: wish === 'pr' ? await readOrigin(root, system) : undefined,
    title: prd.prd.description.split('\n')[0]?.trim() || branch,
    body: () => prBodyOf(root, paths, system),
  }
}

async function ignoredAmong(root: string, paths: readonly string[], system: System): Promise<ReadonlySet<string>> {
  const stdin = paths.map(path => `${path}\0`).join('')
  const { out } = await runProgram(['git', ...quietGit, 'check-ignore', '-z', '--stdin'], { cwd: root, stdin }, system)
  return new Set(out.split('\0').filter(Boolean))
}

async function uncommittedBeside(root: string, own: readonly string[], system: System): Promise<readonly string[]> {
  const prefix = (await runProgram(['git', 'rev-parse', '--show-prefix'], { cwd: root }, system)).out.trim()
  const env = { GIT_OPTIONAL_LOCKS: '0' }
  const run: Parameters<typeof usersStatus>[0] = (args, options) =>
    runProgram(['git', ...args], { cwd: root, env, ...options }, system)
  const { entries = [] } = (await usersStatus(run, ['--', '.'])) ?? {}
  return entries
    .map(entry => ({ ...entry, path: entry.path.slice(prefix.length) }))
    .filter(({ path }) => !path.startsWith('.relaycode') && !own.some(each => each === path || path.startsWith(each)))
    .map(statusWords)
}

/** The text of a loop's pull request: each story with its description. */
async function prBodyOf(root: string, { prd: path }: LoopPaths, doors: Pick<System, 'files'>): Promise<string> {
  const { prd } = await readPrdAt(root, path, doors)
  const stories = prd.stories.map(({ id, title, description, passes }) => {
    return `- [${passes ? 'x' : ' '}] **${id}: ${title}**${description.trim() === '' ? '' : `\n  ${description.trim()}`}`
  })
  return `${prd.description.trim()}\n\n## User stories\n\n${stories.join('\n')}\n`
}
