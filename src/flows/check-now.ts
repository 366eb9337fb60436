import { joinChecks, type PartCheck } from '../check/join-checks.ts'
import { readCheck } from '../check/read-check.ts'
import { pathForCommands } from '../ground/program-folders.ts'
import type { Check, CommandResult } from '../model/check.ts'
import { lintersOf } from '../model/linters-of.ts'
import type { Project } from '../model/project.ts'
import type { System } from '../ports.ts'

/**
 * Runs the linter outside of any transaction. The user has agreed to its command.
 *
 * @param without variables that it does not get
 */
export async function checkNow(project: Project, system: System, without: readonly string[] = []): Promise<Check> {
  const parts: PartCheck[] = []
  for (const command of lintersOf(project.config)) {
    const result = await runNow('base', command, project, system, without)
    parts.push({ command, check: readCheck(result, project.root) })
    if (result.end.kind === 'aborted') break
  }
  return joinChecks(parts)
}

/** Runs a command of the project as a transaction does, but outside of any. */
export async function runNow(
  step: 'pre' | 'base',
  command: string,
  { root, config }: Project,
  { env, files, interruption, shell }: System,
  without: readonly string[],
): Promise<CommandResult> {
  return shell.run(command, {
    cwd: root,
    timeLimit: config.commandTimeout,
    signal: interruption,
    env: {
      ...Object.fromEntries(without.map(name => [name, undefined])),
      ...(await pathForCommands(root, env, files)),
      RELAY_PHASE: step,
    },
    onStart: async () => undefined,
  })
}
