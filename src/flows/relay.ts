import { type PackageScript, scriptsIn } from '../ground/package-scripts.ts'
import type { Reason } from '../model/check.ts'
import type { Entry } from '../model/entry.ts'
import type { Plan, Planned } from '../model/plan.ts'
import type { Config, Limits, Project } from '../model/project.ts'
import type { Parsed, Patch, Problem, Response } from '../model/response.ts'
import type { Outcome } from '../model/talk.ts'
import { titleOf } from '../model/title.ts'
import { planSteps } from '../plan/plan-patch.ts'
import type { System, Talk } from '../ports.ts'
import { enterProject } from '../transact/enter-project.ts'
import { type EarlierTurn, earlierTurn } from '../transact/journal/earlier-turn.ts'
import type { Journal } from '../transact/journal/journal.ts'
import { newestEntries } from '../transact/journal/newest-entries.ts'
import { isReserved, layoutOf } from '../transact/layout/layout.ts'
import { findLinks, type Links } from '../transact/survey/find-links.ts'
import { survey } from '../transact/survey/survey.ts'
import { transact } from '../transact/transact.ts'
import type { Job, Site } from '../transact/work/work.ts'
import { judgeRecovery } from './judge-recovery.ts'
import { judgePaths, soundOf, understand } from './understand.ts'

export interface RelayOptions {
  /** Also take a response that has already had its turn. */
  readonly again?: boolean
  /** Of a damaged response take the sound files alone; always asked. */
  readonly soundOnly?: boolean
  /** Take a response without a control block; always asked. */
  readonly withoutControl?: boolean
}

/**
 * The story: one response becomes a patch, the patch a plan, the plan a transaction, and that has one of two ends.
 *
 * Throws only what nobody could foresee or decide here (`RelayError`); whatever a response can do is an outcome.
 */
export async function relay(
  response: Response,
  project: Project,
  system: System,
  talk: Talk,
  options: RelayOptions = {},
): Promise<Outcome> {
  const { config } = project
  const { trace } = system
  if (Buffer.byteLength(response.text) > config.limits.responseBytes) return tooLarge(response, config.limits)
  const text = options.withoutControl === true ? withControl(response.text, config, system) : response.text
  const understood = await trace.span('parse', () => draftOf(understand(text, config.projectId), options))
  if (understood.kind !== 'draft') return withSound(understood, text, config, system)

  return enterProject(project, system, talk, judgeRecovery(config), async site => {
    const found = await lookAhead(understood, project, site, options)
    if (found.kind !== 'ready') return found
    const { plan, leftOut, earlier, reused, planNow } = found
    return transact(
      {
        project,
        source: response.source,
        response: { ...response, text },
        number: site.journal.nextNumber(),
        ...(await ownUuid(plan.patch, earlier, site)),
        title: titleOf(plan.patch),
        plan,
        reused,
        doubts: doubtsAbout(leftOut, options),
        replan: () => planNow(plan.patch),
      },
      site,
    )
  })
}

/** What would come of a patch, as journal and disk are now. Writes nothing and holds no lock: it may be otherwise soon. */
export function preview(patch: Patch, project: Project, journal: Journal, system: System): Promise<Untaken | Ready> {
  const layout = layoutOf(project.root, system.files)
  return lookAhead({ patch, leftOut: 0 }, project, { layout, journal, system }, {})
}

/** How a patch can end before anything is run or written. */
type Untaken = Extract<Outcome, { readonly kind: 'skipped' | 'refused' | 'unchanged' }>

/** One that has not. */
interface Ready {
  readonly kind: 'ready'
  readonly plan: Plan
  readonly leftOut: number
  readonly earlier: EarlierTurn | undefined
  /** The earlier turn of its uuid, with other operations. */
  readonly reused: Job['reused']
  planNow(patch: Patch): Promise<Planned>
}

/** What is known of a patch before anything is run or written: it had its turn, is refused or changes nothing, or may begin. */
async function lookAhead(
  draft: Omit<Draft, 'kind'>,
  project: Project,
  site: Omit<Site, 'talk'>,
  options: RelayOptions,
): Promise<Untaken | Ready> {
  const earlier = await site.system.trace.span('look up', () => earlierTurn(draft.patch, site.journal))
  if (earlier?.isSame === true && options.again !== true) {
    return { kind: 'skipped', number: earlier.number, state: earlier.outcome, at: earlier.at }
  }
  const planNow = planner(project, site)
  const planned = await planDraft(draft, planNow, options)
  if (planned.kind !== 'plan') return planned
  const { plan, leftOut } = planned
  if (plan.changes.every(({ effect }) => effect === 'none')) {
    return { kind: 'unchanged', paths: plan.changes.map(({ path }) => path) }
  }
  const reused = earlier?.isSame === false ? { number: earlier.number, state: earlier.outcome } : undefined
  return { kind: 'ready', plan, leftOut, earlier, reused, planNow }
}

/** A patch whose paths are sound as far as text alone tells, with the number of problems that were left out of it. */
interface Draft {
  readonly kind: 'draft'
  readonly patch: Patch
  readonly leftOut: number
}

function draftOf(parsed: Parsed, options: RelayOptions, leftOut = 0): Draft | Outcome {
  switch (parsed.kind) {
    case 'ignored':
      return parsed
    case 'patch':
      return { kind: 'draft', patch: parsed.patch, leftOut }
    case 'refused': {
      const { problems, sound } = parsed
      if (options.soundOnly !== true || sound === undefined) return refused(problems, sound)
      return draftOf(judgePaths(sound), options, leftOut + problems.length)
    }
  }
}

/** Plans a patch by the disk as it is each time; what the journal tells of its files is read once. */
function planner(
  { config, root }: Project,
  { layout, journal, system }: Omit<Site, 'talk'>,
): (patch: Patch) => Promise<Planned> {
  const { files } = layout
  const signal = system.interruption
  const looks = { ...config.limits, stateFolder: system.stateFolder, listsBeside: true, signal }
  let links: Links | undefined
  let scripts: readonly PackageScript[] | undefined
  let newest: ReadonlyMap<string, readonly Entry[]> | undefined
  return patch =>
    system.trace.span('plan', async () => {
      links ??= await findLinks(root, files, signal)
      const facts = await survey(root, patch.operations, files, { ...looks, links })
      const there = facts.flatMap(({ path, file }) => (file === undefined ? [] : [path]))
      newest ??= await newestEntries(there, journal, layout, signal)
      scripts ??= await scriptsIn(root, files)
      return heard(planSteps(patch, facts, { ...config, root, scripts }, newest), system)
    })
}

/** Takes steps that may be many, and lets a signal through between them: its reason is thrown. */
async function heard<T>(steps: Generator<unknown, T>, { clock, interruption }: System): Promise<T> {
  for (let since = clock.monotonic(); ; ) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (clock.monotonic() - since < heardEachMs) continue
    await clock.sleep(0)
    interruption.throwIfAborted()
    since = clock.monotonic()
  }
}

/** The more often, the more of the time goes into the turns that this takes. */
const heardEachMs = 100

async function planDraft(
  { patch, leftOut }: Omit<Draft, 'kind'>,
  planNow: (patch: Patch) => Promise<Planned>,
  options: RelayOptions,
): Promise<{ readonly kind: 'plan'; readonly plan: Plan; readonly leftOut: number } | Untaken> {
  const planned = await planNow(patch)
  if (planned.kind === 'plan') return { ...planned, leftOut }
  const { problems } = planned
  const sound = soundOf(patch, problems)
  if (options.soundOnly !== true || sound === undefined) return refused(problems, sound)
  return planDraft({ patch: sound, leftOut: leftOut + problems.length }, planNow, options)
}

/** Each entry has a uuid of its own: one that is taken, or that stood for something else, is not used again. */
async function ownUuid(
  { control: { uuid } }: Patch,
  earlier: EarlierTurn | undefined,
  { layout, system }: Site,
): Promise<Pick<Job, 'uuid' | 'modelUuid'>> {
  // One that was declined under a uuid of its own had found the model's taken.
  const isDeclined = earlier?.isSame === true && earlier.outcome === 'declined' && earlier.modelUuid === undefined
  const isFree = (earlier === undefined || isDeclined) && !isReserved(uuid)
  // Of an entry that cannot be read no turn tells.
  const isUsable = isFree && (await layout.files.stat(layout.applied(uuid))) === null
  return isUsable ? { uuid, modelUuid: undefined } : { uuid: system.randomUuid(), modelUuid: uuid }
}

function doubtsAbout(leftOut: number, { withoutControl }: RelayOptions): readonly Reason[] {
  return [
    ...(leftOut > 0 ? [{ kind: 'partial', problems: leftOut } as const] : []),
    ...(withoutControl === true ? [{ kind: 'no-control' } as const] : []),
  ]
}

function refused(problems: readonly [Problem, ...Problem[]], sound: Patch | undefined): Untaken {
  return { kind: 'refused', problems, sound: sound?.operations.map(({ path }) => path) ?? [] }
}

/** Tells of an answer that was cut off in a file, which nobody can take as it is, what is whole in it. */
function withSound(outcome: Outcome, text: string, config: Config, system: System): Outcome {
  if (outcome.kind !== 'ignored' || outcome.why.kind !== 'no-control' || outcome.why.isCut !== true) return outcome
  const taken = draftOf(understand(withControl(text, config, system), config.projectId), {})
  return taken.kind === 'refused' ? { ...outcome, sound: taken.sound ?? [] } : outcome
}

/** The response with the control block that it lacks; its blocks speak for themselves. */
function withControl(text: string, { projectId }: Config, system: System): string {
  return `${text}\n\n\`\`\`yaml\nprojectId: ${JSON.stringify(projectId)}\nuuid: ${system.randomUuid()}\n\`\`\`\n`
}

/** Whatever is too large to be read and does not even mention a project is no patch. */
function tooLarge({ text }: Response, { responseBytes }: Limits): Outcome {
  if (!text.includes('projectId')) return { kind: 'ignored', why: { kind: 'no-patch' } }
  const message = `The text is larger than ${responseBytes} bytes (limits.responseBytes). Copy one answer, or raise the limit.`
  return refused([{ code: 'too-large', message }], undefined)
}
