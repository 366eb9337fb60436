import { groupBy } from '../../ground/collections.ts'
import type { RafProblem, RafState, RafStatus, RafTask, RafTaskStatus } from '../../model/raf.ts'
import { taskOf, titleOfName } from './names.ts'
import { statusOfOutcome, usageOfOutcome } from './outcome.ts'
import { type Section, sectionsOf } from './sections.ts'

/** A project file: its name without a folder, and its text. */
export interface RafFile {
  readonly name: string
  readonly text: string
}

/** A project's state, from its task files and outcomes alone. */
export function stateOf(plans: readonly RafFile[], outcomes: readonly RafFile[]): RafState {
  const byOutcome = newestOutcomes(outcomes)
  const read = sorted(plans).flatMap(({ name, text }): readonly RafTask[] => {
    const parts = taskOf(name)
    if (parts === undefined) return []
    const { title, dependencies } = readPlanFile(text)
    const { status = 'pending', usage } = byOutcome.get(parts.id) ?? {}
    const task = { id: parts.id, file: name, title: title || titleOfName(parts.name), status, dependencies }
    return [usage === undefined ? task : { ...task, usage }]
  })
  const tasks = withBlocked(read)
  const problems = [...unreadIn(plans, tasks), ...problemsOf(tasks)]
  return { tasks, status: statusOf(tasks), problems, staleBlocks: staleBlocksOf(read) }
}

/** Dependencies that a file writes in a form that RAF does not read: their task would not wait for them. */
function unreadIn(plans: readonly RafFile[], tasks: readonly RafTask[]): readonly RafProblem[] {
  const ids = new Set(tasks.map(({ id }) => id))
  return sorted(plans).flatMap(({ name, text }) => {
    const id = taskOf(name)?.id
    if (id === undefined) return []
    const found = readPlanFile(text).unread.filter(each => ids.has(each) && each !== id)
    return [...new Set(found)].map((dependency): RafProblem => ({ kind: 'unread-dependency', id, dependency }))
  })
}

/** The later of two outcomes of one task counts. An outcome without a marker says nothing. */
function newestOutcomes(outcomes: readonly RafFile[]): ReadonlyMap<string, Pick<RafTask, 'status' | 'usage'>> {
  const newest = new Map<string, Pick<RafTask, 'status' | 'usage'>>()
  for (const { name, text } of sorted(outcomes)) {
    const [id, status, usage] = [taskOf(name)?.id, statusOfOutcome(text), usageOfOutcome(text)]
    if (id !== undefined && status !== undefined) newest.set(id, { status, ...(usage && { usage }) })
  }
  return newest
}

/** Marks pending tasks as blocked that wait for a failed or blocked task, directly or not. */
function withBlocked(tasks: readonly RafTask[]): readonly RafTask[] {
  const statuses = new Map(tasks.map(({ id, status }) => [id, status]))
  const isStuck = (id: string) => statuses.get(id) === 'failed' || statuses.get(id) === 'blocked'
  const found = () =>
    tasks.filter(({ id, dependencies }) => statuses.get(id) === 'pending' && dependencies.some(isStuck))
  for (let more = found(); more.length > 0; more = found()) for (const { id } of more) statuses.set(id, 'blocked')
  return tasks.map(task => ({ ...task, status: statuses.get(task.id) ?? task.status }))
}

function statusOf(tasks: readonly RafTask[]): RafStatus {
  const all = (wanted: RafTaskStatus) => tasks.every(({ status }) => status === wanted)
  if (tasks.length === 0) return 'planning'
  if (tasks.some(({ status }) => status === 'failed')) return 'failed'
  if (all('completed')) return 'completed'
  return all('pending') ? 'ready' : 'executing'
}

/** Tasks that only their own outcome blocks: they would stay blocked for ever. */
function staleBlocksOf(tasks: readonly RafTask[]): readonly string[] {
  const without = withBlocked(tasks.map(task => (task.status === 'blocked' ? { ...task, status: 'pending' } : task)))
  return tasks.flatMap(({ id, status }, at) => (status === 'blocked' && without[at]?.status === 'pending' ? [id] : []))
}

/** The state of the tasks in a run of `relay do`. */
export interface RunState {
  readonly tasks: readonly RafTask[]
  /** The first task that is not done and waits for nothing; `undefined`: none can be begun. */
  readonly next: RafTask | undefined
  /** Tasks that cannot be done until something changes: blocked ones, and those in the state's `problems`. */
  readonly stuck: readonly RafTask[]
}

/**
 * A run does every task that is not completed, even one that failed earlier; with `force` also completed ones. A task that has
 * ended in this run keeps its result: no task is begun twice, so a run always ends.
 */
export function runStateOf(
  { tasks }: RafState,
  ended: ReadonlyMap<string, 'completed' | 'failed'>,
  { force = false } = {},
): RunState {
  const begun = tasks.map((task): RafTask => {
    const isDone = task.status === 'completed' && !force
    return { ...task, status: ended.get(task.id) ?? (isDone ? 'completed' : 'pending') }
  })
  const now = withBlocked(begun)
  const done = new Set(now.filter(({ status }) => status === 'completed').map(({ id }) => id))
  const next = now.find(({ status, dependencies }) => status === 'pending' && dependencies.every(id => done.has(id)))
  const isStuck = ({ status }: RafTask) => status === 'blocked' || (status === 'pending' && next === undefined)
  return { tasks: now, next, stuck: now.filter(isStuck) }
}

function problemsOf(tasks: readonly RafTask[]): readonly RafProblem[] {
  const files = groupBy(tasks, ({ id }) => id)
  const same = [...files].flatMap(([id, those]): readonly RafProblem[] => {
    return those.length < 2 ? [] : [{ kind: 'same-id', id, files: those.map(({ file }) => file) }]
  })
  const unknown = tasks.flatMap(({ id, dependencies }) => {
    const missing = [...new Set(dependencies)].filter(dependency => !files.has(dependency))
    return missing.map((dependency): RafProblem => ({ kind: 'unknown-dependency', id, dependency }))
  })
  return [...same, ...unknown, ...cyclesOf(tasks)]
}

/** One cycle for each group of tasks that wait for each other, beginning with the group's first task. */
function cyclesOf(tasks: readonly RafTask[]): readonly RafProblem[] {
  const waitsFor = new Map(tasks.map(({ id, dependencies }) => [id, dependencies]))
  const known = new Set<string>()
  return [...waitsFor.keys()].flatMap((id): readonly RafProblem[] => {
    const ids = known.has(id) ? undefined : wayBack(id, waitsFor)
    for (const each of ids ?? []) known.add(each)
    return ids === undefined ? [] : [{ kind: 'cycle', ids }]
  })
}

/** The shortest cycle of dependencies from a task back to itself (breadth-first search). */
function wayBack(start: string, waitsFor: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const cameFrom = new Map<string, string>()
  const queue = [start]
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    for (const to of waitsFor.get(id) ?? []) {
      if (to === start) return pathTo(id, cameFrom)
      if (cameFrom.has(to)) continue
      cameFrom.set(to, id)
      queue.push(to)
    }
  }
  return undefined
}

function pathTo(end: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path = [end]
  for (let at = cameFrom.get(end); at !== undefined; at = cameFrom.get(at)) path.unshift(at)
  return path
}

function sorted(files: readonly RafFile[]): readonly RafFile[] {
  return files.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
}

/** The parts of a task's file that relay reads. The agent gets the whole file. */
interface PlanFile {
  /** Empty when the file has no title. */
  readonly title: string
  /** Ids in the file's order. */
  readonly dependencies: readonly string[]
  /** Words in the dependencies that look like ids but that RAF does not read: `01` in `- 01`. */
  readonly unread: readonly string[]
  /** In the file's order, beginning with the text before the first heading. */
  readonly sections: readonly Section[]
}

/** Reads a task's file. Any text is valid: missing parts are empty. */
export function readPlanFile(text: string): PlanFile {
  const sections = sectionsOf(text)
  const dependencies = dependenciesIn(sections)
  const words = (dependencyLine(sections) ?? '').toLowerCase().match(/\b[0-9a-z]{2}\b/g) ?? []
  const unread = words.filter(word => !dependencies.includes(word))
  return { title: titleIn(sections), dependencies, unread, sections }
}

function titleIn(sections: readonly Section[]): string {
  const heads = sections.map(({ heading }) => heading)
  const head = heads.find(each => each.startsWith('# Task:')) ?? heads.find(each => each.startsWith('# ')) ?? ''
  return head.replace(/^# (?:Task:)?/, '').trim()
}

/**
 * Reads dependencies as RAF does: the first line of the first section that is not empty, up to a `#`. Words
 * such as "none" are no ids.
 */
function dependenciesIn(sections: readonly Section[]): readonly string[] {
  const words = dependencyLine(sections)?.split(',') ?? []
  return words.map(word => word.trim()).filter(word => /^[0-9a-z]{2}$/.test(word))
}

function dependencyLine(sections: readonly Section[]): string | undefined {
  const lines = sections.flatMap(({ heading, text }) => (heading === '## Dependencies' ? text.split(/[\n#]/, 1) : []))
  return lines.find(line => line !== '')
}
