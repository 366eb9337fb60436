import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { insideOf } from '../../ground/paths.ts'
import { quietGit } from '../../ground/quiet-git.ts'
import type { System } from '../../ports.ts'
import { type BranchWorktree, ensureWorktree } from '../checkout/branch-worktree.ts'
import { usersGitAt } from '../checkout/git.ts'
import { runProgram } from '../checkout/program.ts'
import { commitAt, realPlace, tipOf, worktreesOf } from '../checkout/users-branches.ts'
import { findUsersRepository, type UsersRepository } from '../checkout/users-repository.ts'
import { placeOfWork } from '../work/work-note.ts'
import { filesInCommits } from './files-in-commits.ts'
import { findRaf, rafFolderIn, rafWorktreeAt } from './find-raf.ts'
import { projectOf, taskOf } from './names.ts'
import { isReport } from './outcome.ts'
import { type RafPlace, rafKey } from './raf-book.ts'
import { type ReadFiles, type ReadProject, readProject } from './read-project.ts'
import { stateOf } from './state.ts'

/** The branch and work tree of a RAF project. The branch has the name of the project's folder. */
export interface RafBranch extends Pick<RafPlace, 'folder' | 'read' | 'home'> {
  /** Its work tree for people, which need not exist. */
  readonly tree: BranchWorktree
  readonly branch: NonNullable<RafPlace['branch']>
}

/**
 * The RAF project of a folder, as it is on its branch. Tasks that only the user's folder has are added. Throws `usage` where
 * there is no repository, or HOME is not set.
 */
export async function rafBranchOf(root: string, folder: string, system: System): Promise<RafBranch> {
  const repository = await findUsersRepository(root, system)
  if (repository === undefined || system.home === undefined) {
    const lacks = repository === undefined ? `${root} is not in a git repository` : 'HOME is not set'
    throw new RelayError('usage', `${lacks}: --worktree cannot work`, { hint: 'Leave out --worktree.' })
  }
  const at = rafWorktreeAt(system.home, repository.top, folder)
  const prefix = insideOf(repository.top, root) ?? ''
  const work = placeOfWork(root, rafKey(folder, true), system)
  const tree = {
    at,
    branch: folder,
    repository,
    note: join(work, 'worktree-for-people.json'),
    timeLimit: treeTimeLimit,
  }
  const inFolder = () => readProject(rafFolderIn(root), folder, system.files)
  const onBranch = async () => {
    const commit = (await tipOf(folder, repository, system)) ?? (await commitAt('HEAD', repository, system))
    const places = [{ commit, folder: join(prefix, 'RAF', folder) }]
    const [files = noFiles] = await filesInCommits(repository.gitDir, places, system)
    return readProject('/RAF', folder, files)
  }
  const isIgnored = (await ignoredAmong(root, [inputOf(folder)], system)).has(inputOf(folder))
  const read = async () => (isIgnored ? inFolder() : joined(await onBranch(), await inFolder()))
  const inTree = async () => {
    const made = await ensureWorktree(tree, system)
    return made && join(made, prefix)
  }
  const home = isIgnored ? async () => root : inTree
  return { folder, tree, read, home, branch: { cwd: join(work, 'checkout/work', prefix), isIgnored } }
}

/** Seconds, for git in the work tree of a branch: it may convert large files. */
const treeTimeLimit = 600

/**
 * Removes relay's reports on failed and blocked tasks from the work tree of a branch where the branch has another outcome now:
 * they would be in the way of a switch.
 */
export async function dropStaleReports({ tree, folder, read }: RafBranch, root: string, system: System): Promise<void> {
  const { files } = system
  const above = join(tree.at, insideOf(tree.repository.top, root) ?? '', 'RAF', folder, 'outcomes')
  const held = new Map((await read()).outcomes.map(({ name, text }) => [name, text]))
  for (const name of (await files.list(above)) ?? []) {
    const found = await files.inspect(join(above, name))
    const text = found?.kind === 'file' ? new TextDecoder().decode(found.bytes) : ''
    if (isReport(text) && held.has(name) && held.get(name) !== text) await files.remove(join(above, name))
  }
}

/**
 * Joins a project's files from its branch and from the user's folder. Outcomes come from the branch alone: it does not have
 * work that was done elsewhere.
 */
function joined(held: ReadProject, here: ReadProject): ReadProject {
  const ids = new Set(held.plans.map(({ name }) => taskOf(name)?.id))
  const plans = [...held.plans, ...here.plans.filter(({ name }) => !ids.has(taskOf(name)?.id))]
  const { input = here.input, decisions = here.decisions, outcomes } = held
  return { ...here, plans, outcomes, input, decisions, state: stateOf(plans, outcomes) }
}

/** Branches named like a RAF project's folder. `only` are more options of `git for-each-ref`. */
export async function rafBranchNames(
  root: string,
  system: System,
  only: readonly string[] = [],
): Promise<readonly string[]> {
  const repository = await findUsersRepository(root, system)
  if (repository === undefined) return []
  return (await rafTips(repository, system, only)).map(({ name }) => name)
}

/** The branches named like a RAF project's folder, with their last commits. */
async function rafTips({ gitDir }: UsersRepository, system: System, only: readonly string[]) {
  const git = usersGitAt(gitDir, '/', system)
  const lines = await git(['for-each-ref', '--format=%(objectname) %(refname)', ...only, 'refs/heads/'])
  return lines.split('\n').flatMap(line => {
    const [, commit, name] = /^(\S+) refs\/heads\/(.+)$/.exec(line) ?? []
    return commit === undefined || name === undefined || projectOf(name) === undefined ? [] : [{ commit, name }]
  })
}

/** RAF projects outside of the user's folder: in work trees of this repository, or only on branches. */
export interface RafElsewhere {
  readonly worktrees: readonly ReadProject[]
  /** Branches that are not merged into HEAD. */
  readonly branches: readonly ReadProject[]
}

export async function rafElsewhere(root: string, system: System): Promise<RafElsewhere> {
  const repository = await findUsersRepository(root, system)
  if (repository === undefined || system.home === undefined) return { worktrees: [], branches: [] }
  const prefix = insideOf(repository.top, root) ?? ''
  const worktrees: ReadProject[] = []
  for (const { path } of await worktreesOf(repository, system)) {
    const folder = path.split('/').at(-1) ?? ''
    const isPlace = path === (await realPlace(rafWorktreeAt(system.home, repository.top, folder), system))
    if (!isPlace || projectOf(folder) === undefined) continue
    const { folder: raf, projects } = await findRaf(join(path, prefix), system.files)
    if (!projects.includes(folder)) continue
    const there = await readProject(raf, folder, system.files)
    worktrees.push(withReportsOf(there, await (await rafBranchOf(root, folder, system)).read()))
  }
  const shown = new Set(worktrees.map(({ folder }) => folder))
  const tips = (await rafTips(repository, system, ['--no-merged=HEAD'])).filter(({ name }) => !shown.has(name))
  return { worktrees, branches: await onBranches(tips, root, repository, system) }
}

/** The projects of branches, like `rafBranchOf(…).read()`, with as few calls of git for all as for one. */
async function onBranches(
  tips: readonly { readonly name: string; readonly commit: string }[],
  root: string,
  { top, gitDir }: UsersRepository,
  system: System,
): Promise<readonly ReadProject[]> {
  if (tips.length === 0) return []
  const above = join(insideOf(top, root) ?? '', 'RAF')
  const places = tips.map(({ name, commit }) => ({ commit, folder: join(above, name) }))
  const paths = tips.map(({ name }) => inputOf(name))
  const [ignored, held] = await Promise.all([ignoredAmong(root, paths, system), filesInCommits(gitDir, places, system)])
  return Promise.all(
    tips.map(async ({ name }, at) => {
      const here = await readProject(rafFolderIn(root), name, system.files)
      return ignored.has(inputOf(name)) ? here : joined(await readProject('/RAF', name, held[at] ?? noFiles), here)
    }),
  )
}

const noFiles: ReadFiles = { list: async () => null, inspect: async () => null }

/** A project as its branch has it, with the reports on tasks that failed: those lie in the work tree alone. */
function withReportsOf(there: ReadProject, held: ReadProject): ReadProject {
  const ids = new Set(held.outcomes.map(({ name }) => taskOf(name)?.id))
  const reports = there.outcomes.filter(({ name }) => !ids.has(taskOf(name)?.id))
  const outcomes = [...held.outcomes, ...reports]
  return { ...held, path: there.path, outcomes, state: stateOf(held.plans, outcomes) }
}

/** Those of these paths that the user's git ignores. */
async function ignoredAmong(root: string, paths: readonly string[], system: System): Promise<ReadonlySet<string>> {
  const argv = ['git', ...quietGit, 'check-ignore', '-z', '--stdin']
  const { out } = await runProgram(argv, { cwd: root, stdin: paths.map(path => `${path}\0`).join('') }, system)
  return new Set(out.split('\0'))
}

/** By this file of a project's folder relay asks whether git ignores the project. */
function inputOf(folder: string): string {
  return join('RAF', folder, 'input.md')
}
