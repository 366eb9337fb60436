import type { AgentChanges } from '../model/agent-changes.ts'
import type { Planned } from '../model/plan.ts'
import type { Project } from '../model/project.ts'
import type { Flag } from '../model/response.ts'
import type { Outcome } from '../model/talk.ts'
import { titleOf } from '../model/title.ts'
import { leadsOf, planAgentChanges, unsafeMade } from '../plan/plan-agent-changes.ts'
import type { System, Talk } from '../ports.ts'
import { enterProject } from '../transact/enter-project.ts'
import { survey } from '../transact/survey/survey.ts'
import type { JobFacts, OpenProject } from '../transact/work/work.ts'
import { type Committer, transactAndCommit } from './commit-kept.ts'
import { decidedPlans, replanned } from './decided-plan.ts'
import { judgeRecovery } from './judge-recovery.ts'
import { projectFacts, runInterruptibly } from './project-facts.ts'
import { reasonsToAsk } from './reasons-to-ask.ts'
import { withSecretDoubts } from './secret-doubts.ts'
import { type RelayOptions, refused } from './understood-answer.ts'

export interface AdoptOptions extends Pick<RelayOptions, 'choices' | 'onOverlap'> {
  /** How long to wait for another relay process that works in the project, in milliseconds. */
  readonly patience?: number
  readonly isAlone?: JobFacts['isAlone']
  readonly needsTests?: JobFacts['needsTests']
  readonly onKept?: JobFacts['onKept']
  /** Commits what is kept. `onKept` does not go with it. */
  readonly committer?: Committer | undefined
  /** Doubts to ignore here. */
  readonly lets?: (flag: Flag) => boolean
}

/**
 * Brings an agent's changes from its checkout into the user's folder, as one transaction.
 *
 * The agent's starting point is known, so the changes are merged with the user's edits since then. If both changed the same
 * place, a person decides before anything is written. From the plan on it is a change like any other: relay asks about it,
 * checks it, and can undo it.
 */
export async function adopt(
  made: AgentChanges,
  project: Project,
  system: System,
  talk: Talk,
  options: AdoptOptions = {},
): Promise<Outcome> {
  const [unsafe, ...others] = unsafeMade(made.changes)
  if (unsafe !== undefined) return refused([unsafe, ...others], undefined)
  const land = async (site: OpenProject): Promise<Outcome> => {
    const earlier = made.uuid === undefined ? undefined : await site.journal.lookUp(made.uuid)
    if (earlier !== undefined) {
      return { kind: 'skipped', number: earlier.number, state: earlier.outcome, at: earlier.at }
    }
    const uuid = system.randomUuid()
    const look = planner(made, uuid, project, site, options.lets)
    const decided = decidedPlans(options)
    const planNow = () => decided(look)
    const planned = await planNow()
    if (planned.kind === 'overlaps') return { kind: 'overlap', overlaps: planned.overlaps }
    if (planned.kind === 'refused') return refused(planned.problems, undefined)
    const { plan } = planned
    if (plan.changes.every(({ effect }) => effect === 'none')) {
      const yours = plan.changes.flatMap(({ path, isYours }) => (isYours === true ? path : []))
      return { kind: 'unchanged', paths: plan.changes.map(({ path }) => path), yours }
    }
    return transactAndCommit(
      {
        project,
        source: made.source,
        response: undefined,
        number: site.journal.nextNumber(),
        uuid,
        modelUuid: made.uuid,
        title: titleOf({ ...plan.patch, operations: plan.changes }),
        plan,
        reused: undefined,
        doubts: reasonsToAsk(plan, 0, project),
        isAlone: options.isAlone,
        needsTests: options.needsTests,
        onKept: options.onKept,
        replan: async () => replanned(await planNow()),
      },
      site,
      options.committer,
    )
  }
  return enterProject(project, system, talk, judgeRecovery(project.config), land, options.patience)
}

/** Agents work while nobody looks: what a person alone can agree to is one question, which comes before anything runs. */
function askedFirst(flag: Flag): Flag {
  return flag.flag === 'mass-delete' || flag.flag === 'secret' ? { ...flag, isAskedFirst: true } : flag
}

/** Returns a function that plans from the state of the disk at each call. */
function planner(
  made: AgentChanges,
  uuid: string,
  project: Project,
  { layout, system }: OpenProject,
  lets: AdoptOptions['lets'] = () => false,
) {
  const { root, files } = layout
  const around = projectFacts(project, { layout, system })
  const control = { projectId: project.config.projectId, uuid }
  const touched = made.changes.map(({ path, made }) => ({ op: made === null ? 'delete' : 'write', path }) as const)
  return (choices: Parameters<typeof planAgentChanges>[4]): Promise<Planned> =>
    system.trace.span('plan', async () => {
      const surveyOptions = await around.surveyOptions()
      const places = await survey(root, touched, files, { ...surveyOptions, linksStand: true })
      const leads = leadsOf(made.changes, places).map(path => ({ op: 'write', path }) as const)
      const facts = { places, leads: await survey(root, leads, files, { ...surveyOptions, fileBytes: 0 }) }
      const steps = planAgentChanges(made, facts, control, await around.rules(), choices)
      const planned = await withSecretDoubts(await runInterruptibly(steps, system))
      if (planned.kind !== 'plan') return planned
      const { plan } = planned
      const flags = plan.flags.filter(flag => !lets(flag)).map(askedFirst)
      return { ...planned, plan: { ...plan, flags } }
    })
}
