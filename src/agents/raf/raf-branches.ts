import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { insideOf } from '../../ground/paths.ts'
import { quietGit } from '../../ground/quiet-git.ts'
import type { Inspected, System } from '../../ports.ts'
import { type BranchWorktree, ensureWorktree } from '../checkout/branch-worktree.ts'
import { usersGitAt } from '../checkout/git.ts'
import { runProgram } from '../checkout/program.ts'
import { commitAt, realPlace, tipOf, worktreesOf } from '../checkout/users-branches.ts'
import { findUsersRepository, type UsersRepository } from '../checkout/users-repository.ts'
import { placeOfWork } from '../work/work-note.ts'
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
    return readProject('/RAF', folder, await filesOfCommit(repository, commit, join(prefix, 'RAF', folder), system))
  }
  const isIgnored = await isIgnoredByGit(root, join('RAF', folder, 'input.md'), system)
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
  const git = usersGitAt(repository.gitDir, '/', system)
  const names = (await git(['for-each-ref', '--format=%(refname)', ...only, 'refs/heads/'])).split('\n')
  return names.map(name => name.replace(/^refs\/heads\//, '')).filter(name => projectOf(name) !== undefined)
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
  const names = (await rafBranchNames(root, system, ['--no-merged=HEAD'])).filter(name => !shown.has(name))
  const branches = await Promise.all(names.map(async name => (await rafBranchOf(root, name, system)).read()))
  return { worktrees, branches }
}

/** A project as its branch has it, with the reports on tasks that failed: those lie in the work tree alone. */
function withReportsOf(there: ReadProject, held: ReadProject): ReadProject {
  const ids = new Set(held.outcomes.map(({ name }) => taskOf(name)?.id))
  const reports = there.outcomes.filter(({ name }) => !ids.has(taskOf(name)?.id))
  const outcomes = [...held.outcomes, ...reports]
  return { ...held, path: there.path, outcomes, state: stateOf(held.plans, outcomes) }
}

async function isIgnoredByGit(root: string, path: string, system: System): Promise<boolean> {
  const { code } = await runProgram(['git', ...quietGit, 'check-ignore', '-q', '--', path], { cwd: root }, system)
  return code === 0
}

/** The files of a folder in a commit, under the path `/RAF/<folder>`. */
async function filesOfCommit(
  { gitDir }: UsersRepository,
  commit: string,
  folder: string,
  system: System,
): Promise<ReadFiles> {
  const git = usersGitAt(gitDir, '/', system)
  const listed = await git(['ls-tree', '-r', '-z', commit, '--', folder])
  const entries = new Map(
    [...listed.matchAll(/([0-7]+) [a-z]+ ([0-9a-f]+)\t([^\0]*)\0/g)].map(([, mode, name = '', path = '']) => {
      const below = path.slice(folder.lastIndexOf('/') + 1)
      return [join('/RAF', below), { mode, name }] as const
    }),
  )
  return {
    async list(path) {
      const names = [...entries.keys()].filter(each => each.startsWith(`${path}/`))
      return names.length === 0
        ? null
        : [...new Set(names.map(each => each.slice(path.length + 1).split('/')[0] ?? ''))]
    },
    async inspect(path): Promise<Inspected | null> {
      const entry = entries.get(path)
      if (entry === undefined) return [...entries.keys()].some(each => each.startsWith(`${path}/`)) ? folderFound : null
      // A batch ends with an extra newline, and `runProgram` drops the last newline of the output. So the text is exact.
      const answer = await git(['cat-file', '--batch'], `${entry.name}\n`)
      const text = answer.slice(answer.indexOf('\n') + 1)
      if (entry.mode === '120000') return { kind: 'link', to: text }
      return { kind: 'file', bytes: new TextEncoder().encode(text) }
    },
  }
}

const folderFound = { kind: 'folder' } as const
