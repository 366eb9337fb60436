import type { Reason } from '../model/check.ts'
import type { PathFact, Plan, Planned } from '../model/plan.ts'
import type { Project } from '../model/project.ts'
import type { Patch } from '../model/response.ts'
import type { AnswerChoices } from '../model/stale.ts'
import { readSeen, versionBefore } from '../pack/seen-versions.ts'
import { type GivenVersion, isSettled } from '../plan/base-of.ts'
import { touches } from '../plan/edits/steps-of.ts'
import { type KnownFiles, pathsCalled, planSteps } from '../plan/plan-patch.ts'
import type { System } from '../ports.ts'
import { type EarlierWithSameUuid, earlierWithSameUuid } from '../transact/journal/earlier-with-same-uuid.ts'
import type { Journal } from '../transact/journal/journal.ts'
import { newestEntries, type Remembered } from '../transact/journal/newest-entries.ts'
import { type Layout, layoutOf } from '../transact/layout/layout.ts'
import { findNamesakes } from '../transact/survey/find-namesakes.ts'
import { survey } from '../transact/survey/survey.ts'
import type { Job, OpenProject } from '../transact/work/work.ts'
import { decidedPlans } from './decided-plan.ts'
import { projectFacts, runInterruptibly } from './project-facts.ts'
import { reasonsToAsk } from './reasons-to-ask.ts'
import { withSecretDoubts } from './secret-doubts.ts'
import { soundOf } from './understand.ts'
import { type NotStarted, type RelayOptions, refused, type UnderstoodAnswer } from './understood-answer.ts'

/**
 * What a patch would do, by the journal and the disk as they are now. Writes nothing and holds no lock, so the result
 * may soon be out of date.
 */
export async function preview(
  patch: Patch,
  project: Project,
  journal: Journal,
  system: System,
): Promise<NotStarted | (Ready & { readonly reasons: readonly Reason[] })> {
  const layout = layoutOf(project.root, system.files)
  const found = await lookAhead({ patch, leftOut: 0 }, project, { layout, journal, system }, {})
  return found.kind === 'ready' ? { ...found, reasons: reasonsToAsk(found.plan, 0, project) } : found
}

/** A patch whose transaction may begin. */
interface Ready {
  readonly kind: 'ready'
  readonly plan: Plan
  readonly leftOut: number
  readonly earlier: EarlierWithSameUuid | undefined
  /** The earlier transaction with the same uuid but other operations. */
  readonly reused: Job['reused']
  planNow(patch: Patch): Promise<Planned>
}

/**
 * Decides what is known before anything runs or is written: the patch has already been processed, is refused,
 * changes nothing, or may begin.
 */
export async function lookAhead(
  understood: Omit<UnderstoodAnswer, 'kind'>,
  project: Project,
  site: Omit<OpenProject, 'talk'>,
  options: RelayOptions,
): Promise<NotStarted | Ready> {
  const earlier = await site.system.trace.span('look up', () => earlierWithSameUuid(understood.patch, site.journal))
  if (earlier?.isSame === true && options.again !== true) {
    return { kind: 'skipped', number: earlier.number, state: earlier.outcome, at: earlier.at }
  }
  const look = planner(project, site, earlier?.isSame === true ? understood.patch.control.uuid : undefined)
  const decided = decidedPlans(options)
  const planNow = (patch: Patch) => decided(choices => look(patch, choices))
  const planned = await planUnderstood(understood, planNow, options)
  if (planned.kind !== 'plan') return planned
  const { plan, leftOut } = planned
  if (plan.changes.every(({ effect }) => effect === 'none')) return unchanged(plan)
  const reused = earlier?.isSame === false ? { number: earlier.number, state: earlier.outcome } : undefined
  return { kind: 'ready', plan, leftOut, earlier, reused, planNow }
}

function unchanged({ patch, changes }: Plan): NotStarted {
  const isEdits = patch.operations.every(({ op }) => op !== 'write')
  const renamed = new Set(patch.operations.flatMap(({ op, path }) => (op === 'rename' ? [path] : [])))
  const paths = changes.flatMap(({ path }) => (renamed.has(path) ? [] : [path]))
  const yours = changes.flatMap(({ path, isYours }) => (isYours === true ? path : []))
  return { kind: 'unchanged', paths, yours, ...(isEdits ? { edits: true } : {}) }
}

/** Returns a function that plans a patch from the state of the disk at each call; the journal is read only once. */
function planner(
  project: Project,
  { layout, journal, system }: Omit<OpenProject, 'talk'>,
  again: string | undefined,
): (patch: Patch, choices: AnswerChoices) => Promise<Planned> {
  const signal = system.interruption
  const around = projectFacts(project, { layout, system })
  let remembered: Remembered | undefined
  let given: NonNullable<KnownFiles['given']> | undefined
  let namesakes: KnownFiles['namesakes']
  return (patch, choices) =>
    system.trace.span('plan', async () => {
      const surveyOptions = { ...(await around.surveyOptions()), listsBeside: true }
      const facts = await survey(layout.root, touches(patch.operations), layout.files, surveyOptions)
      const there = facts.flatMap(({ path, file }) => (file === undefined ? [] : [path]))
      const told = new Set([...there, ...wholeFiles(patch)])
      remembered ??= await newestEntries([...told], journal, layout, found => isSettled(found, again), signal)
      given ??= await givenVersions([...told], layout)
      namesakes ??= await findNamesakes(astray(patch, facts, given), layout, signal)
      const known = { ...remembered, given, namesakes, again }
      return withSecretDoubts(
        await runInterruptibly(planSteps(patch, facts, await around.rules(), known, choices), system),
      )
    })
}

/** The files that a patch writes whole: one that does not exist may have existed before. */
function wholeFiles({ operations }: Patch): readonly string[] {
  return operations.flatMap(({ op, path }) => (op === 'write' ? [path] : []))
}

/** The paths that do not exist, though the change summary edits or deletes them, or a pack gave them: they may lie elsewhere. */
function astray(
  { control, operations }: Patch,
  facts: readonly PathFact[],
  given: NonNullable<KnownFiles['given']>,
): readonly string[] {
  const edited = pathsCalled('edit', control)
  const isMeant = new Set(
    operations.flatMap(({ op, path }) => {
      const wasThere = op === 'delete' || edited.has(path) || (given.get(path)?.length ?? 0) > 0
      return wasThere && op !== 'edit' && op !== 'rename' ? [path] : []
    }),
  )
  return facts.flatMap(({ path, found }) => (found === 'absent' && isMeant.has(path) ? [path] : []))
}

/** The versions of these files that packs gave to a model, the newest first. */
async function givenVersions(paths: readonly string[], { seen, files }: Layout) {
  const versionOf = await readSeen({ folder: seen, files })
  const given = new Map<string, readonly GivenVersion[]>()
  for (const path of paths) {
    const versions = [await versionOf(path), await versionOf(versionBefore(path))]
    given.set(
      path,
      versions.filter(version => version !== undefined),
    )
  }
  return given
}

async function planUnderstood(
  { patch, leftOut }: Omit<UnderstoodAnswer, 'kind'>,
  planNow: (patch: Patch) => Promise<Planned>,
  options: RelayOptions,
): Promise<{ readonly kind: 'plan'; readonly plan: Plan; readonly leftOut: number } | NotStarted> {
  const planned = await planNow(patch)
  if (planned.kind === 'plan') return { ...planned, leftOut }
  if (planned.kind === 'overlaps') return { kind: 'overlap', overlaps: planned.overlaps }
  const { problems } = planned
  const sound = soundOf(patch, problems)
  if (options.soundOnly !== true || sound === undefined) return refused(problems, sound)
  return planUnderstood({ patch: sound, leftOut: leftOut + problems.length }, planNow, options)
}
