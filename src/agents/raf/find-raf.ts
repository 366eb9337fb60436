import { basename, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { someOf } from '../../ground/words.ts'
import type { Files } from '../../ports.ts'
import { listProjects } from './read-project.ts'

/** The plans in a folder: a project's root, the top of a repository, or the same place in a work tree. */
export interface FoundRaf {
  /** The folder's `RAF/`, which may be missing. */
  readonly folder: string
  /** The names of the project folders in `RAF/`, oldest first. */
  readonly projects: readonly string[]
}

/** `RAF/12-fix-login`, with tasks like `1-a.md`. relay reads the form of RAF 2. */
const laterForm = /^\d+-./

/** The folders in `RAF/` in the form of RAF 5, which relay does not carry out. */
export async function laterPlansIn(rafFolder: string, files: Pick<Files, 'listKinds'>): Promise<readonly string[]> {
  const found = await files.listKinds(rafFolder)
  return (found?.folders ?? []).filter(folder => laterForm.test(folder)).toSorted()
}

/** Throws `usage` where a plan in the form of RAF 5 is meant. */
export async function mustNotBeLater(
  identifier: string,
  rafFolder: string,
  files: Pick<Files, 'listKinds'>,
): Promise<void> {
  const name = identifier.trim().replace(/\/+$/, '').replace(/^.*\//, '')
  if (!(await laterPlansIn(rafFolder, files)).includes(name)) return
  throw new RelayError('usage', laterWords([name]), { hint: 'Write its tasks as a plan of relay: `relay plan <name>`' })
}

export function laterWords(folders: readonly string[]): string {
  const are = folders.length === 1 ? 'is a plan' : 'are plans'
  return `${someOf(folders, 10)} ${are} in the form of RAF 5; relay carries out those of RAF 2 alone`
}

/**
 * Finds the plans in a folder. Throws `usage` when `RAF` is a link: its files go to an agent, and a cloned
 * repository could link to anything.
 */
export async function findRaf(root: string, files: Files): Promise<FoundRaf> {
  const folder = rafFolderIn(root)
  if ((await files.stat(folder))?.kind === 'link') {
    throw new RelayError('usage', `${folder} is a link; relay reads plans from folders alone`)
  }
  return { folder, projects: await listProjects(folder, files) }
}

export function rafFolderIn(root: string): string {
  return join(root, 'RAF')
}

/**
 * The path that RAF uses for a project's work tree. `top` is the top of the user's repository; `folder`, `<id>-<name>`, is
 * also the name of the branch.
 */
export function rafWorktreeAt(home: string, top: string, folder: string): string {
  return join(rafWorktreesOf(home, top), folder)
}

/** The folder of a repository's work trees. Another repository with the same name shares it. */
export function rafWorktreesOf(home: string, top: string): string {
  return join(home, '.raf/worktrees', basename(top))
}
