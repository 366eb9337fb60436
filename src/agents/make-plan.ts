import { join } from 'node:path'
import { RelayError } from '../errors.ts'
import { takeAlone } from '../flows/alone.ts'
import { readNote, writeNote } from '../kept-outside.ts'
import type { TurnEnd } from '../model/agent.ts'
import type { Committed } from '../model/task.ts'
import type { System } from '../ports.ts'
import { planSubject } from './books/raf/commit-subject.ts'
import { rafFolderIn, rafWorktreeAt } from './books/raf/find-raf.ts'
import { nextTaskId } from './books/raf/ids.ts'
import { projectOf, taskOf, titleOfName } from './books/raf/names.ts'
import { rafKey } from './books/raf/raf-book.ts'
import { isOwnFolder, putText } from './books/raf/raf-files.ts'
import { type ReadProject, readProject } from './books/raf/read-project.ts'
import { type Dropped, type FolderFiles, type TakenPlan, takenBeside, takePlan } from './books/raf/take-plan.ts'
import { bringMorePlans, bringNewPlan, commitPlan, filesBelow, freeFolder, type PlanTexts } from './bring-plan.ts'
import { type Checkout, openCheckout } from './checkout/checkout.ts'
import { commitLanded } from './checkout/commit-landed.ts'
import { openWorktree, type Worktree } from './checkout/worktree.ts'
import type { PlanParts } from './envelope/plan-envelope.ts'
import { rafBranchOf } from './raf-branches.ts'
import { repositoryTop } from './repository-top.ts'
import { endLeftRuns } from './run/run-folder.ts'
import { readWorkNote, workFolder } from './work-note.ts'

/** What is to be planned. */
export interface PlanWanted {
  /** The folder that `RAF/` lies in. */
  readonly root: string
  /** A new project of this name, or more tasks for one that there is, by its folder. */
  readonly plan: { readonly name: string } | { readonly folder: string }
  /** What the user wants. */
  readonly input: string
  /** It is made on the project's branch, and committed there. */
  readonly onBranch: boolean
  /** It is committed in the user's folder. */
  readonly commits: boolean
  /** Seconds, for that commit with its hooks. */
  readonly commandTimeout: number
}

export type PlanEnd =
  | {
      readonly kind: 'planned'
      readonly project: ReadProject
      readonly dropped: readonly Dropped[]
      /** `undefined`: none was wanted. */
      readonly committed: Committed | undefined
    }
  /** No task file was written. `isKept`: there are answers, and the same command goes on with these. */
  | { readonly kind: 'no-plan'; readonly dropped: readonly Dropped[]; readonly isKept: boolean }
  /** The agent's turn failed, or relay is to stop: the same command goes on from there. */
  | { readonly kind: 'stopped'; readonly turn: TurnEnd | undefined }

interface PlanDoors {
  readonly system: System
  /** Sets an agent to work; `undefined`: it has talked with the user. */
  run(parts: PlanParts, checkout: Checkout): Promise<TurnEnd | undefined>
}

/**
 * Has an agent write a plan, or more tasks of one, in a checkout. Only new task files and decisions come out of it; so whatever
 * happens meanwhile, the user's folder holds no half of a project. What was written when relay was stopped is still there when
 * the same is wanted again.
 */
export async function makePlan(wanted: PlanWanted, doors: PlanDoors): Promise<PlanEnd> {
  const { root, plan, onBranch } = wanted
  const { system } = doors
  const key = 'name' in plan ? `plan ${plan.name}` : rafKey(plan.folder, onBranch)
  const folder = await workFolder(root, key, system)
  const name = 'name' in plan ? `the plan ${plan.name}` : plan.folder
  const leave = await takeAlone(join(folder, 'owners'), name, system)
  try {
    await endLeftRuns(system)
    return await ('name' in plan
      ? planAnew({ ...wanted, name: plan.name, work: folder }, doors)
      : planMore({ ...wanted, folder: plan.folder, work: folder }, doors))
  } finally {
    await leave()
    for (const each of ['owners', 'planning', 'checkout', '.']) await system.files.removeFolder(join(folder, each))
  }
}

interface Planned extends PlanWanted {
  /** relay's own folder for it. */
  readonly work: string
}

/** How far relay is. */
interface PlanNote {
  /** The project's folder in `RAF/`. */
  readonly folder: string
  /** Names its commit on a branch. */
  readonly uuid: string
}

const header = '# Project Decisions\n'

async function planAnew(wanted: Planned & { readonly name: string }, doors: PlanDoors): Promise<PlanEnd> {
  const { root, input, name, work, onBranch } = wanted
  const { system } = doors
  const left = await planNoteIn(work, system)
  const note = left ?? { folder: await freeFolder(root, name, system), uuid: system.randomUuid() }
  const { folder } = note
  const isHome = left !== undefined && (await projectAt(root, folder, onBranch, system)).plans.length > 0
  if (left === undefined) await notePlan(work, note, system)
  const checkout = await checkoutIn(root, work, system)
  if (isHome) return finish({ ...wanted, folder, dropped: [], subject: 'Plan' }, checkout, undefined, system)
  const path = join('RAF', folder)
  const before = new Map([
    ['input.md', ended(input)],
    ['decisions.md', header],
  ])
  const isResumed = left !== undefined && checkout.isLeft
  await layOut(checkout, path, isResumed ? new Map([['input.md', ended(input)]]) : before, system)
  const { id = '', name: title = '' } = projectOf(folder) ?? {}
  const parts = {
    cwd: checkout.cwd,
    project: { id, title: titleOfName(title) },
    path,
    input,
    tasks: [],
    nextId: nextTaskId([]),
    isResumed,
  }
  const made = await planIn(checkout, parts, bytesOf(before), doors)
  if ('kind' in made) return endWithout(made, checkout, work, system)
  const texts = new Map([...before, ...textsOf(made)])
  if (onBranch) {
    const worktree = await worktreeOf(root, folder, system)
    const message = planSubject(id, 'Plan', title)
    const sha = await commitPlan(worktree, { folder, texts, message, uuid: note.uuid }, system)
    return finish({ ...wanted, folder, dropped: made.dropped, subject: 'Plan' }, checkout, sha, system)
  }
  const home = await bringNewPlan(
    root,
    folder,
    texts,
    moved => notePlan(work, { ...note, folder: moved }, system),
    system,
  )
  return finish({ ...wanted, folder: home, dropped: made.dropped, subject: 'Plan' }, checkout, undefined, system)
}

async function planMore(wanted: Planned & { readonly folder: string }, doors: PlanDoors): Promise<PlanEnd> {
  const { root, input, folder, work, onBranch } = wanted
  const { system } = doors
  await mustNotBeUnderWay(wanted, system)
  const left = await planNoteIn(work, system)
  const note = left ?? { folder, uuid: system.randomUuid() }
  const known = await projectAt(root, folder, onBranch, system)
  const end = { ...wanted, dropped: [], subject: 'Amend' } as const
  const checkout = onBranch ? await worktreeOf(root, folder, system) : await checkoutIn(root, work, system)
  // The description comes home last.
  if (left !== undefined && known.input === appended(known.input, input))
    return finish(end, checkout, undefined, system)
  if (left === undefined) await notePlan(work, note, system)
  const path = join('RAF', folder)
  const before = new Map([...textsIn(known), ['input.md', appended(known.input, input)]])
  const isResumed = left !== undefined && checkout.isLeft
  // What is there of decisions may be what the user has answered.
  const laid = isResumed ? new Map([...before].filter(([each]) => each !== 'decisions.md')) : before
  await layOut(checkout, path, laid, system)
  const nextId = nextTaskId([...known.plans, ...known.outcomes].map(({ name }) => taskOf(name)?.id ?? ''))
  const project = { id: known.id, title: titleOfName(known.name) }
  const parts = { cwd: checkout.cwd, project, path, input, tasks: known.state.tasks, nextId, isResumed }
  const made = await planIn(checkout, parts, bytesOf(before), doors)
  if ('kind' in made) return endWithout(made, checkout, work, system)
  if (isWorktree(checkout)) {
    const texts = new Map([...before, ...textsOf(made)])
    const message = planSubject(known.id, 'Amend', known.name)
    // Under its own name an earlier one has come home already.
    const uuid = checkout.landed(note.uuid) === undefined ? note.uuid : system.randomUuid()
    const sha = await commitPlan(checkout, { folder, texts, message, uuid }, system)
    return finish({ ...end, dropped: made.dropped }, checkout, sha, system)
  }
  const home = await projectAt(root, folder, onBranch, system)
  const decisions = { known: known.decisions ?? header, home: home.decisions ?? header }
  const beside = takenBeside(made, { decisions: decisions.known }, { plans: home.plans, decisions: decisions.home })
  const texts = new Map([...textsOf(beside), ['input.md', appended(home.input, input)]])
  await bringMorePlans(root, folder, texts, system)
  return finish({ ...end, dropped: beside.dropped }, checkout, undefined, system)
}

/** What `relay do` had begun is in the work tree, and would be lost. */
async function mustNotBeUnderWay(
  { work, folder, onBranch }: Planned & { folder: string },
  system: System,
): Promise<void> {
  if ((await readWorkNote(work, system)) === undefined) return
  throw new RelayError('unfinished', `\`relay do\` was stopped in the middle of a task of ${folder}`, {
    hint: `Let it come to its end first: \`relay do ${folder}${onBranch ? ' -w' : ''}\``,
  })
}

/** Of a run that left no task file; `kind` tells them from what was taken. */
type Without = Exclude<PlanEnd, { readonly kind: 'planned' }>

/** Sets the agent to work, and looks at what it left. */
async function planIn(
  checkout: Checkout,
  parts: PlanParts,
  before: FolderFiles,
  { system, run }: PlanDoors,
): Promise<TakenPlan | Without> {
  const turn = await run(parts, checkout).catch(async error => {
    await checkout.leave()
    throw error
  })
  if (system.interruption.aborted || (turn !== undefined && turn.status !== 'ok')) return { kind: 'stopped', turn }
  const isThere = await isOwnFolder(checkout.cwd, join(parts.path, 'plans'), system.files)
  const now = isThere ? await filesBelow(join(checkout.cwd, parts.path), system) : new Map()
  const taken = takePlan(before, now, parts.nextId)
  const inProject = taken.dropped.map(({ path, why }) => ({ path: join(parts.path, path), why }))
  const dropped = [...inProject, ...(await droppedAround(checkout, parts.path))]
  if (taken.plans.length > 0) return { ...taken, dropped }
  return { kind: 'no-plan', dropped, isKept: taken.decisions !== undefined }
}

/** What was changed beside the project's folder. */
async function droppedAround(checkout: Checkout, path: string): Promise<readonly Dropped[]> {
  try {
    const { changes, outside } = await checkout.changes()
    const all = [...changes.map(change => change.path).filter(each => !each.startsWith(`${path}/`)), ...outside]
    return all.map(each => ({ path: each, why: '' }))
  } catch (error) {
    if (error instanceof RelayError && error.kind === 'agent') return [{ path: error.message, why: '' }]
    throw error
  }
}

async function endWithout(end: Without, checkout: Checkout, work: string, system: System): Promise<PlanEnd> {
  if (end.kind === 'stopped' || end.isKept) {
    await checkout.leave()
    return end
  }
  await forgetNote(work, system)
  if (isWorktree(checkout)) await checkout.renew()
  await putAway(checkout)
  return end
}

/** A work tree stays: it is the user's as well. */
async function putAway(checkout: Checkout): Promise<void> {
  await (isWorktree(checkout) ? checkout.leave() : checkout.remove())
}

function isWorktree(checkout: Checkout): checkout is Worktree {
  return 'branch' in checkout
}

interface Finished extends Planned {
  readonly folder: string
  readonly dropped: readonly Dropped[]
  readonly subject: 'Plan' | 'Amend'
}

/** It is home: commits it where that is wanted, and clears up. `sha`: of its commit on its branch. */
async function finish(
  { root, folder, work, onBranch, commits, commandTimeout, dropped, subject }: Finished,
  checkout: Checkout,
  sha: string | undefined,
  system: System,
): Promise<PlanEnd> {
  const project = await projectAt(root, folder, onBranch, system)
  const own = ['input.md', 'decisions.md', ...project.plans.map(({ name }) => join('plans', name))]
  const paths = own.map(path => join('RAF', folder, path))
  const message = planSubject(project.id, subject, project.name)
  const made = sha === undefined ? undefined : ({ kind: 'commit', sha } as const)
  const committed =
    commits && !onBranch
      ? await commitLanded({ folder: root, paths, message, timeLimit: commandTimeout }, system)
      : made
  await forgetNote(work, system)
  await putAway(checkout)
  return { kind: 'planned', project, dropped, committed }
}

/** A project as it stands in the user's folder, or on its branch. */
async function projectAt(root: string, folder: string, onBranch: boolean, system: System): Promise<ReadProject> {
  if (onBranch) return (await rafBranchOf(root, folder, system)).read()
  return readProject(rafFolderIn(root), folder, system.files)
}

/** The folder as it is. */
async function checkoutIn(root: string, work: string, system: System): Promise<Checkout> {
  const below = join(work, 'planning')
  await system.files.makeFolder(below, 0o700)
  return openCheckout(root, below, system)
}

/** That of `relay do`, which knows it by relay's own folder. */
async function worktreeOf(root: string, folder: string, system: System): Promise<Worktree> {
  const [top, { home }] = [await repositoryTop(root, system), system]
  if (top === undefined || home === undefined) throw new RelayError('usage', 'A branch needs a git repository')
  const below = join(await workFolder(root, rafKey(folder, true), system), 'checkout')
  await system.files.makeFolder(below, 0o700)
  return openWorktree({ root, branch: folder, at: rafWorktreeAt(home, top, folder), folder: below }, system)
}

/** Puts a project's texts where the agent works, in place of whatever lies there. */
async function layOut(checkout: Checkout, path: string, texts: PlanTexts, { files }: System): Promise<void> {
  for (const [each, text] of texts) {
    await putText({ root: checkout.cwd, path: join(path, each), text }, files, { mends: true })
  }
  for (const below of ['plans', 'outcomes']) await files.makeFolder(join(checkout.cwd, path, below))
}

function textsIn({ input, decisions, plans, outcomes }: ReadProject): readonly (readonly [string, string])[] {
  return [
    ...(input === undefined ? [] : [['input.md', input] as const]),
    ['decisions.md', decisions ?? header],
    ...plans.map(({ name, text }) => [`plans/${name}`, text] as const),
    ...outcomes.map(({ name, text }) => [`outcomes/${name}`, text] as const),
  ]
}

/** What comes home of what was taken. */
function textsOf({ plans, decisions }: TakenPlan): readonly (readonly [string, string])[] {
  return [
    ...plans.map(({ name, text }) => [`plans/${name}`, text] as const),
    ...(decisions === undefined ? [] : [['decisions.md', decisions] as const]),
  ]
}

function bytesOf(texts: PlanTexts): FolderFiles {
  return new Map([...texts].map(([path, text]) => [path, new TextEncoder().encode(text)]))
}

/** What is asked for later stands below what was asked before; once, also where relay was stopped. */
function appended(before: string | undefined, input: string): string {
  const behind = `\n\n---\n\n${ended(input)}`
  if (before === undefined || before.trim() === '') return ended(input)
  return before.endsWith(behind) ? before : `${before.trimEnd()}${behind}`
}

function ended(text: string): string {
  return `${text.trim()}\n`
}

const noteName = 'plan.json'

async function planNoteIn(work: string, system: System): Promise<PlanNote | undefined> {
  const found = await readNote(join(work, noteName), system)
  return typeof found?.['folder'] === 'string' ? (found as unknown as PlanNote) : undefined
}

async function notePlan(work: string, note: PlanNote, system: System): Promise<void> {
  await writeNote(join(work, noteName), note, system)
}

async function forgetNote(work: string, { files }: System): Promise<void> {
  await files.remove(join(work, noteName))
}
