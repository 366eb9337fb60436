import type { AskedChange } from '../../model/asked-change.ts'
import type { Project } from '../../model/project.ts'
import type { EndNotice, System } from '../../ports.ts'
import { judgeCommands } from '../../project/trust.ts'
import { visibleLine } from '../../report/text/visible.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { makeOwnerMark } from '../../transact/lock/owner-marks.ts'

/**
 * Asks, and tells the user meanwhile that relay waits: by name and number of the transaction alone, since a title or a
 * notification is seen by whoever sees the screen. `relay status` in another window tells it as well, and a relay that has to
 * wait names the change with its title.
 */
export async function withWaitingMark<Answer>(
  project: Project,
  about: AskedChange | undefined,
  system: System,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const over = await tellUser(project, about?.number, system)
  const { files } = system
  const mark = await makeOwnerMark(layoutOf(project.root, files).askers, system, path => {
    return files.create(path, Buffer.from(JSON.stringify(about ?? {})), { mode: 0o600, sync: false })
  })
  try {
    return await ask()
  } finally {
    over()
    await mark.remove()
  }
}

/** Rings for the user; what it gives ends the notice. */
export async function tellUser(
  project: Project,
  number: number | undefined,
  system: System,
  ended?: EndNotice,
): Promise<() => void> {
  const about = { project: visibleLine(project.config.projectId), number, way: await wayOf(project, system) }
  return system.terminal.notice({ ...about, ...(ended !== undefined && { ended }) })
}

/** A command comes with the project: before the user has agreed to it, the terminal tells. */
async function wayOf(project: Project, system: System): Promise<string> {
  const commands = await judgeCommands(project, system)
  const isAgreed = commands.every(({ key, state }) => key !== 'notify' || state === 'confirmed')
  return isAgreed ? project.config.notify : 'auto'
}
