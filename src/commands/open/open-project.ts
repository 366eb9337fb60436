import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { loadProject } from '../../project/load-project.ts'
import { showNotes } from '../talk/show-notes.ts'

/** The project around, once what is odd about its configuration is said. */
export async function openProject(system: System): Promise<Project> {
  const { project, notes } = await loadProject(system)
  showNotes(notes, system)
  return project
}
