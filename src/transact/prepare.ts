import type { Check, Reason } from '../model/check.ts'
import type { Plan } from '../model/plan.ts'
import { asksFirst, type Flag } from '../model/response.ts'
import { judge } from './decide/gate.ts'
import { runProjectCommand } from './run/project-command.ts'
import { runLinter } from './run/run-linter.ts'
import { isSameOrReformatted } from './survey/reformatted.ts'
import { interrupted, type RollBack, rollBackBecause } from './work/decision.ts'
import type { Job, Replanned, Running } from './work/work.ts'

/** A plan that may go on: the user has been asked about its sensitive files, and the baseline is known. */
export interface Prepared {
  readonly kind: 'prepared'
  readonly plan: Plan
  readonly before: Check
}

/** The patch no longer fits the files on the disk. */
type Refused = Extract<Replanned, { readonly kind: 'refused' }>

/**
 * All that comes before anything is written: the question about sensitive files, the pre command, the baseline.
 *
 * What the pre command changes is part of "before", and asked about as such. What anybody else changes meanwhile is a
 * conflict: it was not in what the user saw, and the patch would overwrite it.
 */
export async function prepare(job: Job, work: Running): Promise<RollBack | Refused | Prepared> {
  const asked = await askAboutSensitive(job.plan, new Set(), job, work)
  if (asked.kind !== 'agreed') return asked
  const pre = await runProjectCommand('pre', work)
  if (pre !== undefined && !pre.ok)
    return interrupted(work) ?? rollBackBecause({ kind: 'command', step: 'pre', end: pre })
  const agreed = pre === undefined ? asked : await agreeAgain(asked, job, work)
  if (agreed.kind !== 'agreed') return agreed
  const base = await runLinter('base', undefined, work)
  if (base.kind === 'back') return base
  const before = base.check
  const planned =
    before.kind === 'unchecked' ? ({ kind: 'plan', plan: agreed.plan } as const) : await planAgain(agreed.plan, job)
  if (planned.kind !== 'plan') return planned
  return { kind: 'prepared', plan: withoutFlags(planned.plan, agreed.cleared), before }
}

/** The plan as it was when the user agreed, with the doubts that this cleared. */
interface Agreed {
  readonly kind: 'agreed'
  readonly plan: Plan
  readonly cleared: ReadonlySet<string>
}

/** Plans again after the pre command, and asks only about what became sensitive through it. */
async function agreeAgain({ cleared }: Agreed, job: Job, work: Running): Promise<RollBack | Refused | Agreed> {
  const planned = await job.replan()
  return planned.kind === 'plan' ? askAboutSensitive(planned.plan, cleared, job, work) : planned
}

/** The same plan for the disk as it is now; a conflict if files of the plan have changed meanwhile. */
async function planAgain(plan: Plan, job: Job): Promise<RollBack | Replanned> {
  const planned = await job.replan()
  // An undo merges whatever it finds.
  if (planned.kind !== 'plan' || job.undoes !== undefined) return planned
  const known = new Map(plan.changes.map(change => [change.path, change]))
  const changed = planned.plan.changes.filter(({ path, target, before }) => {
    const was = known.get(path)
    // Some linters format the files that they check.
    return was?.target !== target || !isSameOrReformatted(path, was.before, before)
  })
  return changed.length === 0 ? planned : rollBackBecause({ kind: 'conflict', paths: changed.map(({ path }) => path) })
}

/** Files that could make commands run are asked about before any command runs, with what an agent did beside them. */
async function askAboutSensitive(
  plan: Plan,
  cleared: ReadonlySet<string>,
  job: Job,
  work: Running,
): Promise<RollBack | Refused | Agreed> {
  const { talk, stopwatch } = work
  const sensitive = plan.flags.filter(flag => asksFirst(flag) && !cleared.has(keyOf(flag)))
  if (sensitive.length === 0) return { kind: 'agreed', plan, cleared }
  const { changes, flags, patch } = plan
  const question = { kind: 'sensitive', number: job.number, changes, flags, reasoning: patch.reasoning } as const
  const answer = await stopwatch.without(() => talk.ask(question))
  if (answer === 'yes') {
    const planned = await planAgain(plan, job)
    const all = new Set([...cleared, ...sensitive.map(keyOf)])
    return planned.kind === 'plan' ? { kind: 'agreed', plan: planned.plan, cleared: all } : planned
  }
  const reasons = reasonsByNow(plan, work)
  if (answer === 'no')
    return interrupted(work) ?? rollBackBecause({ kind: 'declined' }, { leftOut: refusedOf(plan, sensitive) })
  if (answer === 'not-accepted') return interrupted(work) ?? rollBackBecause({ kind: 'not-accepted', reasons })
  return (
    interrupted(work) ?? rollBackBecause({ kind: 'unasked', reasons, ...(answer === 'closed' && { closed: true }) })
  )
}

/**
 * The files that the user did not let the patch change; none if these are all its files: then the no is to the whole
 * patch.
 */
function refusedOf({ changes }: Plan, sensitive: readonly Flag[]): ReadonlySet<string> {
  const refused = new Set(sensitive.flatMap(({ path }) => path ?? []))
  return changes.every(({ path }) => refused.has(path)) ? new Set() : refused
}

/** The reasons to ask that are known before anything runs, for a user who was not there to answer. */
function reasonsByNow({ flags }: Plan, { job }: Running): readonly Reason[] {
  const checks = { before: { kind: 'unchecked' }, after: { kind: 'unchecked' }, comparison: undefined } as const
  const { project, reused, doubts } = job
  const verdict = judge({ config: project.config, checks, flags, post: undefined, reused, also: doubts })
  return verdict.kind === 'ask' ? verdict.reasons : []
}

function withoutFlags(plan: Plan, cleared: ReadonlySet<string>): Plan {
  return { ...plan, flags: plan.flags.filter(flag => !asksFirst(flag) || !cleared.has(keyOf(flag))) }
}

/** A file that was let through for one reason is asked about again for another. */
function keyOf({ path, reason }: Flag): string {
  return `${path}\0${reason}`
}
