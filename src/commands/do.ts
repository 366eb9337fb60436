import type { ReadProject } from '../agents/raf/read-project.ts'
import { RelayError } from '../errors.ts'
import { isWindows } from '../ground/paths.ts'
import type { AfterRun } from '../model/ship.ts'
import type { System } from '../ports.ts'
import { noProject } from '../project/load-project.ts'
import { outsideProject } from '../project/outside-project.ts'
import { problemWords } from '../report/agents/plan-lines.ts'
import type { WorkCommandOptions } from './alone/work-options.ts'
import { showNotes } from './talk/show-notes.ts'

interface DoOptions extends WorkCommandOptions {
  readonly worktree?: boolean
  readonly force?: boolean
  readonly verbose?: boolean
  readonly after?: AfterRun
  /** `false` makes no commit of what lands. */
  readonly commit?: boolean
}

/** `relay do`: an agent carries out a plan, task by task. Each task is checked and then lands. */
export async function doPlan(given: System, typed: string | undefined, options: DoOptions): Promise<number> {
  const { worktree: onBranch = false, force = false, commit: commits = true } = options
  mustGoTogether(options)
  if (isWindows(given.runtime)) {
    throw new RelayError('environment', 'Agents do not work by themselves on Windows', { hint: 'Use WSL.' })
  }
  // Loaded only here: help does not wait for the engine and git.
  const [{ projectAround }, { choosePlan }, { openPlan, isPlanUnfinished }, { plannedOrder }] = await Promise.all([
    import('./alone/project-around.ts'),
    import('./alone/choose-plan.ts'),
    import('../agents/raf/open-plan.ts'),
    import('../agents/raf/raf-book.ts'),
  ])
  const { project, isPlain } = await projectAround(given)
  const { root } = project
  const system = await outsideProject(root, given)
  const folder = await choosePlan(root, typed, onBranch, system)
  if (isPlain && !onBranch) throw noProject(given.cwd)
  const plan = await openPlan(root, folder, onBranch, system)
  mustBeDoable(plan.project)
  // The branch may still have to be shipped, or a run that was stopped has its last steps left.
  const isShipped = onBranch && (options.after ?? 'leave') !== 'leave'
  const isDone = plannedOrder(plan.project, force).length === 0
  if (isDone && !isShipped && !(await isPlanUnfinished(plan, system))) {
    system.terminal.err(`All tasks of ${folder} are done. \`relay do ${folder} --force\` does them again.`)
    return 0
  }
  const [{ readWork }, { planErrand }, { runAlone }] = await Promise.all([
    import('./alone/work-options.ts'),
    import('../agents/raf/plan-errand.ts'),
    import('./alone/run-alone.ts'),
  ])
  const ready = await readWork(options, project, 'claude', given)
  if (onBranch) showNotes([`the work goes to the branch ${folder}`], system)
  if (isPlain) showNotes([`no relaycode.config.json in ${root}: nothing is checked but by the agent`], system)
  return runAlone(await planErrand(plan, ready, { force, commits }), ready, options)
}

function mustGoTogether({ worktree, after, commit }: DoOptions): void {
  if (worktree !== true && after !== undefined) {
    throw new RelayError('usage', '--after says what becomes of a branch, and goes with --worktree alone')
  }
  if (worktree === true && commit === false) {
    throw new RelayError('usage', '--no-commit and --worktree: on a branch there are commits alone')
  }
}

/** Throws `usage` for a plan that can never be finished. */
function mustBeDoable({ folder, state }: ReadProject): void {
  if (state.tasks.length === 0) {
    throw new RelayError('usage', `The plan ${folder} has no tasks yet`, {
      hint: `Plan them: \`relay plan --amend ${folder}\``,
    })
  }
  const [problem] = state.problems
  if (problem === undefined) return
  throw new RelayError('usage', problemWords(problem).replace(/\.$/, ''), {
    hint: `Change the files in RAF/${folder}/plans/.`,
  })
}
