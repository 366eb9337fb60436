import { checkNow } from '../../flows/check-now.ts'
import type { Check } from '../../model/check.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'

/** Runs the linter outside of any transaction, and tells how long it took. The user has agreed to its command. */
export async function runLinterNow(
  project: Project,
  system: System,
): Promise<{ readonly check: Check; readonly ms: number }> {
  const { clock, terminal } = system
  terminal.status('running the linter')
  const begin = clock.monotonic()
  const check = await checkNow(project, system)
  terminal.status(undefined)
  return { check, ms: clock.monotonic() - begin }
}
