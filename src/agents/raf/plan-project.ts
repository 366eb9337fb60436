import { RelayError } from '../../errors.ts'
import type { Project } from '../../model/project.ts'
import type { Committed, Stopped, WorkEvent } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { type PlanParts, planEnvelope, planOpening, planRules } from '../envelope/plan-envelope.ts'
import { agentEnv, keptFor } from '../run/guard.ts'
import type { runAgent } from '../run/run-agent.ts'
import { openRunFolder } from '../run/run-folder.ts'
import type { WorkOptions } from '../work/work-parts.ts'
import { workThrough } from '../work/work-through.ts'
import { landPlanHere, landPlanOnBranch } from './land-plan.ts'
import { PlanBook, type PlanWanted } from './plan-book.ts'
import type { ReadProject } from './read-project.ts'
import type { Dropped } from './take-plan.ts'

export type PlanEnd =
  | {
      readonly kind: 'planned'
      readonly project: ReadProject
      readonly dropped: readonly Dropped[]
      /** `undefined` where no commit was wanted. */
      readonly committed: Committed | undefined
    }
  /** The agent wrote no task file. `isKept`: it left decisions, and the same command continues with them. */
  | { readonly kind: 'no-plan'; readonly dropped: readonly Dropped[]; readonly isKept: boolean }
  /**
   * The agent's turn failed, or relay was interrupted. The same command continues from there. `why`: the turn itself was good,
   * but its plan could not be taken.
   */
  | { readonly kind: 'stopped'; readonly stopped: Stopped; readonly why: string | undefined }

interface PlanOptions {
  readonly work: WorkOptions
  /** The agent talks with the user, in the user's terminal. */
  readonly talks: boolean
  /** The plan is committed in the user's folder. */
  readonly commits: boolean
}

/** Has an agent write a plan, or more tasks of a plan, alone or in a conversation with the user. */
export async function planProject(
  wanted: Omit<PlanWanted, 'root'>,
  project: Project,
  { work, talks, commits }: PlanOptions,
  { system, tell }: { readonly system: System; tell(event: WorkEvent): void },
): Promise<PlanEnd> {
  const { plan, onBranch } = wanted
  const isNew = 'name' in plan
  const place = onBranch
    ? landPlanOnBranch(project, isNew ? undefined : plan.folder, system)
    : landPlanHere(project, { isNew, commits }, system)
  let parts: PlanParts | undefined
  const print = (given: PlanParts) => {
    parts = given
    return planEnvelope(given)
  }
  const book = new PlanBook({ ...wanted, root: project.root }, { system, read: place.read, print })
  const limits = { ...work.limits, attempts: 1, wait: 0 }
  const options = { ...work, limits, allow: [], ...(talks && { run: conversation(() => parts) }) }
  const outside: Dropped[] = []
  let isAnswered = false
  const end = await workThrough(book, place, options, {
    system,
    tell: event => {
      if (event.kind === 'turn-ended') isAnswered = event.end.status === 'ok'
      if (event.kind === 'dropped') outside.push(...event.paths.map(path => ({ path, why: '' })))
      tell(event)
    },
    takeUserNote: () => undefined,
  })
  const dropped = [...book.dropped, ...outside]
  const [{ task, result } = {}] = end.tasks
  if (task !== undefined && result?.kind === 'landed') {
    const committed = commits || onBranch ? result.landed.committed : undefined
    return { kind: 'planned', project: await place.read(place.home(task.id)), dropped, committed }
  }
  if (task !== undefined || book.isUndecided) return { kind: 'no-plan', dropped, isKept: book.isUndecided }
  const { stopped } = end
  return { kind: 'stopped', stopped, why: isAnswered && stopped.kind === 'work-left' ? stopped.why : undefined }
}

/**
 * Lends the user's terminal to the agent. Only the files in the checkout tell how the conversation ended. Where relay is killed,
 * the next one has to end the agent first: an agent that ends later sets the terminal back under the next conversation.
 */
function conversation(parts: () => PlanParts | undefined): typeof runAgent {
  return async (backend, { model, cwd }, { system, depth, checkout, path }) => {
    const about = parts()
    if (about === undefined) throw new Error('No envelope was made')
    const { shell, terminal, env } = system
    const start = backend.converse?.({
      rules: planRules(about),
      opening: planOpening(about),
      model,
      writes: about.path,
    })
    if (start === undefined) throw new RelayError('usage', `relay knows no conversation with ${backend.name}`)
    const [program = '', ...words] = start.argv
    const more = { ...(checkout && { TMPDIR: checkout.tmp }), ...start.env }
    const folder = await openRunFolder({}, system)
    const end = await terminal
      .lend([(await shell.find(program, path)) ?? program, ...words], {
        cwd,
        env: agentEnv(env, depth, more, await keptFor(backend, system)),
        folder: checkout?.folder ?? cwd,
        onStart: (group, entry) => folder.note(group, entry, { agent: backend.name, cwd, folder: checkout?.folder }),
      })
      .finally(() => folder.close())
    if (end === 'absent') throw new RelayError('environment', `${program} could not be started in this terminal`)
    const nothing = { sessionId: undefined, resetsAt: undefined, marker: undefined, log: undefined }
    return { status: 'ok', text: '', usage: {}, why: '', ...nothing }
  }
}
