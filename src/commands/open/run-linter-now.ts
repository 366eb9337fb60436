import { readCheck } from '../../check/read-check.ts'
import { pathForCommands } from '../../ground/program-folders.ts'
import type { Check } from '../../model/check.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'

/** Runs the linter outside of any transaction, and tells how long it took. The user has agreed to its command. */
export async function runLinterNow(
  { root, config }: Project,
  { clock, env, files, interruption, shell, terminal }: System,
): Promise<{ readonly check: Check; readonly ms: number }> {
  terminal.status('running the linter')
  const begin = clock.monotonic()
  const result = await shell.run(config.linter, {
    cwd: root,
    timeLimit: config.commandTimeout,
    signal: interruption,
    env: { ...(await pathForCommands(root, env, files)), RELAY_PHASE: 'base' },
    onStart: async () => undefined,
  })
  terminal.status(undefined)
  return { check: readCheck(result, root), ms: clock.monotonic() - begin }
}
