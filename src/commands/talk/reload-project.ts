import { RelayError } from '../../errors.ts'
import { commandsOf } from '../../model/commands-of.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { configName, readConfigFile } from '../../project/read-config-file.ts'
import type { UserDoors } from '../../project/user-config-file.ts'
import { areConfirmed } from './confirm-commands.ts'
import { showNotes } from './show-notes.ts'

/** Answers the project as it is now, or why that cannot be told. */
export type Reload = (project: Project) => Promise<Project | RelayError>

/**
 * Takes up a changed configuration, between two transactions or at a question. One whose commands the user does not agree to is said, and
 * the one from before stays; the same commands are not asked about twice.
 *
 * One that cannot be read is answered as the error that it is: whoever has mistyped a stricter rule must not get what
 * the old one allowed.
 */
export function createReload(system: System): Reload {
  let declined: string | undefined
  const reload = async (project: Project) => {
    const next = await readAgain(project, system)
    const commands = JSON.stringify(commandsOf(next.config))
    if (declined !== commands) {
      if (await areConfirmed(next, system)) {
        declined = undefined
        return next
      }
      if (system.interruption.aborted) return project
      declined = commands
    }
    showNotes(['you have not allowed the changed commands: relay keeps using the old configuration'], system)
    return project
  }
  return project => orError(reload(project))
}

/** The name that patches must carry by now; where that cannot be read, the one that is known. Asks about nothing. */
export async function projectIdNow(project: Project, doors: UserDoors): Promise<string> {
  const now = await orError(readAgain(project, doors))
  return (now instanceof RelayError ? project : now).config.projectId
}

async function orError(read: Promise<Project>): Promise<Project | RelayError> {
  try {
    return await read
  } catch (error) {
    if (error instanceof RelayError) return error
    throw error
  }
}

/** From the same folder: where its configuration is gone, one further up is another project's. */
async function readAgain({ root }: Project, doors: UserDoors): Promise<Project> {
  const file = await readConfigFile(root, doors)
  if (file !== null) return { root, config: file.config }
  throw new RelayError('usage', `${configName} is gone from ${root}`, {
    hint: 'Put it back, or run `relay --init` there.',
  })
}
