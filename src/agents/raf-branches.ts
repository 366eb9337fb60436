import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { insideOf } from '../ground/inside-of.ts'
import type { Inspected, System } from '../ports.ts'
import { findRaf, rafFolderIn, rafWorktreeAt } from './books/raf/find-raf.ts'
import { projectOf, taskOf } from './books/raf/names.ts'
import { type RafPlace, rafKey } from './books/raf/raf-book.ts'
import { type ReadFiles, type ReadProject, readProject } from './books/raf/read-project.ts'
import { stateOf } from './books/raf/state.ts'
import { usersGitAt } from './checkout/git.ts'
import { runProgram } from './checkout/program.ts'
import { findUsersRepository, type UsersRepository } from './checkout/users-repository.ts'
import { commitAt, realPlace, tipOf, worktreesOf } from './checkout/users-worktrees.ts'
import { placeOfWork, readWorkNote, type WorkNote } from './work-note.ts'

/** Where a project of RAF is worked on on its branch, which has the name of its folder. */
export interface RafBranch extends Pick<RafPlace, 'folder' | 'read' | 'home'> {
  /** Its work tree, which need not be there. */
  readonly at: string
  readonly branch: NonNullable<RafPlace['branch']>
}

/**
 * The project of a folder on its branch. What the branch holds of it counts, and tasks of the user's folder that it does not
 * hold come along. Throws `usage` where there is no repository.
 */
export async function rafBranchOf(root: string, folder: string, system: System): Promise<RafBranch> {
  const repository = await findUsersRepository(root, system)
  if (repository === undefined || system.home === undefined) {
    const lacks = repository === undefined ? `${root} is in no git repository` : 'HOME is not set'
    throw new RelayError('usage', `${lacks}, and --worktree needs one`, { hint: 'Leave out --worktree.' })
  }
  const at = rafWorktreeAt(system.home, repository.top, folder)
  const prefix = insideOf(repository.top, root) ?? ''
  const cwd = join(await realPlace(at, system), prefix)
  const inFolder = () => readProject(rafFolderIn(root), folder, system.files)
  const onBranch = async () => {
    const commit = (await tipOf(folder, repository, system)) ?? (await commitAt('HEAD', repository, system))
    return readProject('/RAF', folder, await filesOfCommit(repository, commit, join(prefix, 'RAF', folder), system))
  }
  const isIgnored = await isIgnoredByGit(root, join('RAF', folder, 'input.md'), system)
  const read = async () => (isIgnored ? inFolder() : joined(await onBranch(), await inFolder()))
  return { folder, at, read, home: isIgnored ? root : cwd, branch: { cwd, isIgnored } }
}

/** Outcomes are those of the branch alone: what was done elsewhere is not on it. */
function joined(held: ReadProject, here: ReadProject): ReadProject {
  const ids = new Set(held.plans.map(({ name }) => taskOf(name)?.id))
  const plans = [...held.plans, ...here.plans.filter(({ name }) => !ids.has(taskOf(name)?.id))]
  const { input = here.input, decisions = here.decisions, outcomes } = held
  return { ...here, plans, outcomes, input, decisions, state: stateOf(plans, outcomes) }
}

/** The branches that have the name of a project's folder; `only`: options of `git for-each-ref`. */
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

/** The projects that RAF has in work trees of this repository, or on branches of theirs alone. */
export interface RafElsewhere {
  readonly worktrees: readonly ReadProject[]
  /** What HEAD does not hold yet. */
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
    const project = await readProject(raf, folder, system.files)
    worktrees.push(
      withoutUnchecked(project, await readWorkNote(placeOfWork(root, rafKey(folder, true), system), system)),
    )
  }
  const shown = new Set(worktrees.map(({ folder }) => folder))
  const names = (await rafBranchNames(root, system, ['--no-merged=HEAD'])).filter(name => !shown.has(name))
  const branches = await Promise.all(names.map(async name => (await rafBranchOf(root, name, system)).read()))
  return { worktrees, branches }
}

/** What an agent says of the task that it is at counts when that has landed. */
function withoutUnchecked(project: ReadProject, note: WorkNote | undefined): ReadProject {
  if (note === undefined || note.landed !== undefined) return project
  const outcomes = project.outcomes.filter(({ name }) => taskOf(name)?.id !== note.task.id)
  return { ...project, outcomes, state: stateOf(project.plans, outcomes) }
}

async function isIgnoredByGit(root: string, path: string, system: System): Promise<boolean> {
  const { code } = await runProgram(['git', 'check-ignore', '-q', '--', path], { cwd: root }, system)
  return code === 0
}

/** The files of a folder in a commit, as if it lay at `/RAF/<folder>`. */
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
      // In a batch another newline follows it: what a program prints comes without its last one.
      const answer = await git(['cat-file', '--batch'], `${entry.name}\n`)
      const text = answer.slice(answer.indexOf('\n') + 1)
      if (entry.mode === '120000') return { kind: 'link', to: text }
      return { kind: 'file', bytes: new TextEncoder().encode(text) }
    },
  }
}

const folderFound = { kind: 'folder' } as const
