import type { Check, Plan, Reason } from '../model.ts'
import { judge } from './gate.ts'
import { runLinter, runProjectCommand } from './run-steps.ts'
import { type Back, back, interrupted, type Work } from './work.ts'

/** A plan that may go on: what the user let through is no doubt any more, and the baseline is known. */
export interface Prepared {
  readonly kind: 'prepared'
  readonly cleared: ReadonlySet<string>
  /** Nothing was run and nobody was asked: no time has passed in which the project could have changed. */
  readonly atOnce: boolean
  readonly before: Check
}

/** All that comes before anything is written: the question about sensitive files, the pre command, the baseline. */
export async function prepare(plan: Plan, work: Work): Promise<Back | Prepared> {
  const cleared = await askAboutSensitive(plan, work)
  if (cleared.kind === 'back') return cleared
  const pre = await runProjectCommand('pre', work)
  if (pre !== undefined && !pre.ok) return interrupted(work) ?? back({ kind: 'command', step: 'pre', end: pre })
  const before = await runLinter('base', undefined, work)
  const atOnce = cleared.paths.size === 0 && pre === undefined && before.kind === 'unchecked'
  return interrupted(work) ?? { kind: 'prepared', cleared: cleared.paths, atOnce, before }
}

/** Files that could make commands run are asked about before any command runs; answers the paths that are let through. */
async function askAboutSensitive(
  plan: Plan,
  work: Work,
): Promise<Back | { readonly kind: 'cleared'; readonly paths: ReadonlySet<string> }> {
  const { job, talk, stopwatch } = work
  const sensitive = plan.flags.filter(({ flag }) => flag === 'sensitive-path')
  const paths = new Set(sensitive.flatMap(({ path }) => path ?? []))
  if (sensitive.length === 0) return { kind: 'cleared', paths }
  const { changes, flags } = plan
  const answer = await stopwatch.without(() => talk.ask({ kind: 'sensitive', title: job.title, changes, flags }))
  if (answer === 'yes') return { kind: 'cleared', paths }
  const reasons = reasonsByNow(plan, work)
  if (answer === 'no') return interrupted(work) ?? back({ kind: 'declined' })
  return interrupted(work) ?? back({ kind: 'unasked', reasons, ...(answer === 'closed' && { closed: true }) })
}

/** All that is known before anything runs, for somebody who was not there to decide about it at once. */
function reasonsByNow({ flags }: Plan, { job }: Work): readonly Reason[] {
  const checks = { before: { kind: 'unchecked' }, after: { kind: 'unchecked' }, comparison: undefined } as const
  const { project, reused, doubts } = job
  const verdict = judge({ config: project.config, checks, flags, post: undefined, reused, also: doubts })
  return verdict.kind === 'ask' ? verdict.reasons : []
}

/** The plan without the doubts that the user has cleared. */
export function withoutFlags(plan: Plan, cleared: ReadonlySet<string>): Plan {
  const flags = plan.flags.filter(({ flag, path }) => flag !== 'sensitive-path' || !cleared.has(path ?? ''))
  return { ...plan, flags }
}
