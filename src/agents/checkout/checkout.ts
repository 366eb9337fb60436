import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { MadeChange } from '../../model/made.ts'
import { makeAgentsRepository } from './agents-repository.ts'
import { noteCheckout, readCheckoutNote } from './checkout-note.ts'
import { type FolderTree, folderTree, type LeftOut } from './folder-tree.ts'
import { openPrivateRepository, type PrivateRepository, reopenPrivateRepository } from './private-repository.ts'
import { copyFile, type Doors, runProgram } from './program.ts'
import { takeTree } from './take-tree.ts'
import { changesBetween } from './tree-changes.ts'
import { findUsersRepository } from './users-repository.ts'

/** A private copy of a project in which an agent works. */
export interface Checkout {
  /** The project's folder inside the checkout: where the agent works. */
  readonly cwd: string
  /** All that it holds, also around the project; and a folder beside it for temporary files. */
  readonly folder: string
  readonly tmp: string
  readonly leftOut: readonly LeftOut[]
  /** An earlier relay has left it: it is what the user's folder was then, with what was made in it since. */
  readonly isLeft: boolean
  /** What has become of the files since the checkout was made, or was last brought up to date. */
  changes(): Promise<Made>
  /** The same as a unified diff, as far as `changes` has told of it. */
  diff(): Promise<string>
  /** Brings it to the user's folder as it is now. What was made in it is gone, but for what git ignores. */
  renew(): Promise<void>
  remove(): Promise<void>
}

interface Made {
  readonly changes: readonly MadeChange[]
  /** What was changed outside the project's folder, by paths from the top of the repository. */
  readonly outside: readonly string[]
}

/**
 * Makes a checkout of a project as it is now, in a folder of relay's. One that an earlier relay made there is opened as it
 * stands; what is left of one that was never finished makes room.
 *
 * Three repositories take part. The user's is read alone: its objects are borrowed, its index is copied. The agent gets one
 * of its own, to do with as it likes. And relay takes the result with a third one, which neither of them has a say in.
 */
export async function openCheckout(root: string, folder: string, system: Doors): Promise<Checkout> {
  const place = { root: await realPathOf(root, system), folder: await realPathOf(folder, system) }
  const noted = await readCheckoutNote(place.folder, system)
  if (noted !== undefined) {
    const repository = await reopenPrivateRepository(place, noted, system)
    return new GitCheckout(repository, { tree: noted.start, leftOut: noted.leftOut }, true, system)
  }
  await removeAll(partsOf(place.folder), place.folder, system)
  const around = await openPrivateRepository(place, await findUsersRepository(place.root, system), system)
  const start = await folderTree(around, system)
  if (await holdsProject(start, around)) return checkOut(start, around, system)
  // A project that its repository ignores as a whole goes by its own rules.
  await removeAll([around.at('git'), around.at('start')], place.folder, system)
  const own = await openPrivateRepository(place, undefined, system)
  return checkOut(await folderTree(own, system), own, system)
}

async function holdsProject({ tree }: FolderTree, repository: PrivateRepository): Promise<boolean> {
  const { top, prefix, git } = repository
  return prefix === '' || (await git('start', top)(['ls-tree', '-d', tree, '--', prefix.slice(0, -1)])) !== ''
}

/** Puts a tree into the checkout's folder, with a repository for the agent. */
async function checkOut(start: FolderTree, repository: PrivateRepository, system: Doors): Promise<Checkout> {
  const { at, git } = repository
  for (const name of ['work', 'contents']) await system.files.makeFolder(at(name))
  await git('index', at('work'))(['read-tree', '--reset', '-u', start.tree])
  const checkout = new GitCheckout(repository, start, false, system)
  await checkout.makeReady()
  return checkout
}

class GitCheckout implements Checkout {
  readonly cwd: string
  readonly folder: string
  readonly tmp: string
  readonly isLeft: boolean
  readonly #repository: PrivateRepository
  readonly #system: Doors
  #start: FolderTree

  constructor(repository: PrivateRepository, start: FolderTree, isLeft: boolean, system: Doors) {
    this.isLeft = isLeft
    this.folder = repository.at('work')
    this.cwd = join(this.folder, repository.prefix)
    this.tmp = repository.at('tmp')
    this.#repository = repository
    this.#start = start
    this.#system = system
  }

  get leftOut(): readonly LeftOut[] {
    return this.#start.leftOut
  }

  /** The files stand: what belongs to them follows, and then it is written down that a later relay may go on here. */
  async makeReady(): Promise<void> {
    const { at, git } = this.#repository
    for (const name of ['rules', 'tmp']) await this.#system.files.makeFolder(at(name), 0o700)
    const rules = git('index', at('rules'))
    const rulesFiles = await rules(['ls-files', '-z', '--', '.gitignore', '*/.gitignore'])
    if (rulesFiles !== '') await rules(['checkout-index', '--force', '-z', '--stdin'], rulesFiles)
    await makeAgentsRepository(this.#start.tree, this.#repository, this.#system)
    await noteCheckout(this.#repository, this.#start, this.#system)
  }

  async changes(): Promise<Made> {
    const { at, git, prefix } = this.#repository
    // Each time from the start: so nothing that was taken before is believed.
    await copyFile(at('index'), at('taken'), this.#system)
    await this.#system.files.remove(at('contents-index'))
    const roots = { git: git('taken', at('work')), rules: git('index', at('rules')) }
    const taken = await takeTree(roots, () => false)
    const contents = { folder: at('contents'), git: git('contents-index', at('contents')) }
    const all = await changesBetween([this.#start.tree, taken], contents, this.#system)
    const repositories = this.leftOut.filter(({ bytes }) => bytes === undefined).map(({ path }) => path)
    const inRepository = all.find(({ path }) => repositories.some(each => `${path}/`.startsWith(each)))
    if (inRepository !== undefined) {
      throw new RelayError('agent', `The agent wrote ${inRepository.path}, in another git repository`)
    }
    return split(all, prefix)
  }

  async diff(): Promise<string> {
    const { at, git } = this.#repository
    return git('taken', at('work'))(['diff', '--cached', '--text', '--no-ext-diff', '--no-textconv', this.#start.tree])
  }

  async renew(): Promise<void> {
    const { at, git } = this.#repository
    await this.changes()
    await this.#system.files.remove(at('checkout.json'))
    this.#start = await folderTree(this.#repository, this.#system)
    // From what was taken: so what the agent added goes as well.
    await git('taken', at('work'))(['read-tree', '--reset', '-u', this.#start.tree])
    await copyFile(at('taken'), at('index'), this.#system)
    await removeAll([at('rules'), at('tmp'), at('work/.git')], at(''), this.#system)
    await this.makeReady()
  }

  async remove(): Promise<void> {
    // First: what is half gone is no checkout.
    await this.#system.files.remove(this.#repository.at('checkout.json'))
    await removeAll(partsOf(this.#repository.at('')), '/', this.#system)
  }
}

/** All that a checkout has in its folder, which is the caller's. */
function partsOf(folder: string): readonly string[] {
  return ['work', 'git', 'start', 'index', 'taken', 'rules', 'contents', 'contents-index', 'tmp'].map(name =>
    join(folder, name),
  )
}

function split(all: readonly MadeChange[], prefix: string): Made {
  const isInside = ({ path }: MadeChange) => path.startsWith(prefix)
  return {
    changes: all.filter(isInside).map(change => ({ ...change, path: change.path.slice(prefix.length) })),
    outside: all.filter(change => !isInside(change)).map(({ path }) => path),
  }
}

async function realPathOf(path: string, { files }: Doors): Promise<string> {
  const real = await files.realPath(path)
  if (real === null) throw new RelayError('failed', `There is no folder ${path}`)
  return real
}

/** An agent may have left folders that nobody may write into. No link is followed. */
async function removeAll(paths: readonly string[], cwd: string, system: Doors): Promise<void> {
  const remove = () => runProgram(['rm', '-rf', '--', ...paths], { cwd }, system)
  if ((await remove()).code === 0) return
  await runProgram(['chmod', '-R', 'u+rwx', '--', ...paths], { cwd }, system)
  const { code, err } = await remove()
  if (code !== 0) throw new RelayError('failed', `Cannot remove the checkout: ${err}`)
}
