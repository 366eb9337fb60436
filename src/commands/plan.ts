import { agentsOf } from '../agents/backends/own-agents.ts'
import type { PlanEnd } from '../agents/raf/plan-project.ts'
import type { WorkOptions } from '../agents/work/work-parts.ts'
import { RelayError } from '../errors.ts'
import type { Project } from '../model/project.ts'
import type { WorkEvent } from '../model/task.ts'
import type { System } from '../ports.ts'
import { outsideProject } from '../project/outside-project.ts'
import { plainProject } from '../project/plain-project.ts'
import { plannedLines } from '../report/agents/planned-lines.ts'
import { askedLine } from '../report/agents/turn-lines.ts'
import { readWork } from './alone/work-options.ts'
import { confirmAgents } from './talk/confirm-agents.ts'
import { exitCodeByKind, exitCodeOfInterruption } from './talk/exit-code.ts'
import { showNotes } from './talk/show-notes.ts'
import { outStyle, styleOf } from './talk/style-of.ts'
import { createTurnView, type TurnView } from './talk/turn-view.ts'
import { createWatchEvents } from './talk/watch-events.ts'

interface PlanOptions {
  readonly amend?: string
  readonly worktree?: boolean
  readonly yes?: boolean
  readonly agent?: string
  readonly model?: string
  readonly commit?: boolean
  readonly timeout?: string
  readonly trust?: boolean
}

/** `relay plan`: an agent writes a plan as task files, in a conversation with the user or by itself. */
export async function plan(given: System, name: string | undefined, options: PlanOptions): Promise<number> {
  const { describePlan, mustBeName, nameOfPlan } = await import('./alone/describe-plan.ts')
  const { planProject } = await import('../agents/raf/plan-project.ts')
  const { projectAround } = await import('./alone/project-around.ts')
  if (name !== undefined && options.amend !== undefined) {
    throw new RelayError('usage', '--amend names a project that has its name already: leave the other one out')
  }
  if (name !== undefined) mustBeName(name)
  const { project } = await projectAround(given)
  const system = await outsideProject(project.root, given)
  const folder = options.amend === undefined ? undefined : await meantFolder(project, options.amend, options, system)
  const onBranch = options.worktree === true && (await mayBranch(project.root, folder, system))
  const talks = options.yes !== true && system.terminal.canAsk
  // The agent asks its questions in the conversation, and no check runs.
  const { work } = await readWork({ ...options, yes: true }, project, 'claude', given)
  if (talks && work.backend.converse === undefined) throw noConversation(work.backend.name, project)
  const { root } = project
  const confirmed = await confirmAgents(root, [work.backend], project, system, { ...options, mayWrite: true })
  const said = await describePlan(project, folder ?? 'a new plan', system)
  const { text } = said
  const what =
    folder === undefined
      ? { name: await nameOfPlan(name, { text, takesFirst: options.yes === true }, system) }
      : { folder }
  if ('name' in what) await sayWhoHasTheName(root, what.name, system)
  // No command of the project judges a plan.
  const { projectId, commandTimeout, user } = project.config
  const plain = plainProject(root, projectId, user)
  const view = viewOf(work, talks, system)
  const end = await planProject(
    { plan: what, input: text, onBranch },
    { root, config: { ...plain.config, commandTimeout } },
    { work: { ...work, confirmed }, talks, commits: options.commit === true },
    { system, tell: view.tell },
  ).finally(view.close)
  if (end.kind === 'planned') await said.forget()
  return say(end, said.draft, onBranch, system)
}

/** Warns about other plans with the same name: by that name, relay would find neither. */
async function sayWhoHasTheName(root: string, name: string, system: System): Promise<void> {
  const [{ findRaf }, { projectOf }] = await Promise.all([
    import('../agents/raf/find-raf.ts'),
    import('../agents/raf/names.ts'),
  ])
  const others = (await findRaf(root, system.files)).projects.filter(each => projectOf(each)?.name === name)
  showNotes(
    others.map(each => `there is another plan of this name, ${each}: call both by their ids`),
    system,
  )
}

/** The folder of the RAF project that gets more tasks. */
async function meantFolder(
  { root }: Project,
  identifier: string,
  { worktree }: PlanOptions,
  system: System,
): Promise<string> {
  const [{ findRaf }, { projectFolder }, { rafBranchNames }] = await Promise.all([
    import('../agents/raf/find-raf.ts'),
    import('../agents/raf/identifier.ts'),
    import('../agents/raf/raf-branches.ts'),
  ])
  const { projects } = await findRaf(root, system.files)
  const onBranches = worktree === true ? await rafBranchNames(root, system) : []
  return projectFolder(identifier, [...new Set([...projects, ...onBranches])].toSorted())
}

/** Whether a branch can hold the plan. Throws `usage` where the repository has no commit. */
async function mayBranch(root: string, folder: string | undefined, system: System): Promise<boolean> {
  const [{ rafBranchOf }, { mustHaveCommit }] = await Promise.all([
    import('../agents/raf/raf-branches.ts'),
    import('../agents/work/preflight.ts'),
  ])
  await mustHaveCommit(root, system)
  const { branch } = await rafBranchOf(root, folder ?? 'aaaaaa-any', system)
  if (branch.isIgnored) showNotes(['git ignores RAF/, so the plan is on no branch: it lies in this folder'], system)
  return !branch.isIgnored
}

function noConversation(name: string, { config }: Project): RelayError {
  const able = agentsOf(config).filter(({ converse }) => converse !== undefined)
  const names = able.map(each => `--agent ${each.name}`).join(' or ')
  return new RelayError('usage', `relay cannot begin a conversation with ${name}`, {
    hint: `With -y it plans by itself; you can talk with ${names}.`,
  })
}

/** What the user sees while an agent plans. In a conversation that is the agent itself. */
function viewOf({ backend, sandbox, model, limits }: WorkOptions, talks: boolean, system: System) {
  const style = styleOf(system.terminal)
  let view: TurnView | undefined
  const begin = () => {
    if (talks) {
      const words = [
        `${style.sign.watching} ${backend.name} takes over this terminal; leave it when the plan is written`,
        '  If it asks whether you trust the folder, choose yes: that is a copy of this project.',
      ]
      for (const line of words) system.terminal.err(style.paint.meta(line))
      return
    }
    const request = { prompt: '', sandbox, model, cwd: '', allow: [] }
    for (const line of askedLine([backend], request, limits.timeout, style)) system.terminal.err(line)
    view = createTurnView([backend], createWatchEvents(system, false), system)
  }
  return {
    tell(event: WorkEvent) {
      if (event.kind === 'resumed')
        showNotes(['an earlier relay was stopped in the middle of this plan; it goes on from there'], system)
      if (event.kind === 'attempt-begun') begin()
      if (event.kind === 'agent') view?.tell(backend.name, event.event)
      if (event.kind === 'turn-ended') {
        view?.done(backend.name, event.end)
        view?.ended(backend.name, event.end)
        view?.close()
      }
    },
    close: () => view?.close(),
  }
}

/** Shows the result, and gives the exit code. */
function say(end: PlanEnd, draft: string | undefined, onBranch: boolean, system: System): number {
  const { terminal, interruption } = system
  const { lines, answer } = plannedLines(end, { draft, onBranch }, styleOf(terminal), outStyle(terminal))
  if (end.kind === 'stopped' && end.why !== undefined) showNotes([end.why], system)
  for (const line of lines) terminal.err(line)
  for (const line of answer) terminal.out(line)
  if (end.kind === 'planned') return 0
  if (interruption.aborted) return exitCodeOfInterruption(system)
  const isOutOfReach = end.kind === 'stopped' && end.stopped.kind === 'no-agent'
  return exitCodeByKind[isOutOfReach ? 'environment' : 'agent']
}
