import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { CommandResult } from '../../model/check.ts'
import type { CheckoutSettings } from '../../model/project.ts'
import { beginAgentsRepository, fillAgentsRepository } from './agents-repository.ts'
import {
  type CheckoutNote,
  forgetCheckout,
  isNoted,
  noteCheckout,
  readCheckoutNote,
  type Start,
} from './checkout-note.ts'
import { layDependencies } from './dependencies.ts'
import { type Dependencies, noDependencies } from './dependencies-note.ts'
import { endLeftGit } from './end-left-git.ts'
import { envInCheckout } from './env-in-checkout.ts'
import { folderTree, type LeftOut } from './folder-tree.ts'
import { mergeForward } from './merge-forward.ts'
import { openPrivateRepository, type PrivateRepository, reopenPrivateRepository } from './private-repository.ts'
import { type Doors, runProgram } from './program.ts'
import { removeAll } from './remove-all.ts'
import { removeLater } from './remove-later.ts'
import { type RunSetup, setUp } from './set-up.ts'
import { asideIn, bringBack } from './turn-files.ts'
import { findUsersRepository } from './users-repository.ts'
import { WorkTree } from './work-tree.ts'

/** A private copy of a project in which an agent works. It is relay's own: nothing in it is the user's. */
export interface Checkout {
  /** A new one whenever the checkout is made or renewed. Work of a turn counts only with the same id. */
  readonly id: string
  /** The project's folder inside the checkout: where the agent works. */
  readonly cwd: string
  /** The top of the checkout, also with what lies around the project; and a folder beside it for temporary files. */
  readonly folder: string
  readonly tmp: string
  /** The folder for what a turn must not see. */
  readonly aside: string
  readonly leftOut: readonly LeftOut[]
  /** An earlier relay run left this checkout. It has the user's files of that time, and the changes made in it since. */
  readonly isLeft: boolean
  /** The dependencies that it has, and those that it lacks. */
  readonly dependencies: Dependencies
  /** The environment for programs that run in the checkout. */
  env(env: Readonly<Record<string, string>>): Record<string, string>
  /** Runs `checkout.setup` where it is needed, and gives how the command ended. Call it before each check and each turn. */
  setUp(run: RunSetup): Promise<CommandResult | undefined>
  /** The changes since the checkout was made or last renewed. Throws `agent` where the agent wrote into another repository. */
  changes(): Promise<CheckoutChanges>
  /** The same as a unified diff, as of the last call of `changes`. */
  diff(): Promise<string>
  /** Resets the checkout to what is there now. Changes made in it are lost, except in files that git ignores. */
  renew(): Promise<void>
  /**
   * Makes the checkout what is there now, with the work in it merged in, and gives the paths that have changed beneath the
   * work. Where the two cannot be merged, changes nothing and gives the paths that overlap.
   */
  bringForward(): Promise<Forward>
  /** Returns once all files of the checkout are on the disk. */
  sync(): Promise<void>
  remove(): Promise<void>
}

export interface CheckoutChanges {
  readonly changes: readonly AgentChange[]
  /** Paths that were changed outside the project's folder, relative to the top of the repository. */
  readonly outside: readonly string[]
}

export type Forward =
  | { readonly kind: 'forward'; readonly beneath: readonly string[] }
  | { readonly kind: 'overlap'; readonly paths: readonly string[] }

/** The folder of the project that is copied, and relay's folder for the copy. */
export interface CheckoutPlace {
  readonly root: string
  readonly folder: string
}

/** Reads what a checkout starts from, as it is now. */
export type ReadStart = (own: PrivateRepository) => Promise<Start>

export const noSettings: CheckoutSettings = { setup: '', link: [], copy: [], env: [], fresh: false }

/**
 * Makes a checkout of a project's folder as it is now, in a folder that relay keeps for it. Opens a checkout that an earlier
 * relay run left there, with its changes; removes one that was never finished.
 *
 * Three repositories take part. relay only reads the user's: it borrows the objects and copies the index. The agent gets a
 * repository of its own, and may do anything with it. relay takes the result with a third one, which neither the user nor the
 * agent can influence.
 */
export async function openCheckout(
  root: string,
  folder: string,
  system: Doors,
  settings: CheckoutSettings = noSettings,
): Promise<Checkout> {
  const place = { root: await realPathOf(root, system), folder: await realPathOf(folder, system) }
  await endLeftGit(place.folder, system)
  const readStart: ReadStart = own => folderTree(own, system)
  const left = await leftCheckout(place, system)
  if (left !== undefined) {
    const checkout = new OwnCheckout({ ...left, readStart, isLeft: true, settings }, system)
    await checkout.reopen()
    return checkout
  }
  const around = await openPrivateRepository(place, await findUsersRepository(place.root, system), system)
  const start = await readStart(around)
  const isIn = await holdsProject(start, around)
  // A project that its repository ignores as a whole is treated as if it were in no repository.
  if (!isIn) await removeAll([around.at('git'), around.at('start')], place.folder, system)
  const own = isIn ? around : await openPrivateRepository(place, undefined, system)
  const note = noteOf(own, isIn ? start : await readStart(own))
  const checkout = new OwnCheckout({ own, note, readStart, isLeft: false, settings }, system)
  await checkout.make()
  return checkout
}

/** The complete checkout in a folder. Where there is none, makes room for a new one. */
export async function leftCheckout(
  place: CheckoutPlace,
  system: Doors,
): Promise<{ readonly own: PrivateRepository; readonly note: CheckoutNote } | undefined> {
  await bringBack(asideIn(place.folder), system)
  const note = await readCheckoutNote(place.folder, system)
  const stands = (await system.files.stat(join(place.folder, 'work')))?.kind === 'folder'
  if (note !== undefined && stands) return { own: await reopenPrivateRepository(place, note, system), note }
  if (stands && (await isNoted(place.folder, system))) {
    throw new RelayError('agent', `The note of the checkout in ${place.folder} is damaged`)
  }
  await removeAll(partsOf(place.folder), place.folder, system)
  return undefined
}

/** The changes in a checkout that nobody opens again to work in it. */
export async function changesIn(place: CheckoutPlace, system: Doors): Promise<CheckoutChanges> {
  const note = await readCheckoutNote(place.folder, system)
  if (note === undefined) throw new RelayError('failed', `There is no whole checkout in ${place.folder}`)
  const own = await reopenPrivateRepository(place, note, system)
  const readStart = async () => note.start
  return new OwnCheckout({ own, note, readStart, isLeft: true, settings: noSettings }, system).changes()
}

async function holdsProject({ tree }: Start, { top, prefix, git }: PrivateRepository): Promise<boolean> {
  return prefix === '' || (await git('start', top)(['ls-tree', '-d', tree, '--', prefix.slice(0, -1)])) !== ''
}

/** The note of a new checkout. */
export function noteOf({ top, prefix, format }: PrivateRepository, start: Start): CheckoutNote {
  return { id: crypto.randomUUID(), top, prefix, format, start, base: start.tree }
}

export interface CheckoutParts {
  readonly own: PrivateRepository
  readonly note: CheckoutNote
  readonly readStart: ReadStart
  readonly isLeft: boolean
  readonly settings: CheckoutSettings
}

export class OwnCheckout implements Checkout {
  readonly cwd: string
  readonly folder: string
  readonly tmp: string
  readonly aside: string
  readonly isLeft: boolean
  dependencies: Dependencies = noDependencies
  protected readonly own: PrivateRepository
  protected readonly work: WorkTree
  protected readonly settings: CheckoutSettings
  protected readonly system: Doors
  protected note: CheckoutNote
  /** The tree just taken: nothing has run in the checkout since. */
  protected taken: string | undefined
  readonly #readStart: ReadStart

  constructor({ own, note, readStart, isLeft, settings }: CheckoutParts, system: Doors) {
    this.work = new WorkTree(own.at('work'), own, system)
    this.isLeft = isLeft
    this.folder = this.work.folder
    this.cwd = join(this.folder, own.prefix)
    this.tmp = own.at('tmp')
    this.aside = asideIn(own.at(''))
    this.own = own
    this.note = note
    this.settings = settings
    this.system = system
    this.#readStart = readStart
  }

  get id(): string {
    return this.note.id
  }

  get leftOut(): readonly LeftOut[] {
    return this.note.start.leftOut
  }

  /** Writes the tree to start from into the checkout's folder, and makes the agent's repository there. */
  async make(): Promise<void> {
    await this.system.files.makeFolder(this.folder)
    await Promise.all([this.work.fill(this.note.start.tree), this.beginRepository()])
    await this.makeReady()
    await this.write(this.note)
  }

  /** Takes up the work of an earlier relay run. */
  async reopen(): Promise<void> {
    await this.work.layRules(this.note.start.tree)
    const { coming, ...note } = this.note
    if (coming !== undefined) await this.#become(note, coming, await this.work.take())
    else await this.layDependencies()
  }

  protected beginRepository(): Promise<void> {
    return beginAgentsRepository(this.folder, { tree: this.note.start.tree }, this.own, this.system)
  }

  /** Adds the dependencies and the agent's index to the written files. */
  protected async makeReady(): Promise<void> {
    await this.system.files.makeFolder(this.tmp, 0o700)
    await this.layDependencies()
    await fillAgentsRepository(this.folder, this.own, this.system)
  }

  protected async layDependencies(): Promise<void> {
    this.dependencies = await layDependencies(this.work, this.own, this.settings, this.system)
  }

  protected async write(note: CheckoutNote): Promise<void> {
    await noteCheckout(this.own, note, this.system)
    this.note = note
  }

  env(env: Readonly<Record<string, string>>): Record<string, string> {
    return envInCheckout(env, { top: this.own.top, work: this.folder }, this.own.prefix)
  }

  setUp(run: RunSetup): Promise<CommandResult | undefined> {
    this.taken = undefined
    const { setup: command } = this.settings
    return setUp({ command, work: this.folder, own: this.own, run }, this.system)
  }

  async changes(): Promise<CheckoutChanges> {
    this.taken = undefined
    const taken = await this.work.take()
    this.taken = taken
    const all = await this.work.changesBetween([this.note.base, taken])
    const repositories = this.leftOut.filter(({ bytes }) => bytes === undefined).map(({ path }) => path)
    const inRepository = all.find(({ path }) => repositories.some(each => `${path}/`.startsWith(each)))
    if (inRepository !== undefined) {
      throw new RelayError('agent', `The agent wrote ${inRepository.path}, in another git repository`)
    }
    return insideAndOutside(all, this.own.prefix)
  }

  async diff(): Promise<string> {
    const git = this.own.git('taken', this.folder)
    return git(['diff', '--cached', '--text', '--no-ext-diff', '--no-textconv', this.note.base])
  }

  async renew(): Promise<void> {
    const taken = this.taken ?? (await this.work.take())
    const start = await this.#readStart(this.own)
    await this.#become(this.#noteFrom(start), start.tree, taken)
  }

  async bringForward(): Promise<Forward> {
    const taken = this.taken ?? (await this.work.take())
    const start = await this.#readStart(this.own)
    const { tree } = this.note.start
    if (start.tree === tree && start.commit === this.note.start.commit) return { kind: 'forward', beneath: [] }
    const merged = await mergeForward({ base: tree, work: taken, now: start.tree }, this.work)
    if (merged.kind === 'overlap') return merged
    await this.#become(this.#noteFrom(start), merged.tree, taken)
    const { prefix } = this.own
    return { kind: 'forward', beneath: merged.beneath.map(path => relativeTo(prefix, path)) }
  }

  #noteFrom(start: Start): CheckoutNote {
    const { landed } = this.note
    return { ...noteOf(this.own, start), ...(landed && { landed }) }
  }

  /**
   * Turns the checkout, which holds the tree just taken, into one of another start that holds `tree`. Noted before: a relay
   * run that is stopped meanwhile finds in the note what the checkout was to become.
   */
  async #become(note: CheckoutNote, tree: string, taken: string): Promise<void> {
    this.taken = undefined
    await this.write({ ...note, coming: tree })
    await this.work.startFrom(note.start.tree, taken)
    if (tree !== note.start.tree) await this.work.putBack(tree)
    await removeAll([this.tmp, join(this.folder, '.git')], this.own.at(''), this.system)
    await this.beginRepository()
    await this.makeReady()
    await this.write(note)
  }

  async sync(): Promise<void> {
    // Of a system without `-f`, all disks are written.
    if ((await runProgram(['sync', '-f', '--', this.folder], { cwd: '/' }, this.system)).code === 0) return
    await runProgram(['sync'], { cwd: '/' }, this.system)
  }

  async remove(): Promise<void> {
    // The note goes first: a checkout that is removed in part must not be opened again.
    await forgetCheckout(this.own, this.system)
    await removeLater(partsOf(this.own.at('')), this.system)
  }
}

const notes = ['dependencies.json', 'setup.json', 'setup-made.json']

/** All files and folders of a checkout, inside the folder that the caller gave. */
function partsOf(folder: string): readonly string[] {
  const indexes = ['start', 'index', 'index.new', 'taken', 'picked', 'contents-index']
  const folders = ['work', 'git', 'rules', 'contents', 'tmp']
  return [...folders, ...indexes, ...notes].map(name => join(folder, name))
}

/** Splits changes at `prefix`, which leads from the top to the project. Paths inside the project become relative to it. */
function insideAndOutside(all: readonly AgentChange[], prefix: string): CheckoutChanges {
  const isInside = ({ path }: AgentChange) => path.startsWith(prefix)
  return {
    changes: all.filter(isInside).map(change => ({ ...change, path: change.path.slice(prefix.length) })),
    outside: all.filter(change => !isInside(change)).map(({ path }) => path),
  }
}

/** A path from the top as one from the project; one outside of it stays. */
function relativeTo(prefix: string, path: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path
}

export async function realPathOf(path: string, { files }: Doors): Promise<string> {
  const real = await files.realPath(path)
  if (real === null) throw new RelayError('failed', `There is no folder ${path}`)
  return real
}
