import type { RafBranch } from '../agents/raf/raf-branches.ts'
import type { ReadProject } from '../agents/raf/read-project.ts'
import { RelayError } from '../errors.ts'
import { isWindows } from '../ground/paths.ts'
import type { Project } from '../model/project.ts'
import type { ShipWish } from '../model/ship.ts'
import type { WorkEnd } from '../model/task.ts'
import type { System } from '../ports.ts'
import { noProject } from '../project/load-project.ts'
import { outsideProject } from '../project/outside-project.ts'
import { problemWords } from '../report/agents/plan-lines.ts'
import { type ReadyWork, readWork, type WorkCommandOptions } from './alone/work-options.ts'
import { confirmAgents } from './talk/confirm-agents.ts'
import { confirmCommands } from './talk/confirm-commands.ts'
import { showNotes } from './talk/show-notes.ts'
import { createWatchEvents } from './talk/watch-events.ts'

export interface DoOptions extends WorkCommandOptions {
  readonly worktree?: boolean
  readonly force?: boolean
  readonly verbose?: boolean
  readonly after?: ShipWish
  /** `false` makes no commit of what lands. */
  readonly commit?: boolean
  readonly discardCheckout?: boolean
}

/** The plan that a run works on. */
interface Chosen {
  readonly folder: string
  readonly plan: ReadProject
  /** `undefined` where the work lands in the user's folder. */
  readonly branch: RafBranch | undefined
  read(): Promise<ReadProject>
}

/** `relay do`: an agent carries out a plan, task by task. Each task is checked and then lands. */
export async function doPlan(given: System, typed: string | undefined, options: DoOptions): Promise<number> {
  mustGoTogether(options)
  if (isWindows(given.runtime)) {
    throw new RelayError('environment', 'Agents do not work by themselves on Windows', { hint: 'Use WSL.' })
  }
  // Loaded only here: help does not wait for the engine and git.
  const [{ projectAround }, { choosePlan }] = await Promise.all([
    import('./alone/project-around.ts'),
    import('./alone/choose-plan.ts'),
  ])
  const { project, isPlain } = await projectAround(given)
  const system = await outsideProject(project.root, given)
  const onBranch = options.worktree === true
  const folder = await choosePlan(project.root, typed, onBranch, system)
  if (isPlain && !onBranch) throw noProject(given.cwd)
  const chosen = await openPlan(project, folder, onBranch, system)
  mustBeDoable(chosen.plan)
  const { plannedOrder } = await import('../agents/raf/raf-book.ts')
  const order = plannedOrder(chosen.plan, options.force === true)
  if (order.length === 0 && !(await isLeft(chosen, project, options, system))) {
    system.terminal.err(`All tasks of ${folder} are done. \`relay do ${folder} --force\` does them again.`)
    return 0
  }
  const ready = await readWork(options, project, 'claude', system)
  const allow = ready.work.sandbox === 'danger-full-access' ? 'any' : ready.work.allow
  const where = onBranch ? `the work goes to the branch ${folder}` : ''
  const unchecked = isPlain ? `no relaycode.config.json in ${project.root}: nothing is checked but by the agent` : ''
  showNotes(
    [where, unchecked].filter(note => note !== ''),
    system,
  )
  if (options.dryRun === true) {
    const [{ showDryRun }, { envelopeBytes }, { titleOfFolder }] = await Promise.all([
      import('./alone/dry-run.ts'),
      import('../agents/raf/raf-work.ts'),
      import('../agents/raf/names.ts'),
    ])
    const tasks = order.map(({ id, title }) => ({ id, title, bytes: envelopeBytes(chosen.plan, { id, title }, allow) }))
    showDryRun(titleOfFolder(folder), tasks, ready.work, system)
    return 0
  }
  await confirmAgents(project.root, [ready.work.backend], project, system, { ...options, mayWrite: true })
  await confirmCommands(ready.project, system, options)
  return run(chosen, { ...ready, work: { ...ready.work, env: given.env } }, allow, options, system)
}

function mustGoTogether({ worktree, after, commit }: DoOptions): void {
  if (worktree !== true && after !== undefined) {
    throw new RelayError('usage', '--after says what becomes of a branch, and goes with --worktree alone')
  }
  if (worktree === true && commit === false) {
    throw new RelayError('usage', '--no-commit and --worktree: on a branch there are commits alone')
  }
}

async function openPlan({ root }: Project, folder: string, onBranch: boolean, system: System): Promise<Chosen> {
  if (onBranch) {
    const [{ rafBranchOf }, { takePlanBack }] = await Promise.all([
      import('../agents/raf/raf-branches.ts'),
      import('../agents/raf/raf-ship.ts'),
    ])
    await takePlanBack(root, folder, system)
    const branch = await rafBranchOf(root, folder, system)
    return { folder, branch, read: branch.read, plan: await branch.read() }
  }
  const [{ readProject }, { rafFolderIn }] = await Promise.all([
    import('../agents/raf/read-project.ts'),
    import('../agents/raf/find-raf.ts'),
  ])
  const read = () => readProject(rafFolderIn(root), folder, system.files)
  return { folder, branch: undefined, read, plan: await read() }
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

/** Whether work is left although all tasks are done: a branch to ship, or the last steps of a run that was stopped. */
async function isLeft(
  { branch, folder }: Chosen,
  { root }: Project,
  { after }: DoOptions,
  system: System,
): Promise<boolean> {
  if (branch !== undefined && (after ?? 'leave') !== 'leave') return true
  const [{ worksOf }, { titleOfFolder }] = await Promise.all([
    import('../agents/work/work-note.ts'),
    import('../agents/raf/names.ts'),
  ])
  return (await worksOf(root, system)).some(({ note }) => note.book === titleOfFolder(folder))
}

async function run(
  { folder, branch, read }: Chosen,
  { project, work }: ReadyWork,
  allow: readonly string[] | 'any',
  options: DoOptions,
  system: System,
): Promise<number> {
  const [
    { createTalk },
    { resumeHeldFirst },
    { mustBeClear },
    { sayWhatIsUnderWay },
    { runWork },
    { openRafBook },
    { placeOfPlan },
    { chooseAfter },
    { branchIn },
  ] = await Promise.all([
    import('./talk/talk.ts'),
    import('./recover/resume-held-first.ts'),
    import('./alone/must-be-clear.ts'),
    import('./alone/say-what-is-under-way.ts'),
    import('./alone/run-work.ts'),
    import('../agents/raf/raf-work.ts'),
    import('./alone/place-of-plan.ts'),
    import('./alone/choose-after.ts'),
    import('../agents/raf/raf-ship.ts'),
  ])
  const { root } = project
  const place = { root, branch: folder, into: await branchIn(root, system) }
  const after = branch && (await chooseAfter(options.after, place, project.config, system))
  const events = createWatchEvents(system, options.json === true)
  const screen = createTalk(system, () => project, options)
  try {
    const talk = events.around(screen)
    if (branch === undefined) {
      await resumeHeldFirst(project, system, talk, options)
      await mustBeClear(project, system)
      if (options.commit !== false) await sayWhatIsUnderWay(project, system)
    }
    const agent = work.backend.name
    const force = options.force === true
    const planPlace = branch ?? { folder, read, home: root, branch: undefined }
    const book = await openRafBook({ ...planPlace, agent, force }, allow, system)
    const landing = await placeOfPlan(project, branch, { ...options, after, work }, system)
    const { end, code } = await runWork(book, landing, work, project, { ...options, talk, events }, system)
    showNotes([...(await blockedNotes(await read(), end, force)), ...notesAtEnd(folder, after, end)], system)
    return code
  } finally {
    screen.close()
  }
}

/** Notes about tasks that could not begin, and what they wait for. */
async function blockedNotes(project: ReadProject, { tasks }: WorkEnd, force: boolean): Promise<readonly string[]> {
  const { stateAfter } = await import('../agents/raf/raf-book.ts')
  const blocked = stateAfter(project, tasks, force).tasks.filter(({ status }) => status === 'blocked')
  return blocked.map(({ id, title, dependencies }) => `${id} ${title} is blocked: it needs ${dependencies.join(', ')}`)
}

function notesAtEnd(folder: string, after: ShipWish | undefined, { stopped, shipped }: WorkEnd): readonly string[] {
  if (after === undefined) return []
  if (stopped.kind !== 'all-done' && after !== 'leave') {
    return [`not all is done, so the branch ${folder} is left as it is`]
  }
  return shipped?.kind === 'left' && after === 'leave'
    ? [`\`relay do ${folder} --worktree --after merge\` merges it, \`--after pr\` opens a pull request`]
    : []
}
