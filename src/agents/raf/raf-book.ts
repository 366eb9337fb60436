import { join } from 'node:path'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { Book } from '../../model/book.ts'
import { markerOfWork } from '../../model/marker.ts'
import type { PathState } from '../../model/plan.ts'
import type { RafTask } from '../../model/raf.ts'
import type { AttemptFacts, Settled, Task, TaskEnd, Turned } from '../../model/task.ts'
import type { Clock, Files } from '../../ports.ts'
import { isPlanFile } from '../work/book-files.ts'
import { removeUsersFile, replaceUsersFile } from '../work/replace-users-file.ts'
import { commitSubject } from './commit-subject.ts'
import { analysisOf, gaveUp, isHopeless, reasonIn, unsaid } from './failure.ts'
import { failureReport } from './failure-report.ts'
import { taskOf, titleOfName } from './names.ts'
import { blockedOutcome, fallbackOutcome, finishedOutcome, isReport, statusOfOutcome, summaryOf } from './outcome.ts'
import { isOwnFolder, layText, textBelow } from './raf-files.ts'
import type { ReadProject } from './read-project.ts'
import { type RunState, runStateOf } from './state.ts'

/** Where a RAF project is worked on, and by which agent. */
export interface RafPlace {
  /** `<id>-<name>`. */
  readonly folder: string
  /** Reads the project from the files that count: the user's, or those of a branch. */
  read(): Promise<ReadProject>
  /**
   * The folder above `RAF/` that gets the reports on failed and blocked tasks; `undefined` where it cannot be made. For a branch
   * it lies in the work tree for people.
   */
  home(): Promise<string | undefined>
  /**
   * Set when tasks land on a branch. `cwd`: the project's folder in the checkout. `isIgnored`: git ignores the project, so that
   * outcomes are copied to `home` and are in no commit.
   */
  readonly branch: { readonly cwd: string; readonly isIgnored: boolean } | undefined
  /** The agent's name. */
  readonly agent: string
  /** Do completed tasks again. */
  readonly force: boolean
}

/** The parts of an envelope, without the rules. */
export interface TaskFacts {
  readonly project: ReadProject
  readonly task: Task
  readonly place: { readonly n: number; readonly of: number }
  readonly file: { readonly path: string; readonly text: string }
  readonly dependencies: readonly {
    readonly task: Task
    readonly path: string
    readonly outcome: string
    readonly summary: string
  }[]
  readonly outcomePath: string
  readonly lastOutcome: string | undefined
}

interface RafDoors {
  readonly files: Files
  readonly clock: Clock
  /** Prints the envelope. */
  print(told: TaskFacts, facts: AttemptFacts): string
}

/** A RAF project as a book. */
export async function rafBook(place: RafPlace, doors: RafDoors): Promise<Book> {
  const project = await place.read()
  const left = project.state.tasks.filter(({ status }) => place.force || status !== 'completed')
  return new RafBook(place, project, left.length, doors)
}

/** The tasks of a project in the order of a run in which every task succeeds. */
export function plannedOrder(project: ReadProject, force: boolean): readonly RafTask[] {
  const ended = new Map<string, 'completed'>()
  const order: RafTask[] = []
  for (;;) {
    const { next } = runStateOf(project.state, ended, { force })
    if (next === undefined) return order
    order.push(next)
    ended.set(next.id, 'completed')
  }
}

/** The state of the tasks in a run with these results so far. */
export function stateAfter({ state }: ReadProject, ended: readonly TaskEnd[], force: boolean): RunState {
  const results = ended.map(({ task, result }) => {
    return [task.id, result.kind === 'failed' ? 'failed' : 'completed'] as const
  })
  return runStateOf(state, new Map(results), { force })
}

/** The parts of the envelope for a task, by the state of its project. */
export function taskFacts(project: ReadProject, task: Task): TaskFacts {
  const { state, plans, outcomes } = project
  const at = state.tasks.findIndex(({ id }) => id === task.id)
  const found = state.tasks[at]
  const { file = '', dependencies = [] } = found ?? {}
  const own = textOfTask(outcomes, task.id)
  return {
    project,
    task,
    place: { n: at + 1, of: state.tasks.length },
    file: { path: pathIn(project.folder, 'plans', file), text: plans.find(({ name }) => name === file)?.text ?? '' },
    dependencies: state.tasks
      .filter(({ id }) => dependencies.includes(id))
      .map(each => {
        const { name, text } = textOfTask(outcomes, each.id) ?? { name: each.file, text: '' }
        const path = pathIn(project.folder, 'outcomes', name)
        return { task: { id: each.id, title: each.title }, path, outcome: text, summary: summaryOf(text) }
      }),
    outcomePath: pathIn(project.folder, 'outcomes', file),
    // A blocked outcome says nothing about the task itself.
    lastOutcome: own === undefined || statusOfOutcome(own.text) === 'blocked' ? undefined : own.text,
  }
}

/** The key of a project's book: one relay process at a time works on the project, or on its branch. */
export function rafKey(folder: string, onBranch: boolean): string {
  return `raf ${folder}${onBranch ? ' on its branch' : ''}`
}

/** The key of the book of a project that gets more tasks. */
export function amendKey(folder: string, onBranch: boolean): string {
  return `plan ${rafKey(folder, onBranch)}`
}

class RafBook implements Book {
  readonly name: string
  readonly word: string
  readonly key: string
  readonly rivals: readonly string[]
  readonly tasks: number
  readonly #place: RafPlace
  readonly #doors: RafDoors
  /** The reports of this run: the next attempt starts in a checkout without them. */
  readonly #reports = new Map<string, string>()
  /** Project files that the branch does not contain yet. */
  readonly #carried = new Set<string>()

  constructor(place: RafPlace, { name }: ReadProject, tasks: number, doors: RafDoors) {
    this.name = titleOfName(name)
    this.word = place.folder
    this.key = rafKey(place.folder, place.branch !== undefined)
    const isHere = place.branch === undefined
    this.rivals = [rafKey(place.folder, isHere), amendKey(place.folder, !isHere)]
    this.tasks = tasks
    this.#place = place
    this.#doors = doors
  }

  async next(ended: readonly TaskEnd[]): Promise<Task | undefined> {
    const project = await this.#place.read()
    await this.#dropStaleBlocks(project)
    const run = stateAfter(project, ended, this.#place.force)
    await this.#reportBlocked(project, run)
    return run.next && { id: run.next.id, title: run.next.title }
  }

  async isWanted({ id }: Task): Promise<boolean> {
    const found = (await this.#place.read()).state.tasks.find(task => task.id === id)
    return found !== undefined && (this.#place.force || found.status !== 'completed')
  }

  owns(path: string): boolean {
    return isPlanFile(path)
  }

  async envelope(task: Task, facts: AttemptFacts): Promise<string> {
    const project = await this.#place.read()
    await this.#lay(project, task, facts)
    return this.#doors.print(taskFacts(project, task), facts)
  }

  async saysDone(task: Task, facts: AttemptFacts): Promise<boolean> {
    const written = await this.#writtenOutcome(await this.#place.read(), task, facts)
    return written !== undefined && markerOfWork(written) === 'COMPLETE'
  }

  async settle(task: Task, turn: Turned, changes: readonly AgentChange[], facts: AttemptFacts): Promise<Settled> {
    const project = await this.#place.read()
    const { outcomePath } = taskFacts(project, task)
    const written = await this.#writtenOutcome(project, task, facts)
    const why = whyNotDone(turn, written, outcomePath)
    if (why !== undefined) return why
    const others = changes.filter(({ path }) => !isPlanFile(path))
    if (others.length === 0 && written === undefined) {
      const words = `The agent says that the task is done, but it changed nothing and wrote no ${outcomePath}.`
      return { kind: 'not-done', why: words }
    }
    const outcome = this.#finished(written ?? fallbackOutcome(task.id), facts)
    const message = commitSubject(project.id, task.id, outcome, task.title)
    const own = await this.#ownChange(outcomePath, outcome, project, changes)
    const dropped = this.#droppedFrom(project, outcomePath, changes)
    const { branch } = this.#place
    if (branch?.isIgnored === true) {
      await layText(facts.cwd, outcomePath, outcome, this.#doors.files)
      return { kind: 'done', changes: others, title: message, message, dropped }
    }
    const carried = this.#carriedChanges(project, outcomePath, changes)
    return { kind: 'done', changes: [...others, ...carried, own], title: message, message, own: [outcomePath], dropped }
  }

  async write({ task, attempts, ms, usage, result }: TaskEnd): Promise<void> {
    const { branch, agent } = this.#place
    const { files, clock } = this.#doors
    const project = await this.#place.read()
    const { outcomePath } = taskFacts(project, task)
    if (result.kind === 'failed') {
      const { why, kept: number, last } = result
      const kept = number === undefined ? undefined : `relay apply --kept ${number}`
      const details = { attempts, ms, usage, agent, at: clock.now(), kept }
      const analysis = analysisOf(last?.status, why, kept)
      const report = { taskId: task.id, why, analysis, output: last?.text ?? '', details }
      await this.#report(outcomePath, failureReport(report), project)
    } else if (branch?.isIgnored === true) {
      const text = await textBelow(branch.cwd, outcomePath, files)
      if (text !== undefined) await this.#putHome(outcomePath, text, project)
    } else if (branch !== undefined) {
      this.#reports.delete(outcomePath)
    }
  }

  async #dropStaleBlocks({ folder, outcomes, state }: ReadProject): Promise<void> {
    const { branch } = this.#place
    // On a branch the outcome is in a commit; the task's own outcome will replace it.
    if (branch !== undefined && !branch.isIgnored) return
    const home = await this.#place.home()
    if (home === undefined) return
    for (const id of state.staleBlocks) {
      const found = textOfTask(outcomes, id)
      if (found === undefined) continue
      await removeUsersFile(join(home, pathIn(folder, 'outcomes', found.name)), found.text, this.#doors)
    }
  }

  async #reportBlocked(project: ReadProject, { tasks }: RunState): Promise<void> {
    const { folder, state } = project
    for (const task of tasks) {
      const now = state.tasks.find(({ id }) => id === task.id)
      // The completed work of an earlier run stays, and so does its outcome.
      if (task.status !== 'blocked' || now?.status === 'completed') continue
      await this.#report(pathIn(folder, 'outcomes', task.file), blockedOutcome(task, tasks), project)
    }
  }

  async #report(path: string, text: string, project: ReadProject): Promise<void> {
    this.#reports.set(path, text)
    await this.#putHome(path, text, project)
  }

  /**
   * Writes an outcome into the user's folder, or the work tree for people. One that the user has saved since `project` was read
   * stays.
   */
  async #putHome(path: string, text: string, project: ReadProject): Promise<void> {
    const root = await this.#place.home()
    if (root === undefined) return
    const seen = new Map(filesOf(project)).get(path)
    // Reports lie in a work tree alone, so the project of a branch does not have an earlier one.
    const isReplaced = (now: string) => this.#place.branch?.isIgnored === false && isReport(now)
    const change = (now: string | undefined) =>
      now === undefined || now === seen || isReplaced(now) ? text : undefined
    await replaceUsersFile(join(root, path), change, this.#doors)
  }

  /** Writes the project's files as they count into the checkout: git may ignore them, and the agent may have changed them. */
  async #lay(project: ReadProject, task: Task, { cwd, attempt, isResumed }: AttemptFacts): Promise<void> {
    const { files } = this.#doors
    const { outcomePath } = taskFacts(project, task)
    const all = new Map([...filesOf(project), ...(this.#place.branch?.isIgnored === false ? this.#reports : [])])
    for (const [path, text] of all) {
      if (path === outcomePath) continue
      if (!(await isThere(cwd, path, files))) this.#carried.add(path)
      await layText(cwd, path, text, files)
    }
    const there = await textBelow(cwd, outcomePath, files)
    // The outcome of the last attempt stays for the next one, unless it says that the task failed.
    if (there !== undefined && (isResumed || (attempt > 1 && !isReport(there)))) return
    const text = all.get(outcomePath)
    if (text !== undefined) await layText(cwd, outcomePath, text, files)
    else if (there !== undefined) await files.remove(join(cwd, outcomePath))
  }

  /** The outcome that the agent wrote; not one that was there before. */
  async #writtenOutcome({ folder, outcomes }: ReadProject, { id }: Task, { cwd }: AttemptFacts) {
    const { files } = this.#doors
    const below = pathIn(folder, 'outcomes', '').replace(/\/$/, '')
    if (!(await isOwnFolder(cwd, below, files))) return undefined
    const names = ((await files.list(join(cwd, below))) ?? []).filter(name => taskOf(name)?.id === id).toSorted()
    for (const name of names) {
      const text = await textBelow(cwd, `${below}/${name}`, files)
      const isOld = outcomes.some(each => each.name === name && each.text === text)
      const isReport = this.#reports.get(`${below}/${name}`) === text
      if (text !== undefined && text.trim() !== '' && !isOld && !isReport) return text
    }
    return undefined
  }

  #finished(text: string, { attempt: attempts, ms = 0, usage = {} }: AttemptFacts): string {
    const at = this.#doors.clock.now()
    return finishedOutcome(text, 'COMPLETE', { attempts, ms, usage, agent: this.#place.agent, at })
  }

  /**
   * The outcome's change as it lands: it may be missing in `changes`, if the agent did not write the file or git ignores it.
   */
  async #ownChange(
    path: string,
    text: string,
    { outcomes }: ReadProject,
    changes: readonly AgentChange[],
  ): Promise<AgentChange> {
    const listed = changes.find(change => change.path === path)
    const { branch } = this.#place
    const old = outcomes.find(({ name }) => path.endsWith(`/outcomes/${name}`))
    const home = branch === undefined ? await this.#place.home() : undefined
    const mode = home === undefined ? undefined : (await this.#doors.files.stat(join(home, path)))?.mode
    const base = listed === undefined ? (old === undefined ? null : textState(old.text, mode)) : listed.base
    const written = [listed?.made, base].find(state => state?.kind === 'file')
    return { path, base, made: textState(text, written?.kind === 'file' ? written.mode : undefined) }
  }

  /** The agent's changes to the project, except its own outcome and the files that relay put there. */
  #droppedFrom(project: ReadProject, outcomePath: string, changes: readonly AgentChange[]): readonly string[] {
    const laid = new Map([...filesOf(project), ...this.#reports])
    const isLaid = ({ path, made }: AgentChange) => {
      return made?.kind === 'file' && new TextDecoder().decode(made.bytes) === laid.get(path)
    }
    return changes
      .filter(change => isPlanFile(change.path) && change.path !== outcomePath && !isLaid(change))
      .map(({ path }) => path)
  }

  /** Files that the branch does not contain yet land with the first task; everything else in the project stays as it was. */
  #carriedChanges(project: ReadProject, outcomePath: string, changes: readonly AgentChange[]): readonly AgentChange[] {
    if (this.#place.branch === undefined) return []
    const isNew = (path: string) => {
      const change = changes.find(each => each.path === path)
      return change === undefined ? this.#carried.has(path) : change.base === null
    }
    return filesOf(project)
      .filter(([path]) => path !== outcomePath && isNew(path))
      .map(([path, text]) => ({ path, base: null, made: textState(text) }))
  }
}

/** The reason why a turn does not count; `undefined` when the agent says that the task is done. */
function whyNotDone(turn: Turned, written: string | undefined, outcomePath: string): Settled | undefined {
  const [said, noted] = [turn.marker, written === undefined ? undefined : markerOfWork(written)]
  const against = [said, noted].find(marker => marker === 'FAILED' || marker === 'BLOCKED')
  if (against !== undefined) {
    const reason = reasonIn(turn.text) || reasonIn(written ?? '')
    const words = `${gaveUp}${against === 'FAILED' ? 'failed' : 'is blocked'}`
    const why = reason === '' ? `${words}.` : `${words}: ${reason}`
    return { kind: 'not-done', why, ...(isHopeless(reason) ? { isFinal: true } : {}) }
  }
  if ((said ?? noted) === 'COMPLETE') return undefined
  const why = `${unsaid}: neither the agent's last message nor ${outcomePath} ends with the marker.`
  return { kind: 'not-done', why }
}

/** All files of a project that relay reads, by their paths below the folder above `RAF/`. */
export function filesOf({
  folder,
  plans,
  outcomes,
  input,
  decisions,
}: ReadProject): readonly (readonly [string, string])[] {
  const below = (name: string, text: string | undefined) => {
    return text === undefined ? [] : [[`RAF/${folder}/${name}`, text] as const]
  }
  return [
    ...below('input.md', input),
    ...below('decisions.md', decisions),
    ...plans.flatMap(({ name, text }) => below(`plans/${name}`, text)),
    ...outcomes.flatMap(({ name, text }) => below(`outcomes/${name}`, text)),
  ]
}

function textOfTask(files: ReadProject['outcomes'], id: string): ReadProject['outcomes'][number] | undefined {
  return files.findLast(({ name }) => taskOf(name)?.id === id)
}

/** Whether a path belongs to a RAF project: an agent may change nothing there except its own outcome. */
function pathIn(folder: string, kind: 'plans' | 'outcomes', file: string): string {
  return `RAF/${folder}/${kind}/${file}`
}

async function isThere(root: string, path: string, files: Files): Promise<boolean> {
  return (await textBelow(root, path, files)) !== undefined
}

function textState(text: string, mode = 0o644): PathState {
  return { kind: 'file', bytes: new TextEncoder().encode(text), mode }
}
