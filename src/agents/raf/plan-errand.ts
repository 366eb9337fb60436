import type { AfterRun } from '../../model/ship.ts'
import type { WorkEnd } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { bringWorktree, detachWorktree, removeWorktree } from '../checkout/branch-worktree.ts'
import { giveBackOld } from '../checkout/old-worktree.ts'
import { commandsInPrompt, type Errand, type ReadyWork } from '../work/errand.ts'
import type { LandingPlace, LandingTalk } from '../work/land.ts'
import { landOnBranch } from '../work/land-branch.ts'
import { landHere } from '../work/land-here.ts'
import { titleOfFolder } from './names.ts'
import type { Plan } from './open-plan.ts'
import { plannedOrder, stateAfter } from './raf-book.ts'
import { dropStaleReports, type RafBranch } from './raf-branches.ts'
import { branchIn, rafShip, shipPlan } from './raf-ship.ts'
import { envelopeBytes, openRafBook } from './raf-work.ts'

interface PlanOptions {
  /** Do completed tasks again. */
  readonly force: boolean
  readonly commits: boolean
}

/** Has agents carry out a plan. Each task lands in the user's folder, or on the plan's branch. */
export async function planErrand(plan: Plan, ready: ReadyWork, options: PlanOptions): Promise<Errand> {
  const { root, folder, branch, read } = plan
  const { project, work, system } = ready
  const { force, commits } = options
  const allow = commandsInPrompt(work)
  return {
    isHere: branch === undefined,
    commits,
    branch: branch && { name: folder, into: await branchIn(root, system) },
    async toCome() {
      const tasks = plannedOrder(plan.project, force).map(({ id, title }) => {
        return { id, title, bytes: envelopeBytes(plan.project, { id, title }, allow) }
      })
      return { book: titleOfFolder(folder), tasks }
    },
    async begin({ after, note }) {
      const place = branch ?? { folder, read, home: async () => root, branch: undefined }
      const book = await openRafBook({ ...place, agent: work.backend.name, force }, allow, system)
      const env = work.env ?? system.env
      if (branch !== undefined) return { book, placeFor: await onBranch(branch, ready, { after, note, env }) }
      const patience = 1000 * work.limits.timeout
      return { book, placeFor: landing => landHere(project, { commits, patience, env }, landing) }
    },
    async ended(end, after) {
      const notes = branch === undefined ? [] : notesOnBranch(folder, after, end)
      return { notes: [...(await blockedNotes(plan, end, force)), ...notes] }
    },
  }
}

interface BranchOptions {
  readonly after: AfterRun
  readonly env: System['env']
  note(sentence: string): void
}

async function onBranch(
  branch: RafBranch,
  { project, system }: ReadyWork,
  { after, note, ...options }: BranchOptions,
): Promise<(landing: LandingTalk) => LandingPlace> {
  const { folder, tree } = branch
  const ship = await rafShip(project.root, branch, after, system)
  const onInstructions = (paths: readonly string[]) => {
    note(`on ${folder} there is text for agents now, which nobody was asked about: ${paths.join(', ')}`)
  }
  return landing => {
    const place = landOnBranch(project, { branch: folder, ship, ...options }, landing, onInstructions)
    const shipIt = place.ship
    return {
      ...place,
      async openCheckout(below) {
        await giveBackOld(below, system)
        await detachWorktree(tree, system)
        return place.openCheckout(below)
      },
      ...(shipIt && { ship: () => shipPlan(project.root, branch, shipIt, system) }),
      async close({ kind }) {
        // Also after Ctrl+C, so that the user finds the work tree in order.
        const calm = { ...system, interruption: new AbortController().signal }
        await dropStaleReports(branch, project.root, calm)
        // The user may want to look at what went wrong, or to continue for a pull request.
        const stays = kind !== 'all-done' || ship.wish === 'pr'
        const makes = kind !== 'interrupted'
        const why = await (stays ? bringWorktree(tree, calm, { makes }) : removeWorktree(tree, calm))
        if (why === undefined) return
        note(why)
        // One that is not removed goes on as the user's.
        if (!stays) await bringWorktree(tree, calm, { makes: false })
      },
    }
  }
}

/** Notes about tasks that could not begin, and what they wait for. */
async function blockedNotes({ read }: Plan, { tasks }: WorkEnd, force: boolean): Promise<readonly string[]> {
  const blocked = stateAfter(await read(), tasks, force).tasks.filter(({ status }) => status === 'blocked')
  return blocked.map(({ id, title, dependencies }) => `${id} ${title} is blocked: it needs ${dependencies.join(', ')}`)
}

function notesOnBranch(folder: string, after: AfterRun, { stopped, shipped }: WorkEnd): readonly string[] {
  if (stopped.kind !== 'all-done' && after !== 'leave') {
    return [`not all is done, so the branch ${folder} is left as it is`]
  }
  return shipped?.kind === 'left' && after === 'leave'
    ? [`\`relay do ${folder} --worktree --after merge\` merges it, \`--after pr\` opens a pull request`]
    : []
}
