import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { AgentChange } from '../../model/agent-changes.ts'
import type { CommandResult } from '../../model/check.ts'
import type { CheckoutSettings } from '../../model/project.ts'
import { beginAgentsRepository, fillAgentsRepository } from './agents-repository.ts'
import { noteCheckout, readCheckoutNote } from './checkout-note.ts'
import { layDependencies } from './dependencies.ts'
import { type Dependencies, noDependencies } from './dependencies-note.ts'
import { envInCheckout } from './env-in-checkout.ts'
import { type FolderTree, folderTree, type LeftOut } from './folder-tree.ts'
import { openPrivateRepository, type PrivateRepository, reopenPrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'
import { removeAll } from './remove-all.ts'
import { type RunSetup, setUp } from './set-up.ts'
import { asideIn, bringBack } from './turn-files.ts'
import { findUsersRepository } from './users-repository.ts'
import { WorkTree } from './work-tree.ts'

/** A private copy of a project in which an agent works. */
export interface Checkout {
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
  /** Resets the checkout to the user's folder as it is now. Changes made in it are lost, except in files that git ignores. */
  renew(): Promise<void>
  /** Moves the work aside where relay cannot take it: to `to` if possible. Gives the place. */
  putAside(to: string): Promise<string>
  /** Ends this run's work here. The changes stay, and a later relay run continues. */
  leave(): Promise<void>
  remove(): Promise<void>
}

export interface CheckoutChanges {
  readonly changes: readonly AgentChange[]
  /** Paths that were changed outside the project's folder, relative to the top of the repository. */
  readonly outside: readonly string[]
}

/**
 * Makes a checkout of a project as it is now, in a folder that relay keeps for it. Opens a checkout that an earlier relay run
 * left there, with its changes; removes one that was never finished.
 *
 * Three repositories take part. relay only reads the user's: it borrows the objects and copies the index. The agent gets a
 * repository of its own, and may do anything with it. relay takes the result with a third one, which neither the user nor the
 * agent can influence.
 */
export async function openCheckout(
  root: string,
  folder: string,
  system: Doors,
  settings: CheckoutSettings = { setup: '', link: [], copy: [], env: [], fresh: false },
): Promise<Checkout> {
  const place = { root: await realPathOf(root, system), folder: await realPathOf(folder, system) }
  await bringBack(asideIn(place.folder), system)
  const noted = await readCheckoutNote(place.folder, system)
  const stands = (await system.files.stat(join(place.folder, 'work')))?.kind === 'folder'
  if (noted !== undefined && stands) {
    const repository = await reopenPrivateRepository(place, noted, system)
    const checkout = new GitCheckout(repository, { tree: noted.start, leftOut: noted.leftOut }, true, settings, system)
    await checkout.layDependencies()
    return checkout
  }
  await removeAll(partsOf(place.folder), place.folder, system)
  const around = await openPrivateRepository(place, await findUsersRepository(place.root, system), system)
  const start = await folderTree(around, system)
  if (await holdsProject(start, around)) return checkOut(start, around, settings, system)
  // A project that its repository ignores as a whole is treated as if it were in no repository.
  await removeAll([around.at('git'), around.at('start')], place.folder, system)
  const own = await openPrivateRepository(place, undefined, system)
  return checkOut(await folderTree(own, system), own, settings, system)
}

async function holdsProject({ tree }: FolderTree, repository: PrivateRepository): Promise<boolean> {
  const { top, prefix, git } = repository
  return prefix === '' || (await git('start', top)(['ls-tree', '-d', tree, '--', prefix.slice(0, -1)])) !== ''
}

async function checkOut(
  start: FolderTree,
  repository: PrivateRepository,
  settings: CheckoutSettings,
  system: Doors,
): Promise<Checkout> {
  const checkout = new GitCheckout(repository, start, false, settings, system)
  await checkout.make()
  return checkout
}

class GitCheckout implements Checkout {
  readonly cwd: string
  readonly folder: string
  readonly tmp: string
  readonly aside: string
  readonly isLeft: boolean
  readonly #repository: PrivateRepository
  readonly #work: WorkTree
  readonly #settings: CheckoutSettings
  readonly #system: Doors
  dependencies: Dependencies = noDependencies
  #start: FolderTree
  /** The tree just taken: nothing has run in the checkout since. */
  #taken: string | undefined

  constructor(
    repository: PrivateRepository,
    start: FolderTree,
    isLeft: boolean,
    settings: CheckoutSettings,
    system: Doors,
  ) {
    this.#work = new WorkTree(repository.at('work'), repository, system)
    this.isLeft = isLeft
    this.folder = this.#work.folder
    this.cwd = join(this.folder, repository.prefix)
    this.tmp = repository.at('tmp')
    this.aside = asideIn(repository.at(''))
    this.#repository = repository
    this.#start = start
    this.#settings = settings
    this.#system = system
  }

  get leftOut(): readonly LeftOut[] {
    return this.#start.leftOut
  }

  /** Writes the tree to start from into the checkout's folder, and makes the agent's repository there. */
  async make(): Promise<void> {
    await this.#system.files.makeFolder(this.folder)
    await Promise.all([
      this.#work.fill(this.#start.tree),
      beginAgentsRepository(this.folder, this.#start.tree, this.#repository, this.#system),
    ])
    await this.#makeReady()
  }

  /** Adds the dependencies and the agent's index to the written files. Last, notes that a later relay run may continue here. */
  async #makeReady(): Promise<void> {
    await this.#system.files.makeFolder(this.tmp, 0o700)
    await this.layDependencies()
    await fillAgentsRepository(this.#work.folder, this.#repository, this.#system)
    await noteCheckout(this.#repository, this.#start, this.#system)
  }

  async layDependencies(): Promise<void> {
    this.dependencies = await layDependencies(this.#work, this.#repository, this.#settings, this.#system)
  }

  env(env: Readonly<Record<string, string>>): Record<string, string> {
    return envInCheckout(env, { top: this.#repository.top, work: this.#work.folder })
  }

  setUp(run: RunSetup): Promise<CommandResult | undefined> {
    this.#taken = undefined
    const { setup: command } = this.#settings
    return setUp({ command, work: this.#work.folder, own: this.#repository, run }, this.#system)
  }

  async changes(): Promise<CheckoutChanges> {
    this.#taken = undefined
    const taken = await this.#work.take()
    this.#taken = taken
    const all = await this.#work.changesBetween([this.#start.tree, taken])
    const repositories = this.leftOut.filter(({ bytes }) => bytes === undefined).map(({ path }) => path)
    const inRepository = all.find(({ path }) => repositories.some(each => `${path}/`.startsWith(each)))
    if (inRepository !== undefined) {
      throw new RelayError('agent', `The agent wrote ${inRepository.path}, in another git repository`)
    }
    return insideAndOutside(all, this.#repository.prefix)
  }

  async diff(): Promise<string> {
    const { at, git } = this.#repository
    return git('taken', at('work'))(['diff', '--cached', '--text', '--no-ext-diff', '--no-textconv', this.#start.tree])
  }

  async renew(): Promise<void> {
    const { at } = this.#repository
    const taken = this.#taken ?? (await this.#work.take())
    this.#taken = undefined
    await this.#system.files.remove(at('checkout.json'))
    this.#start = await folderTree(this.#repository, this.#system)
    await this.#work.startFrom(this.#start.tree, taken)
    await removeAll([this.tmp, at('work/.git')], at(''), this.#system)
    await beginAgentsRepository(this.#work.folder, this.#start.tree, this.#repository, this.#system)
    await this.#makeReady()
  }

  async putAside(to: string): Promise<string> {
    await this.#system.files.remove(this.#repository.at('checkout.json'))
    await this.#system.files.rename(this.folder, to)
    return to
  }

  /** Nothing to do: the checkout belongs to relay alone, so it may stay in any state. */
  async leave(): Promise<void> {}

  async remove(): Promise<void> {
    // The note goes first: a checkout that is removed in part must not be opened again.
    await this.#system.files.remove(this.#repository.at('checkout.json'))
    await removeAll(partsOf(this.#repository.at('')), '/', this.#system)
  }
}

const notes = ['dependencies.json', 'setup.json', 'setup-made.json']

/** All files and folders of a checkout, inside the folder that the caller gave. */
export function partsOf(folder: string): readonly string[] {
  const indexes = ['start', 'index', 'index.new', 'taken', 'contents-index']
  const folders = ['work', 'git', 'rules', 'contents', 'tmp']
  return [...folders, ...indexes, ...notes].map(name => join(folder, name))
}

/** Splits changes at `prefix`, which leads from the top to the project. Paths inside the project become relative to it. */
export function insideAndOutside(all: readonly AgentChange[], prefix: string): CheckoutChanges {
  const isInside = ({ path }: AgentChange) => path.startsWith(prefix)
  return {
    changes: all.filter(isInside).map(change => ({ ...change, path: change.path.slice(prefix.length) })),
    outside: all.filter(change => !isInside(change)).map(({ path }) => path),
  }
}

export async function realPathOf(path: string, { files }: Doors): Promise<string> {
  const real = await files.realPath(path)
  if (real === null) throw new RelayError('failed', `There is no folder ${path}`)
  return real
}
