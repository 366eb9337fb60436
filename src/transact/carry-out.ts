import { RelayError } from '../errors.ts'
import type { Check, Checks, Entry, Plan, RollbackReason } from '../model.ts'
import { compareChecks } from './check/compare-checks.ts'
import { endingOf } from './ending.ts'
import { commit } from './ends.ts'
import { readEntry, writeEntry } from './entry-yaml.ts'
import { execute } from './execute.ts'
import { judge } from './gate.ts'
import { hashOperations } from './hash.ts'
import { movesOf } from './moves.ts'
import { noteWhatIsThere } from './note-what-is-there.ts'
import { runLinter, runProjectCommand } from './run-steps.ts'
import { type Back, back, interrupted, type Work } from './work.ts'

/** The transaction stays. */
export interface Kept {
  readonly kind: 'kept'
  readonly by: 'auto' | 'user'
  readonly checks: Checks
}

/** From the plan on disk to the commit; every way out but that one is rolled back by the caller. */
export async function carryOut(
  { entry, plan, before }: { readonly entry: Entry; readonly plan: Plan; readonly before: Check },
  work: Work,
): Promise<Back | Kept> {
  const { job, layout, stage, files, system, talk } = work
  const pending = await commitPlan(entry, work)

  talk.report({ kind: 'step-started', step: 'write', command: '' })
  const began = system.clock.monotonic()
  const moves = movesOf(pending.entry)
  const conflicts = await execute(moves, pending.entry, stage, layout.root, files)
  if (conflicts.length > 0) return back({ kind: 'conflict', paths: conflicts })
  talk.report({ kind: 'written', files: moves.length, ms: system.clock.monotonic() - began })

  const post = interrupted(work) === undefined ? await runProjectCommand('post', work, moves) : undefined
  if (interrupted(work) === undefined && post !== undefined && !post.ok && !talk.present) {
    return back({ kind: 'command', step: 'post', end: post })
  }
  const after = interrupted(work) === undefined ? await runLinter('lint', before, work) : before
  const stopped = interrupted(work)
  if (stopped !== undefined) return stopped
  const written = await noteWhatIsThere(moves, work)

  const checks: Checks = { before, after, comparison: compareChecks(before, after) }
  const verdict = judge({
    config: job.project.config,
    checks,
    flags: plan.flags,
    post,
    reused: job.reused,
    also: job.doubts,
  })
  if (verdict.kind === 'ask') {
    const { reasons } = verdict
    const answer = await talk.ask({ kind: 'gate', number: job.number, reasons, changes: plan.changes, checks })
    if (answer !== 'yes') {
      const why: RollbackReason = answer === 'no' ? { kind: 'declined' } : { kind: 'unasked', reasons }
      return { ...(interrupted(work) ?? back(why)), checks }
    }
  }
  const by = verdict.kind === 'ask' ? 'user' : 'auto'
  await commit(pending.text, entry.uuid, endingOf(checks, written, by, system.clock.now()), work)
  return { kind: 'kept', by, checks }
}

/** Puts the whole plan on the disk, and answers it as it is read back from there. */
async function commitPlan(entry: Entry, { layout, stage, files }: Work): Promise<{ entry: Entry; text: string }> {
  await files.create(stage.draft, Buffer.from(writeEntry(entry)), { mode: 0o600 })
  await files.sync(stage.folder)
  await files.rename(stage.draft, layout.pending(entry.uuid))
  await files.sync(layout.folder)
  const bytes = await files.read(layout.pending(entry.uuid))
  const text = bytes === null ? '' : Buffer.from(bytes).toString('utf8')
  const readBack = readEntry(text)
  if (readBack === undefined || hashOperations(readBack.operations) !== hashOperations(entry.operations)) {
    throw new RelayError('failed', `The entry ${entry.uuid}.pending.yml could not be read back as it was written`, {
      hint: 'Check the disk, then try again.',
    })
  }
  return { entry: readBack, text }
}
