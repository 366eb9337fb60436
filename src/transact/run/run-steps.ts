import type { Check, CommandEnd, Comparison } from '../../model.ts'
import { compareChecks } from '../check/compare-checks.ts'
import { readCheck } from '../check/read-check.ts'
import type { Move } from '../entry/moves.ts'
import { walkProject } from '../survey/walk-project.ts'
import { type Back, interrupted } from '../work/decision.ts'
import type { Work } from '../work/work.ts'
import { endOf, runCommand } from './run-command.ts'

/** Runs the pre or post command and reports how it ended; `undefined` when none is configured. */
export async function runProjectCommand(
  step: 'pre' | 'post',
  work: Work,
  moves: readonly Move[] = [],
): Promise<CommandEnd | undefined> {
  const { job, system, talk } = work
  const { config } = job.project
  const line = step === 'pre' ? config.preCommand : config.postCommand
  if (line.trim() === '') return undefined
  talk.report({ kind: 'step-started', step, command: line })
  const began = system.clock.monotonic()
  const end = endOf(await runCommand(step, line, work), config.commandTimeout)
  const ms = system.clock.monotonic() - began
  const also = step === 'post' ? await alsoChanged(moves, work) : []
  talk.report({ kind: 'command-ended', step, command: line, end, ms, alsoChanged: also })
  return end
}

/** More than this many files are not looked at: noticing must stay cheap. */
const mostLooks = 20_000

/**
 * What the post command changed outside the patch, sorted; the moment it was noted to start is the file system's own. It
 * is only named: whether a command or the user changed it cannot be told.
 */
async function alsoChanged(moves: readonly Move[], { layout, stage }: Work): Promise<readonly string[]> {
  const { root, files } = layout
  const noted = await files.stat(stage.command)
  if (noted === null) return []
  const own = new Set(moves.map(({ target }) => target))
  const changed: string[] = []
  let looks = 0
  for await (const found of walkProject(root, files)) {
    looks += found.length
    if (looks > mostLooks) break
    for (const { path, stat } of found) {
      if (stat.kind === 'file' && stat.changedMs >= noted.changedMs && !own.has(path)) changed.push(path)
    }
  }
  return changed.sort()
}

/** What a run of the linter told. */
interface Checked {
  readonly kind: 'checked'
  readonly check: Check
  /** With the check before; nothing where there was none, or one of the two could not be counted. */
  readonly comparison: Comparison | undefined
}

/**
 * Runs the linter and reports the check; without one the check is `unchecked`. The baseline of a project in which
 * nothing changed since an earlier check is that check.
 */
export async function runLinter(step: 'base' | 'lint', before: Check | undefined, work: Work): Promise<Back | Checked> {
  const { job, system, talk } = work
  const { linter } = job.project.config
  const began = system.clock.monotonic()
  const found = linter.trim() === '' ? unchecked : await check(step, linter, work)
  const stopped = interrupted(work)
  if (stopped !== undefined) return stopped
  const comparison = before === undefined ? undefined : compareChecks(before, found.check)
  talk.report({ kind: 'checked', step, ...found, comparison, ms: system.clock.monotonic() - began })
  return { kind: 'checked', check: found.check, comparison }
}

interface Found {
  readonly check: Check
  /** It is the result of an earlier check. */
  readonly known: boolean
}

const unchecked: Found = { check: { kind: 'unchecked' }, known: false }

async function check(step: 'base' | 'lint', linter: string, work: Work): Promise<Found> {
  const { layout, system, talk, known } = work
  const stand = await known.stand()
  const at = system.clock.now()
  const before = step === 'base' ? await known.lookUp(stand, at) : undefined
  if (before !== undefined) return { check: before, known: true }
  talk.report({ kind: 'step-started', step, command: linter })
  const check = readCheck(await runCommand(step, linter, work), layout.root)
  // What was edited while the linter ran may be in its result, or not: that is no result to build on.
  if (check.kind === 'counted' && stand !== undefined && stand.hash === (await known.stand())?.hash) {
    await known.remember(stand, check, at)
  }
  return { check, known: false }
}
