import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { PathState } from '../../model/plan.ts'
import type { Project } from '../../model/project.ts'
import type { System } from '../../ports.ts'
import { type Checkout, openCheckout } from '../checkout/checkout.ts'
import { commitLanded } from '../checkout/commit-landed.ts'
import type { LandingPlace, LandingTalk } from '../work/land.ts'
import { landOnBranch } from '../work/land-branch.ts'
import { repositoryTop } from '../work/repository-top.ts'
import { workFolder } from '../work/work-note.ts'
import { bringNewPlan, type PlanTexts } from './bring-plan.ts'
import { rafFolderIn, rafWorktreeAt } from './find-raf.ts'
import { projectOf } from './names.ts'
import { rafKey } from './raf-book.ts'
import { rafBranchOf } from './raf-branches.ts'
import { putText, textBelow } from './raf-files.ts'
import { listProjects, type ReadProject, readProject } from './read-project.ts'

export interface PlanPlace extends LandingPlace {
  /** Reads a project as it is where it lands. */
  read(folder: string): Promise<ReadProject>
  /** The folder under which a plan has landed. A new one may have got another id than it was planned with. */
  home(folder: string): string
  /** Drops what an agent wrote and nobody takes. */
  drop(): Promise<void>
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
    keepsCheckout: () => false,
    openCheckout: below => openCheckout(root, below, system),
    uncommitted: async () => (commits ? { edited: [], uncompared: [] } : undefined),
    async land({ changes }, { isLeft }) {
      const folder = folderOf(changes)
      if (isNew) {
        const texts = textsOf(changes)
        // A relay run that was stopped may have brought it already.
        const there = isLeft ? await projectWith(folder, texts, root, system) : undefined
        landed = there ?? (await bringNewPlan(root, folder, texts, system))
      } else await putAll(root, changes, false, system)
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
    async drop() {},
  }
}

/**
 * Landing a plan as one commit on its branch. A new plan is made in a copy of the user's folder, so that there is no branch
 * before there is a plan.
 */
export function landPlanOnBranch(
  project: Project,
  { isNew }: PlaceOptions,
  folder: string | undefined,
  system: System,
): PlanPlace {
  const { root } = project
  let opened: Checkout | undefined
  let placed: LandingPlace | undefined
  return {
    ...landPlanHere(project, { isNew, commits: true }, system),
    keepsCheckout: () => !isNew,
    async openCheckout(below) {
      opened = folder === undefined ? await openCheckout(root, below, system) : (await onBranch(folder)).checkout
      return opened
    },
    async land(what, checkout) {
      const { place, checkout: there } = await onBranch(folderOf(what.changes), isNew ? undefined : checkout)
      try {
        await putAll(there.cwd, what.changes, true, system)
        const end = await place.land(what, there)
        return end.kind === 'landed' ? { ...end, files: what.changes.length } : end
      } finally {
        if (isNew) await there.leave()
      }
    },
    async commit([path = '']) {
      return (await placeOn(path.split('/')[1] ?? '')).commit([], '', undefined)
    },
    read: async name => (await rafBranchOf(root, name, system)).read(),
    home: name => name,
    drop: async () => (isNew ? undefined : opened?.renew()),
  }

  /** The checkout of `relay do`, kept in the same folder of relay's state. */
  async function onBranch(name: string, given?: Checkout) {
    const place = await placeOn(name)
    const below = join(await workFolder(root, rafKey(name, true), system), 'checkout')
    await system.files.makeFolder(below, 0o700)
    return { place, checkout: given ?? (await place.openCheckout(below)) }
  }

  async function placeOn(name: string): Promise<LandingPlace> {
    const [top, { home }] = [await repositoryTop(root, system), system]
    if (top === undefined || home === undefined) throw new RelayError('usage', 'A branch needs a git repository')
    placed ??= landOnBranch(project, { branch: name, at: rafWorktreeAt(home, top, name) }, silentTalk(system))
    return placed
  }
}

/** Nobody is asked about a plan: it is text that an agent gets later, and no command runs with it. */
function silentTalk(system: System): LandingTalk {
  return {
    system,
    talk: { present: false, report() {}, ask: async () => 'yes' },
    settle: take => take({}),
    whyNot: async ({ kind }) => `The plan was not taken: ${kind}`,
  }
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

async function putAll(root: string, changes: readonly AgentChange[], mends: boolean, { files }: System): Promise<void> {
  for (const { path, made } of changes) {
    await putText({ root, path, text: textOf(made) }, files, { mends })
  }
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
