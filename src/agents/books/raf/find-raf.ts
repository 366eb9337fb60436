import { basename, join } from 'node:path'
import { RelayError } from '../../../errors.ts'
import type { Files } from '../../../ports.ts'
import { listProjects } from './read-project.ts'

/** The plans of a folder: of a project's root, of the top of a repository, or of the same place in a work tree. */
export interface FoundRaf {
  /** Its `RAF/`, which need not be there. */
  readonly folder: string
  /** The folders in it, oldest first. */
  readonly projects: readonly string[]
}

/** Throws `usage` where `RAF` is a link: what is read there goes to an agent, and a cloned repository could lead anywhere. */
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

/** Where the work tree of a project lies, as RAF has it. `top`: of the user's repository; `folder`: `<id>-<name>`, and the branch. */
export function rafWorktreeAt(home: string, top: string, folder: string): string {
  return join(rafWorktreesOf(home, top), folder)
}

/** The folder above the work trees of a repository. Another one of the same name has its own there as well. */
export function rafWorktreesOf(home: string, top: string): string {
  return join(home, '.raf/worktrees', basename(top))
}
