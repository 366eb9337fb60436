import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { takeAlone } from '../../flows/alone.ts'
import type { TurnEnd } from '../../model/agent.ts'
import type { Committed } from '../../model/task.ts'
import type { System } from '../../ports.ts'
import { readNote, writeNote } from '../../state-files.ts'
import { type BranchCheckout, openBranchCheckout } from '../checkout/branch-checkout.ts'
import { bringWorktree, detachWorktree } from '../checkout/branch-worktree.ts'
import { type Checkout, openCheckout } from '../checkout/checkout.ts'
import { commitLanded } from '../checkout/commit-landed.ts'
import type { PlanParts } from '../envelope/plan-envelope.ts'
import { endLeftRuns } from '../run/run-folder.ts'
import { readWorkNote, workFolder } from '../work/work-note.ts'
import { bringMorePlans, bringNewPlan, commitPlan, filesBelow, freeFolder, type PlanTexts } from './bring-plan.ts'
import { planSubject } from './commit-subject.ts'
import { rafFolderIn } from './find-raf.ts'
import { nextTaskId } from './ids.ts'
import { projectOf, taskOf, titleOfName } from './names.ts'
import { rafKey } from './raf-book.ts'
import { rafBranchOf } from './raf-branches.ts'
import { isOwnFolder, layText } from './raf-files.ts'
import { type ReadProject, readProject } from './read-project.ts'
import { type Dropped, type FolderFiles, type TakenPlan, takenBeside, takePlan } from './take-plan.ts'

export interface PlanWanted {
  /** The folder that contains `RAF/`. */
  readonly root: string
  /** `name` for a new project, or `folder` for more tasks in an existing one. */
  readonly plan: { readonly name: string } | { readonly folder: string }
  /** The user's description of the work. */
  readonly input: string
  /** The plan is made and committed on the project's branch. */
  readonly onBranch: boolean
  /** The plan is committed in the user's folder. */
  readonly commits: boolean
  /** Seconds, for the commit with its hooks. */
  readonly commandTimeout: number
}

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
  /** The agent's turn failed, or relay was interrupted. The same command continues from there. */
  | { readonly kind: 'stopped'; readonly turn: TurnEnd | undefined }

interface PlanDoors {
  readonly system: System
  /** Runs an agent on the plan. Gives `undefined` where the agent talked with the user itself. */
  run(parts: PlanParts, checkout: Checkout): Promise<TurnEnd | undefined>
}

/**
 * Runs an agent in a checkout to write a plan, or more tasks of a plan. relay takes only new task files and decisions out of
 * the checkout, so the user's folder never holds half a project. If relay is stopped, the same command continues with what the
 * agent had written.
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
  /** relay's own folder for this plan. */
  readonly work: string
}

/** The state of planning, so that a later relay run can continue. */
interface PlanNote {
  /** The folder name of the project in `RAF/`. */
  readonly folder: string
  /** Identifies its commit on a branch. */
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
    const sha = await commitPlan(worktree, { folder, texts, message, uuid: note.uuid })
    await worktree.remove()
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
  // The description is written last, so it tells that everything else is in place.
  if (left !== undefined && known.input === appended(known.input, input))
    return finish(end, checkout, undefined, system)
  if (left === undefined) await notePlan(work, note, system)
  const path = join('RAF', folder)
  const before = new Map([...textsIn(known), ['input.md', appended(known.input, input)]])
  const isResumed = left !== undefined && checkout.isLeft
  // The decisions in the checkout may be the user's answers, so they stay.
  const laid = isResumed ? new Map([...before].filter(([each]) => each !== 'decisions.md')) : before
  await layOut(checkout, path, laid, system)
  const nextId = nextTaskId([...known.plans, ...known.outcomes].map(({ name }) => taskOf(name)?.id ?? ''))
  const project = { id: known.id, title: titleOfName(known.name) }
  const parts = { cwd: checkout.cwd, project, path, input, tasks: known.state.tasks, nextId, isResumed }
  const made = await planIn(checkout, parts, bytesOf(before), doors)
  if ('kind' in made) return endWithout(made, checkout, work, system)
  if (isOfBranch(checkout)) {
    const texts = new Map([...before, ...textsOf(made)])
    const message = planSubject(known.id, 'Amend', known.name)
    // An earlier commit with this uuid has landed already.
    const uuid = checkout.landed(note.uuid) === undefined ? note.uuid : system.randomUuid()
    const sha = await commitPlan(checkout, { folder, texts, message, uuid })
    return finish({ ...end, dropped: made.dropped }, checkout, sha, system)
  }
  const home = await projectAt(root, folder, onBranch, system)
  const laidDecisions = { decisions: known.decisions ?? header }
  const besides = (decisions = header) => takenBeside(made, laidDecisions, { plans: home.plans, decisions })
  const beside = besides(home.decisions)
  const changes = new Map([
    ...beside.plans.map(({ name, text }) => [join('plans', name), (now: string | undefined) => now ?? text] as const),
    ...(beside.decisions === undefined
      ? []
      : [['decisions.md', (now: string | undefined) => besides(now).decisions] as const]),
    ['input.md', (now: string | undefined) => appended(now, input)] as const,
  ])
  await bringMorePlans(root, folder, changes, system)
  return finish({ ...end, dropped: beside.dropped }, checkout, undefined, system)
}

/** Throws `unfinished` where `relay do` has begun a task: its work is in the work tree, and would be lost. */
async function mustNotBeUnderWay(
  { work, folder, onBranch }: Planned & { folder: string },
  system: System,
): Promise<void> {
  if ((await readWorkNote(work, system)) === undefined) return
  throw new RelayError('unfinished', `\`relay do\` was stopped in the middle of a task of ${folder}`, {
    hint: `Let it come to its end first: \`relay do ${folder}${onBranch ? ' -w' : ''}\``,
  })
}

/** The end of a run that left no task file. `kind` tells it from a `TakenPlan`. */
type Without = Exclude<PlanEnd, { readonly kind: 'planned' }>

/** Runs the agent, then takes what it wrote. */
async function planIn(
  checkout: Checkout,
  parts: PlanParts,
  before: FolderFiles,
  { system, run }: PlanDoors,
): Promise<TakenPlan | Without> {
  const turn = await run(parts, checkout)
  if (system.interruption.aborted || (turn !== undefined && turn.status !== 'ok')) return { kind: 'stopped', turn }
  const isThere = await isOwnFolder(checkout.cwd, join(parts.path, 'plans'), system.files)
  const now = isThere ? await filesBelow(join(checkout.cwd, parts.path), system) : new Map()
  const taken = takePlan(before, now, parts.nextId)
  const inProject = taken.dropped.map(({ path, why }) => ({ path: join(parts.path, path), why }))
  const dropped = [...inProject, ...(await droppedAround(checkout, parts.path))]
  if (taken.plans.length > 0) return { ...taken, dropped }
  return { kind: 'no-plan', dropped, isKept: taken.decisions !== undefined }
}

/** Files that the agent changed outside the RAF project's folder. */
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
  if (end.kind === 'stopped' || end.isKept) return end
  await forgetNote(work, system)
  await checkout.remove()
  return end
}

function isOfBranch(checkout: Checkout): checkout is BranchCheckout {
  return 'start' in checkout
}

interface Finished extends Planned {
  readonly folder: string
  readonly dropped: readonly Dropped[]
  readonly subject: 'Plan' | 'Amend'
}

/** The plan is in place: commits it where that is wanted, and clears up. `sha` is the commit on the branch. */
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
  await checkout.remove()
  if (onBranch) await showBranch(root, folder, system)
  return { kind: 'planned', project, dropped, committed }
}

/** A RAF project as it is in the user's folder, or on its branch. */
async function projectAt(root: string, folder: string, onBranch: boolean, system: System): Promise<ReadProject> {
  if (onBranch) return (await rafBranchOf(root, folder, system)).read()
  return readProject(rafFolderIn(root), folder, system.files)
}

/** A checkout of the user's folder as it is now. */
async function checkoutIn(root: string, work: string, system: System): Promise<Checkout> {
  const below = join(work, 'planning')
  await system.files.makeFolder(below, 0o700)
  return openCheckout(root, below, system)
}

/** A checkout of the project's branch, in the state folder of `relay do`. */
async function worktreeOf(root: string, folder: string, system: System): Promise<BranchCheckout> {
  const below = join(await workFolder(root, rafKey(folder, true), system), 'checkout')
  await system.files.makeFolder(below, 0o700)
  await detachWorktree((await rafBranchOf(root, folder, system)).tree, system)
  return openBranchCheckout({ root, branch: folder, folder: below }, system)
}

async function showBranch(root: string, folder: string, system: System): Promise<void> {
  await bringWorktree((await rafBranchOf(root, folder, system)).tree, system, { makes: true })
}

/** Writes a project's texts into the checkout, over whatever is there. */
async function layOut(checkout: Checkout, path: string, texts: PlanTexts, { files }: System): Promise<void> {
  for (const [each, text] of texts) {
    await layText(checkout.cwd, join(path, each), text, files)
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

/** The texts that relay takes from the agent's plan. */
function textsOf({ plans, decisions }: TakenPlan): readonly (readonly [string, string])[] {
  return [
    ...plans.map(({ name, text }) => [`plans/${name}`, text] as const),
    ...(decisions === undefined ? [] : [['decisions.md', decisions] as const]),
  ]
}

function bytesOf(texts: PlanTexts): FolderFiles {
  return new Map([...texts].map(([path, text]) => [path, new TextEncoder().encode(text)]))
}

/** Adds a later description below the earlier one. Adds it only once, also after relay was stopped. */
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
