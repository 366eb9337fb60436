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

/**
 * Runs the linter and reports the check; without one the check is `unchecked`. The baseline of a project in which
 * nothing changed since an earlier check is that check.
 */
export async function runLinter(step: 'base' | 'lint', before: Check | undefined, work: Work): Promise<Check> {
  const { job, system, talk } = work
  const { linter } = job.project.config
  const began = system.clock.monotonic()
  const found = linter.trim() === '' ? unchecked : await check(step, linter, work)
  if (system.interruption.aborted) return found.check
  const comparison: Comparison | undefined = before === undefined ? undefined : compareChecks(before, found.check)
  talk.report({ kind: 'checked', step, ...found, comparison, ms: system.clock.monotonic() - began })
  return found.check
}

interface Found {
  readonly check: Check
  /** It is the result of an earlier check. */
  readonly known: boolean
}

const unchecked: Found = { check: { kind: 'unchecked' }, known: false }

async function check(step: 'base' | 'lint', linter: string, work: Work): Promise<Found> {
  const { job, system, talk, stage, files, known } = work
  const { config, root } = job.project
  const stand = await known.stand()
  const before = step === 'base' ? await known.lookUp(stand, system.clock.now()) : undefined
  if (before !== undefined) return { check: before, known: true }
  talk.report({ kind: 'step-started', step, command: linter })
  const settings = { root, timeLimit: config.commandTimeout, uuid: job.uuid }
  const check = readCheck(await runCommand(step, linter, settings, stage, files, system), root)
  // What was edited while the linter ran may be in its result, or not: that is no result to build on.
  if (check.kind === 'counted' && stand !== undefined && stand === (await known.stand())) {
    await known.remember(stand, check, system.clock.now())
  }
  return { check, known: false }
}
