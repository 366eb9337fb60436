import { basename, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { Files } from '../../ports.ts'
import { listProjects } from './read-project.ts'

/** The plans in a folder: a project's root, the top of a repository, or the same place in a work tree. */
export interface FoundRaf {
  /** The folder's `RAF/`, which may be missing. */
  readonly folder: string
  /** The names of the project folders in `RAF/`, oldest first. */
  readonly projects: readonly string[]
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
