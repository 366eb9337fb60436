import { join } from 'node:path'
import { mergeFiles } from '../../lines/merge-files.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { PathState } from '../../model/plan.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { type BranchCheckout, openBranchCheckout } from '../checkout/branch-checkout.ts'
import { bringWorktree, detachWorktree } from '../checkout/branch-worktree.ts'
import { openCheckout } from '../checkout/checkout.ts'
import { commitLanded } from '../checkout/commit-landed.ts'
import { giveBackOld } from '../checkout/old-worktree.ts'
import { branchTip } from '../checkout/users-branches.ts'
import type { LandingPlace } from '../work/land.ts'
import { replaceUsersFile } from '../work/replace-users-file.ts'
import { workFolder } from '../work/work-note.ts'
import { bringNewPlan, type PlanTexts } from './bring-plan.ts'
import { rafFolderIn } from './find-raf.ts'
import { projectOf } from './names.ts'
import { rafKey } from './raf-book.ts'
import { rafBranchOf } from './raf-branches.ts'
import { textBelow } from './raf-files.ts'
import { listProjects, type ReadProject, readProject } from './read-project.ts'

export interface PlanPlace extends LandingPlace {
  /** Reads a project as it is where it lands. */
  read(folder: string): Promise<ReadProject>
  /** The folder under which a plan has landed. A new one may have got another id than it was planned with. */
  home(folder: string): string
}

interface PlaceOptions {
  /** The plan is new: its folder is not there yet. */
  readonly isNew: boolean
  readonly commits: boolean
}

/** Landing a plan in `RAF/` of the user's folder. No command of the project judges it. */
export function landPlanHere({ root, config }: Project, { isNew, commits }: PlaceOptions, system: System): PlanPlace {
  let landed: string | undefined
  const home = (folder: string) => landed ?? folder
  const read = (folder: string) => readProject(rafFolderIn(root), folder, system.files)
  return {
    root,
    commandTimeout: config.commandTimeout,
    keptVariables: [],
    openCheckout: below => openCheckout(root, below, system),
    uncommitted: async () => (commits ? { edited: [], uncompared: [] } : undefined),
    async land({ changes }, { isLeft }) {
      const folder = folderOf(changes)
      if (isNew) {
        const texts = textsOf(changes)
        // A relay run that was stopped may have brought it already.
        const there = isLeft ? await projectWith(folder, texts, root, system) : undefined
        landed = there ?? (await bringNewPlan(root, folder, texts, system))
      } else await addAll(root, changes, system)
      return { kind: 'landed', number: undefined, files: changes.length }
    },
    async commit([path = ''], message) {
      const folder = home(path.split('/')[1] ?? '')
      const { plans } = await read(folder)
      const own = ['input.md', 'decisions.md', ...plans.map(({ name }) => join('plans', name))]
      const paths = own.map(each => join('RAF', folder, each))
      const subject = message.replace(/^RAF\[[a-z]*\]/, `RAF[${projectOf(folder)?.id}]`)
      return commitLanded({ folder: root, paths, message: subject, timeLimit: config.commandTimeout }, system)
    },
    read,
    home,
  }
}

/**
 * Landing a plan as one commit on its branch. A new plan is made in a copy of the user's folder, so that there is no branch
 * before there is a plan.
 *
 * @param given the project that gets more tasks; `undefined` for a new one
 */
export function landPlanOnBranch(project: Project, given: string | undefined, system: System): PlanPlace {
  const { root } = project
  let opened: BranchCheckout | undefined
  let landed = given
  const open = async (folder: string, below: string) => {
    await giveBackOld(below, system)
    await detachWorktree((await rafBranchOf(root, folder, system)).tree, system)
    return openBranchCheckout({ root, branch: folder, folder: below }, system)
  }
  return {
    ...landPlanHere(project, { isNew: given === undefined, commits: true }, system),
    async openCheckout(below) {
      if (given === undefined) return openCheckout(root, below, system)
      opened = await open(given, below)
      return opened
    },
    async land({ changes, message, uuid }) {
      landed = folderOf(changes)
      const there = opened ?? (await open(landed, await checkoutOf(landed)))
      const commit = await commitPlan(there, { changes, message, uuid })
      if (opened === undefined) await there.remove()
      return commit === undefined ? { kind: 'moved' } : { kind: 'landed', number: undefined, files: changes.length }
    },
    async commit([path = '']) {
      landed = path.split('/')[1] ?? ''
      const sha = await branchTip({ root, branch: landed }, system)
      return sha === undefined ? { kind: 'none' } : { kind: 'commit', sha }
    },
    async close({ kind }) {
      if (landed === undefined) return
      const calm = { ...system, interruption: new AbortController().signal }
      await bringWorktree((await rafBranchOf(root, landed, calm)).tree, calm, { makes: kind === 'all-done' })
    },
    read: async name => (await rafBranchOf(root, name, system)).read(),
    home: name => name,
  }

  /** The folder for a new plan's branch, beside the checkout in which the plan was made. */
  async function checkoutOf(name: string): Promise<string> {
    const below = join(await workFolder(root, rafKey(name, true), system), 'checkout')
    await system.files.makeFolder(below, 0o700)
    return below
  }
}

/** Commits a plan and nothing else. Gives `undefined` where the branch has moved meanwhile. */
async function commitPlan(
  checkout: BranchCheckout,
  { changes, message, uuid }: { changes: readonly AgentChange[]; message: string; uuid: string },
): Promise<string | undefined> {
  const landed = checkout.landed(uuid)
  if (landed !== undefined) return landed.commit
  const { agreed } = await checkout.beginLanding(uuid)
  const states = new Map(changes.map(({ path, made }) => [path, made]))
  const tree = agreed?.tree ?? (await checkout.agree(states, { kind: 'unchanged', paths: [...states.keys()] }))
  return checkout.commit(tree, message)
}

async function projectWith(
  folder: string,
  texts: PlanTexts,
  root: string,
  { files }: System,
): Promise<string | undefined> {
  const name = projectOf(folder)?.name
  for (const each of await listProjects(rafFolderIn(root), files)) {
    if (projectOf(each)?.name !== name) continue
    const found = await Promise.all(
      [...texts].map(async ([path, text]) => (await textBelow(root, join('RAF', each, path), files)) === text),
    )
    if (found.every(Boolean)) return each
  }
  return undefined
}

/** Adds to an existing project, each file in one step. What the user has saved there meanwhile stays, merged where it can be. */
async function addAll(root: string, changes: readonly AgentChange[], system: System): Promise<void> {
  for (const { path, base, made } of changes) {
    const [text, before] = [textOf(made), textOf(base)]
    const change = (now: string | undefined) => {
      return now === undefined || now === before || now === text ? text : mergedText(before, now, text)
    }
    await replaceUsersFile(join(root, path), change, system)
  }
}

/** `undefined` where both have changed the same lines: what stands there stays. */
function mergedText(base: string, ours: string, theirs: string): string | undefined {
  const encoder = new TextEncoder()
  const texts = { base: encoder.encode(base), ours: encoder.encode(ours), theirs: encoder.encode(theirs) }
  const merged = mergeFiles(texts, { ours: '', theirs: '' })
  return merged.kind === 'clean' ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(merged.bytes) : undefined
}

/** All of them are in the same folder: `RAF/<folder>/...`. */
function folderOf([first]: readonly AgentChange[]): string {
  return first?.path.split('/')[1] ?? ''
}

function textsOf(changes: readonly AgentChange[]): PlanTexts {
  return new Map(changes.map(({ path, made }) => [path.split('/').slice(2).join('/'), textOf(made)]))
}

function textOf(made: PathState): string {
  return made?.kind === 'file' ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(made.bytes) : ''
}
