import { RelayError } from '../errors.ts'
import type { Project } from '../model.ts'
import type { System } from '../ports.ts'
import { loadProject } from '../project/load-project.ts'
import { errorLines } from '../report/error-lines.ts'
import { areConfirmed } from './confirm-commands.ts'
import { isScreen } from './is-screen.ts'
import { showNotes } from './show-notes.ts'
import { styleOf } from './style-of.ts'

/**
 * Takes up a changed configuration between two transactions. One that cannot be used, or whose commands the user does
 * not agree to, is said, and the last good one stays; the same commands are not asked about twice.
 */
export function createReload(system: System): (project: Project) => Promise<Project> {
  let declined: string | undefined
  return async project => {
    const next = await load(project, system)
    const { preCommand, linter, postCommand, notify } = next.config
    const commands = JSON.stringify([preCommand, linter, postCommand, notify])
    if (declined !== commands) {
      if (await areConfirmed(next, system)) {
        declined = undefined
        return next
      }
      if (system.interruption.aborted) return project
      declined = commands
    }
    showNotes(['the changed commands are not agreed to: the configuration from before stays in use'], system)
    return project
  }
}

async function load(project: Project, system: System): Promise<Project> {
  try {
    return (await loadProject(system)).project
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    const { terminal } = system
    for (const line of errorLines(error, styleOf(terminal), isScreen(terminal))) terminal.err(line)
    return project
  }
}
