import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { Book } from '../../model/book.ts'
import type { PathState } from '../../model/plan.ts'
import type { AttemptFacts, Settled, Task, Turned } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { readNote, writeNote } from '../../state-files.ts'
import type { PlanParts } from '../envelope/plan-envelope.ts'
import { placeOfWork, readWorkNote } from '../work/work-note.ts'
import { filesBelow, freeFolder, type PlanTexts } from './bring-plan.ts'
import { planSubject } from './commit-subject.ts'
import { nextTaskId } from './ids.ts'
import { projectOf, taskOf, titleOfName } from './names.ts'
import { amendKey, filesOf, rafKey } from './raf-book.ts'
import { isOwnFolder, layText, textBelow } from './raf-files.ts'
import type { ReadProject } from './read-project.ts'
import { type Dropped, takenBeside, takePlan } from './take-plan.ts'

export interface PlanWanted {
  /** The folder that contains `RAF/`. */
  readonly root: string
  /** `name` for a new project, or `folder` for more tasks in an existing one. */
  readonly plan: { readonly name: string } | { readonly folder: string }
  /** The user's description of the work. */
  readonly input: string
  /** The plan is committed on the project's branch. */
  readonly onBranch: boolean
}

interface PlanBookDoors {
  readonly system: System
  /** Reads a RAF project as it is where the plan lands. */
  read(folder: string): Promise<ReadProject>
  print(parts: PlanParts): string
}

/** The project as the agent got it. Its description is not here: the user may change that before each turn. */
interface Start {
  readonly texts: PlanTexts
  readonly nextId: string
}

const header = '# Project Decisions\n'

/**
 * A book with one task: to write a plan, or more tasks of a plan. The task's id is the folder of the project. Only new task
 * files and decisions come out of a turn.
 *
 * A turn that left no task file costs no attempt: the same command goes on with what it had written.
 */
export class PlanBook implements Book {
  readonly name: string
  readonly key: string
  readonly rivals: readonly string[]
  readonly tasks = 1
  readonly isPlanning = true
  /** Files of the last turn that do not count. */
  dropped: readonly Dropped[] = []
  /** The last turn left decisions, and no task file. */
  isUndecided = false
  readonly #wanted: PlanWanted
  readonly #doors: PlanBookDoors

  constructor(wanted: PlanWanted, doors: PlanBookDoors) {
    const { plan, onBranch } = wanted
    this.name = 'name' in plan ? `the plan ${plan.name}` : plan.folder
    this.key = 'name' in plan ? `plan ${plan.name}` : amendKey(plan.folder, onBranch)
    this.rivals = 'name' in plan ? [] : [rafKey(plan.folder, onBranch)]
    this.#wanted = wanted
    this.#doors = doors
  }

  async next(ended: readonly unknown[]): Promise<Task | undefined> {
    if (ended.length > 0) return undefined
    const { plan, root } = this.#wanted
    if ('folder' in plan) await this.#mustNotBeUnderWay(plan.folder)
    const folder = 'folder' in plan ? plan.folder : await freeFolder(root, plan.name, this.#doors.system)
    return { id: folder, title: this.name }
  }

  async isWanted(): Promise<boolean> {
    return true
  }

  owns(): boolean {
    return true
  }

  async envelope({ id: folder }: Task, { cwd, attempt, isResumed }: AttemptFacts): Promise<string> {
    const { plan, input } = this.#wanted
    const { files } = this.#doors.system
    const { texts, nextId } = await this.#start(folder)
    const path = join('RAF', folder)
    for (const [each, text] of [...texts, ['input.md', appended(texts.get('input.md'), input)] as const]) {
      const at = join(path, each)
      // The decisions of an earlier conversation may be the user's answers, so they stay.
      if ((isResumed || attempt > 1) && each === 'decisions.md' && (await textBelow(cwd, at, files)) !== undefined)
        continue
      await layText(cwd, at, text, files)
    }
    for (const below of ['plans', 'outcomes']) await files.makeFolder(join(cwd, path, below))
    const tasks = 'folder' in plan ? (await this.#doors.read(folder)).state.tasks : []
    const { id = '', name = '' } = projectOf(folder) ?? {}
    return this.#doors.print({ cwd, project: { id, title: titleOfName(name) }, path, input, tasks, nextId, isResumed })
  }

  async settle(
    { id: folder }: Task,
    _turn: Turned,
    changes: readonly AgentChange[],
    { cwd }: AttemptFacts,
  ): Promise<Settled> {
    const { plan, input, onBranch } = this.#wanted
    const { system, read } = this.#doors
    const { texts, nextId } = await this.#start(folder)
    const path = join('RAF', folder)
    const isThere = await isOwnFolder(cwd, join(path, 'plans'), system.files)
    const now = isThere ? await filesBelow(join(cwd, path), system) : new Map<string, undefined>()
    const before = new Map([...texts, ['input.md', appended(texts.get('input.md'), input)]])
    const taken = takePlan(new Map([...before].map(([each, text]) => [each, bytesOf(text)])), now, nextId)
    const home = 'folder' in plan ? await read(folder) : undefined
    const known = { decisions: texts.get('decisions.md') ?? header }
    const beside = home === undefined ? taken : takenBeside(taken, known, { decisions: header, ...definedOf(home) })
    const others = changes.filter(change => !change.path.startsWith(`${path}/`))
    this.dropped = [
      ...beside.dropped.map(({ path: each, why }) => ({ path: join(path, each), why })),
      ...others.map(change => ({ path: change.path, why: '' })),
    ]
    this.isUndecided = taken.plans.length === 0 && taken.decisions !== undefined
    const { id = '', name = '' } = projectOf(folder) ?? {}
    const title = planSubject(id, home === undefined ? 'Plan' : 'Amend', name)
    if (this.isUndecided) return { kind: 'not-done', why: 'No task file was written' }
    if (taken.plans.length === 0) return { kind: 'done', changes: [], title, message: title }
    const made = new Map([
      ...(home === undefined || onBranch ? before : []),
      ...beside.plans.map(each => [`plans/${each.name}`, each.text] as const),
      ...(beside.decisions === undefined ? [] : [['decisions.md', beside.decisions] as const]),
      ['input.md', appended(home?.input, input)] as const,
    ])
    const there = new Map(home === undefined ? [] : filesOf(home))
    const landing = [...made].map(([each, text]) => {
      const at = join(path, each)
      const base = there.get(at)
      return { path: at, base: base === undefined ? null : fileOf(bytesOf(base)), made: fileOf(bytesOf(text)) }
    })
    return { kind: 'done', changes: landing, title, message: title }
  }

  async stuck(_task: Task, why: string): Promise<string> {
    return why
  }

  async write(): Promise<void> {
    await this.#doors.system.files.remove(this.#note)
  }

  /** Throws `unfinished` where `relay do` has begun a task: its work is in the checkout, and would be lost. */
  async #mustNotBeUnderWay(folder: string): Promise<void> {
    const { root, onBranch } = this.#wanted
    const { system } = this.#doors
    if ((await readWorkNote(placeOfWork(root, rafKey(folder, onBranch), system), system)) === undefined) return
    throw new RelayError('unfinished', `\`relay do\` was stopped in the middle of a task of ${folder}`, {
      hint: `Let it come to its end first: \`relay do ${folder}${onBranch ? ' -w' : ''}\``,
    })
  }

  /** Noted before the first turn: what has landed in part must not count as what the agent got. */
  async #start(folder: string): Promise<Start> {
    if ('name' in this.#wanted.plan) return { texts: new Map([['decisions.md', header]]), nextId: nextTaskId([]) }
    const { system, read } = this.#doors
    const noted = (await readNote(this.#note, system)) as NotedStart | undefined
    if (noted !== undefined) return { nextId: noted.nextId, texts: new Map(noted.texts) }
    const { input, decisions = header, plans, outcomes } = await read(folder)
    const texts = [
      ...(input === undefined ? [] : [['input.md', input] as const]),
      ['decisions.md', decisions] as const,
      ...plans.map(({ name, text }) => [`plans/${name}`, text] as const),
      ...outcomes.map(({ name, text }) => [`outcomes/${name}`, text] as const),
    ]
    const nextId = nextTaskId([...plans, ...outcomes].map(({ name }) => taskOf(name)?.id ?? ''))
    await writeNote(this.#note, { texts, nextId } satisfies NotedStart, system)
    return { texts: new Map(texts), nextId }
  }

  get #note(): string {
    return join(placeOfWork(this.#wanted.root, this.key, this.#doors.system), 'plan.json')
  }
}

interface NotedStart {
  readonly texts: readonly (readonly [string, string])[]
  readonly nextId: string
}

function definedOf({ plans, decisions }: ReadProject) {
  return { plans, ...(decisions !== undefined && { decisions }) }
}

function fileOf(bytes: Uint8Array | undefined): PathState {
  return bytes === undefined ? null : { kind: 'file', bytes, mode: 0o644 }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Adds a later description below the earlier one. Adds it only once, also after relay was stopped. */
function appended(before: string | undefined, input: string): string {
  const ended = `${input.trim()}\n`
  const behind = `\n\n---\n\n${ended}`
  if (before === undefined || before.trim() === '') return ended
  return before.endsWith(behind) ? before : `${before.trimEnd()}${behind}`
}
