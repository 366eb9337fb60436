import { basename } from 'node:path'
import { repositoryTop } from '../../agents/work/repository-top.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { findProjectFolder } from '../../project/load-project.ts'
import { plainProject } from '../../project/plain-project.ts'
import { readUserConfigFile } from '../../project/user-config-file.ts'
import { openProject } from '../open/open-project.ts'
import { showNotes } from '../talk/show-notes.ts'

/** The project around the current folder. Without a configuration, the git repository or else the folder, with no commands. */
export async function projectAround(system: System): Promise<{ readonly project: Project; readonly isPlain: boolean }> {
  if ((await findProjectFolder(system)) !== undefined) return { project: await openProject(system), isPlain: false }
  const root = (await repositoryTop(system.cwd, system)) ?? system.cwd
  const { user, notes } = await readUserConfigFile(system)
  showNotes(notes, system)
  return { project: plainProject(root, basename(root), user), isPlain: true }
}
