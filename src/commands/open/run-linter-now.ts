import { joinChecks, type PartCheck } from '../../check/join-checks.ts'
import { readCheck } from '../../check/read-check.ts'
import { pathForCommands } from '../../ground/program-folders.ts'
import type { Check } from '../../model/check.ts'
import { lintersOf } from '../../model/linters-of.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'

/** Runs the linter outside of any transaction, and tells how long it took. The user has agreed to its command. */
export async function runLinterNow(
  { root, config }: Project,
  { clock, env, files, interruption, shell, terminal }: System,
): Promise<{ readonly check: Check; readonly ms: number }> {
  terminal.status('running the linter')
  const begin = clock.monotonic()
  const options = {
    cwd: root,
    timeLimit: config.commandTimeout,
    signal: interruption,
    env: { ...(await pathForCommands(root, env, files)), RELAY_PHASE: 'base' },
    onStart: async () => undefined,
  }
  const parts: PartCheck[] = []
  for (const command of lintersOf(config)) {
    parts.push({ command, check: readCheck(await shell.run(command, options), root) })
  }
  terminal.status(undefined)
  return { check: joinChecks(parts), ms: clock.monotonic() - begin }
}
