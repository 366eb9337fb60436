import { type RafProblem, type RafProject, type RafState, type RafTask, statsOf } from '../../model/raf.ts'
import { columnsOf } from '../text/columns-of.ts'
import { cutLine } from '../text/cut-line.ts'
import { hanging, noteLines } from '../text/hanging.ts'
import { moreLine } from '../text/more-line.ts'
import type { Style } from '../text/style.ts'
import { visibleLine } from '../text/visible.ts'
import { wrapLine } from '../text/wrap-line.ts'

/** A task that an agent works on now. */
export interface Running {
  /** The path of its project. */
  readonly path: string
  readonly id: string
}

const mostProjects = 10

/** The plans of a folder, and those in worktrees and on branches where they differ from the folder. */
interface PlanList {
  readonly projects: readonly RafProject[]
  readonly worktrees: readonly RafProject[]
  /** Plans on branches without a worktree. */
  readonly branches: readonly RafProject[]
}

/** One line for each plan, the newest last. */
export function planListLines(
  { projects, worktrees, branches }: PlanList,
  style: Style,
  running?: Running,
): readonly string[] {
  const listed = (those: readonly RafProject[]) => [
    ...those.slice(-mostProjects).flatMap(project => projectLines(project, style, running)),
    ...moreLine(those.length - mostProjects, 'project', style, 0),
  ]
  return [
    ...listed(projects),
    ...(worktrees.length === 0 ? [] : ['Worktrees:', ...listed(worktrees)]),
    ...(branches.length === 0 ? [] : ['Branches:', ...listed(branches)]),
  ]
}

/** For example `abcdef fix-login ✓✓●○○ (2/5)`. The signs go below the name where they do not fit beside it. */
function projectLines({ id, name, path, state }: RafProject, style: Style, running?: Running): readonly string[] {
  const { paint, columns, sign } = style
  const head = `${id} ${visibleLine(name)}`
  const { completed, total } = statsOf(state)
  if (total === 0) return [`${cutLine(head, columns - 16, sign.cut)} ${paint.meta('(no tasks yet)')}`]
  const signs = state.tasks.map(task => signOf(task, isRunning(task, path, running), style))
  const end = `(${completed}/${total})`
  if (columnsOf(head) + 1 + signs.length + 1 + end.length <= columns) return [`${head} ${signs.join('')} ${end}`]
  const room = columns - indent - 1 - end.length
  const rows: string[] = []
  for (let at = 0; at < signs.length; at += room) rows.push(signs.slice(at, at + room).join(''))
  return hanging('', [cutLine(head, columns, sign.cut), ...rows.slice(0, -1), `${rows.at(-1)} ${end}`], indent)
}

/** Columns up to the name, after the id. */
const indent = 7

/** Another state of a plan, outside of the user's folder. */
export interface Elsewhere {
  readonly name: 'Worktree' | 'Branch'
  readonly project: RafProject
}

/** One plan with all its tasks, and with its tasks elsewhere. */
export function planLines(
  project: RafProject,
  elsewhere: Elsewhere | undefined,
  style: Style,
  running?: Running,
  command: DoCommand = elsewhere === undefined ? 'relay do' : 'relay do -w',
): readonly string[] {
  const { paint, sign, columns } = style
  const { id, name, state } = project
  const isBusy = running !== undefined && [project.path, elsewhere?.project.path].includes(running.path)
  const head = cutLine(`${id} ${visibleLine(name)}`, columns - 12, sign.cut)
  const tasks = (of: RafProject) => of.state.tasks.flatMap(task => taskLines(task, of, style, running))
  const both =
    elsewhere === undefined
      ? []
      : [`${elsewhere.name}:`, ...tasks(elsewhere.project), ...sumLines(elsewhere.project.state, style)]
  const next = isBusy ? undefined : nextWords(elsewhere?.project ?? project, command)
  return [
    `${paint.strong(head)}   ${state.status}`,
    ...(elsewhere === undefined ? [] : ['Main:']),
    ...tasks(project),
    ...sumLines(state, style),
    ...both,
    ...(next === undefined ? [] : wrapLine(next, columns, sign.cut).map(line => paint.meta(line))),
    ...state.problems.flatMap(problem => noteLines(problemWords(problem), style)),
  ]
}

function taskLines(task: RafTask, { path, state }: RafProject, style: Style, running?: Running): readonly string[] {
  const works = isRunning(task, path, running)
  const waits = works ? '' : waitWords(task, state)
  const lines = wrapLine(visibleLine(`${task.title}${waits}`), style.columns - indent, style.sign.cut)
  return hanging(`  ${signOf(task, works, style)} ${task.id} `, lines, indent)
}

/** Why a task cannot begin, as the end of its line. */
function waitWords({ id, status, dependencies }: RafTask, { tasks, staleBlocks }: RafState): string {
  if (staleBlocks.includes(id)) return ' (nothing blocks it any more)'
  if (status !== 'blocked' && status !== 'pending') return ''
  const open = dependencies.filter(each => tasks.some(task => task.id === each && task.status !== 'completed'))
  return open.length === 0 ? '' : ` (waits for ${[...new Set(open)].join(', ')})`
}

function sumLines(state: RafState, style: Style): readonly string[] {
  const { completed, failed, blocked, total } = statsOf(state)
  if (total === 0) return ['  no tasks yet']
  const others = [...(failed === 0 ? [] : [`${failed} failed`]), ...(blocked === 0 ? [] : [`${blocked} blocked`])]
  return [style.paint.meta(`  ${[`${completed} of ${total} done`, ...others].join(', ')}`)]
}

type DoCommand = 'relay do' | 'relay do -w'

/** The next command for a plan; `undefined` where there is none, or where the notes about problems come first. */
function nextWords({ id, state }: RafProject, command: DoCommand): string | undefined {
  if (state.problems.length > 0) return undefined
  switch (state.status) {
    case 'planning':
      return `To plan its tasks: \`relay plan --amend ${id}\``
    case 'ready':
      return `To start it: \`${command} ${id}\``
    case 'executing':
      return `To continue: \`${command} ${id}\``
    case 'failed':
      return `To try the failed tasks again: \`${command} ${id}\``
    case 'completed':
      if (command === 'relay do') return undefined
      return `\`${command} ${id} --after merge\` merges its branch, \`--after pr\` opens a pull request.`
  }
}

/** Why tasks of a plan can never begin, and what to do about it. */
export function problemWords(problem: RafProblem): string {
  switch (problem.kind) {
    case 'same-id':
      return `${problem.files.join(' and ')} have the same id: rename all but one.`
    case 'unknown-dependency':
      return `${problem.id} depends on ${problem.dependency}, and there is no such task.`
    case 'unread-dependency':
      return `${problem.id} names ${problem.dependency} in its dependencies, but not as ids with commas between them: write "01, 02".`
    case 'cycle': {
      const [first = '', ...others] = problem.ids
      if (others.length === 0) return `${first} depends on itself.`
      return `${problem.ids.join(', ')} depend on each other in a circle, so none of them can begin.`
    }
  }
}

function isRunning({ id }: RafTask, path: string, running: Running | undefined): boolean {
  return running?.path === path && running.id === id
}

function signOf({ status }: RafTask, works: boolean, { paint, sign }: Style): string {
  if (works) return paint.needsYou(sign.running)
  switch (status) {
    case 'completed':
      return paint.ok(sign.completed)
    case 'failed':
      return paint.fail(sign.failed)
    case 'blocked':
      return paint.fail(sign.blocked)
    case 'pending':
      return paint.meta(sign.pending)
  }
}
