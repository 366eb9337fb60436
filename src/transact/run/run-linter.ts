import { compareChecks, type Edits, unexplained } from '../../check/compare-checks.ts'
import { joinChecks, type PartCheck } from '../../check/join-checks.ts'
import { readCheck } from '../../check/read-check.ts'
import type { Check, Comparison } from '../../model/check.ts'
import { lintersOf } from '../../model/linters-of.ts'
import { fingerprintOf } from '../survey/project-fingerprint.ts'
import { interrupted, type RollBack } from '../work/decision.ts'
import type { Running } from '../work/work.ts'
import { keepOutput } from './command-output.ts'
import { lastCheck, noteLastCheck } from './last-check.ts'
import { runCommand } from './run-command.ts'

interface Checked {
  readonly kind: 'checked'
  readonly check: Check
  /** `undefined` if there was no check before, or if one of the two could not be counted. */
  readonly comparison: Comparison | undefined
}

/**
 * Runs the linter and reports the check; without one the check is `unchecked`. The baseline of a project in which
 * nothing changed since the check of the last change is that check.
 *
 * @param edits what the patch made of its files since the check before
 */
export async function runLinter(
  step: 'base' | 'lint',
  before: Check | undefined,
  work: Running,
  edits?: Edits,
): Promise<RollBack | Checked> {
  const { job, system, talk, without } = work
  const linters = lintersOf(job.project.config)
  const began = system.clock.monotonic()
  const found = linters.length === 0 ? unchecked : await look(step, linters, work)
  const stopped = interrupted(work)
  if (stopped !== undefined) return stopped
  const { check, comparison } =
    before === undefined ? { check: found.check, comparison: undefined } : compared(before, found.check, edits)
  const ms = system.clock.monotonic() - began
  const isBad = check.kind === 'uncounted' || (comparison?.new ?? 0) > 0
  talk.report({ kind: 'checked', step, check, known: found.known, comparison, ms, ...(isBad && { without }) })
  return { kind: 'checked', check, comparison }
}

function compared(before: Check, check: Check, edits?: Edits): Omit<Checked, 'kind'> {
  const comparison = compareChecks(before, check, edits)
  const why = unexplained(before, check, comparison)
  if (check.kind !== 'counted' || why === undefined) return { check, comparison }
  return { check: { kind: 'uncounted', why, output: check.output }, comparison: undefined }
}

interface Found {
  readonly check: Check
  /** The check is an earlier one. */
  readonly known: boolean
}

const unchecked: Found = { check: { kind: 'unchecked' }, known: false }

async function look(step: 'base' | 'lint', linters: readonly string[], work: Running): Promise<Found> {
  const { layout, stage, system, talk, without } = work
  // A check without some variables says nothing about one with them.
  const noted = [...linters, ...without].join('\n')
  const known = step === 'base' ? await lastCheck(noted, layout, system.interruption) : undefined
  if (known !== undefined) return { check: known, known: true }
  // Before the project is looked at, which can take seconds.
  talk.report({ kind: 'step-started', step, command: linters.join(' && ') })
  const fingerprint = step === 'lint' ? await fingerprintOf(layout, system.interruption) : undefined
  const check = await runAll(step, linters, work)
  // What was edited while the linter ran may be in its result, or not: no baseline can rest on that.
  if (check.kind === 'counted' && fingerprint !== undefined) {
    const isAsBefore = fingerprint === (await fingerprintOf(layout, system.interruption))
    if (isAsBefore) await noteLastCheck(noted, fingerprint, check, stage)
  }
  return { check, known: false }
}

/** Each runs, whatever another finds. */
async function runAll(step: 'base' | 'lint', linters: readonly string[], work: Running): Promise<Check> {
  const parts: PartCheck[] = []
  for (const command of linters) {
    const result = await runCommand(step, command, work)
    parts.push({ command, check: readCheck(result, work.layout.root) })
    if (result.end.kind === 'aborted') break
  }
  const check = joinChecks(parts)
  // A step has one output to look at.
  if (parts.length > 1 && 'output' in check) await keepOutput(step, check, work.stage)
  return check
}
