import type { Check, CommandEnd, Comparison } from '../model.ts'
import type { Files } from '../ports.ts'
import { compareChecks } from './check/compare-checks.ts'
import { readCheck } from './check/read-check.ts'
import type { Move } from './moves.ts'
import { noticeChanges } from './notice-changes.ts'
import { endOf, runCommand } from './run-command.ts'
import type { Stage } from './stage.ts'
import type { Work } from './work.ts'

/** Runs the pre or post command and reports how it ended; `undefined` when none is configured. */
export async function runProjectCommand(
  step: 'pre' | 'post',
  work: Work,
  moves: readonly Move[] = [],
): Promise<CommandEnd | undefined> {
  const { job, system, talk, stage, files } = work
  const { config, root } = job.project
  const line = step === 'pre' ? config.preCommand : config.postCommand
  if (line.trim() === '') return undefined
  talk.report({ kind: 'step-started', step, command: line })
  const began = system.clock.monotonic()
  const settings = { root, timeLimit: config.commandTimeout, uuid: job.uuid }
  const result = await runCommand(step, line, settings, stage, files, system)
  const end = endOf(result, config.commandTimeout)
  const ms = system.clock.monotonic() - began
  talk.report({
    kind: 'command-ended',
    step,
    command: line,
    end,
    ms,
    alsoChanged: await alsoChanged(step, moves, { root, stage, files }),
  })
  return end
}

/** What the post command changed outside the patch; the moment it was noted to start is the file system's own. */
async function alsoChanged(
  step: 'pre' | 'post',
  moves: readonly Move[],
  { root, stage, files }: { root: string; stage: Stage; files: Files },
): Promise<readonly string[]> {
  const noted = step === 'post' ? await files.stat(stage.command) : null
  if (noted === null) return []
  return noticeChanges(root, noted.changedMs, new Set(moves.map(({ target }) => target)), files)
}

/** Runs the linter and reports the check; without one the check is `unchecked`. */
export async function runLinter(step: 'base' | 'lint', before: Check | undefined, work: Work): Promise<Check> {
  const { job, system, talk, stage, files } = work
  const { config, root } = job.project
  const began = system.clock.monotonic()
  let check: Check = { kind: 'unchecked' }
  if (config.linter.trim() !== '') {
    talk.report({ kind: 'step-started', step, command: config.linter })
    const settings = { root, timeLimit: config.commandTimeout, uuid: job.uuid }
    check = readCheck(await runCommand(step, config.linter, settings, stage, files, system), root)
  }
  if (system.interruption.aborted) return check
  const comparison: Comparison | undefined = before === undefined ? undefined : compareChecks(before, check)
  talk.report({ kind: 'checked', step, check, comparison, ms: system.clock.monotonic() - began })
  return check
}
