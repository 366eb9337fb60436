import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { MadeChange } from '../../model/made.ts'
import { makeAgentsRepository } from './agents-repository.ts'
import { type FolderTree, folderTree, type LeftOut } from './folder-tree.ts'
import { openPrivateRepository, type PrivateRepository } from './private-repository.ts'
import { copyFile, type Doors, runProgram } from './program.ts'
import { takeTree } from './take-tree.ts'
import { changesBetween } from './tree-changes.ts'
import { findUsersRepository } from './users-repository.ts'

/** A private copy of a project in which an agent works. */
export interface Checkout {
  /** The project's folder inside the checkout: where the agent works. */
  readonly cwd: string
  readonly leftOut: readonly LeftOut[]
  /** What has become of the files since the checkout was made. */
  changes(): Promise<Made>
  remove(): Promise<void>
}

interface Made {
  readonly changes: readonly MadeChange[]
  /** What was changed outside the project's folder, by paths from the top of the repository. */
  readonly outside: readonly string[]
}

/**
 * Makes a checkout of a project as it is now, in an empty folder of relay's.
 *
 * Three repositories take part. The user's is read alone: its objects are borrowed, its index is copied. The agent gets one
 * of its own, to do with as it likes. And relay takes the result with a third one, which neither of them has a say in.
 */
export async function openCheckout(root: string, folder: string, system: Doors): Promise<Checkout> {
  const place = { root: await realPathOf(root, system), folder: await realPathOf(folder, system) }
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
  const { at, git, prefix } = repository
  const folders = { work: at('work'), rules: at('rules'), contents: at('contents') }
  for (const folder of Object.values(folders)) await system.files.makeFolder(folder)
  await git('index', folders.work)(['read-tree', '--reset', '-u', start.tree])
  const rules = git('index', folders.rules)
  const rulesFiles = await rules(['ls-files', '-z', '--', '.gitignore', '*/.gitignore'])
  if (rulesFiles !== '') await rules(['checkout-index', '--force', '-z', '--stdin'], rulesFiles)
  await makeAgentsRepository(start.tree, repository, system)
  const repositories = start.leftOut.filter(({ bytes }) => bytes === undefined).map(({ path }) => path)
  return {
    cwd: join(folders.work, prefix),
    leftOut: start.leftOut,
    async changes() {
      // Each time from the start: so nothing that was taken before is believed.
      await copyFile(at('index'), at('taken'), system)
      await system.files.remove(at('contents-index'))
      const taken = await takeTree({ git: git('taken', folders.work), rules }, () => false)
      const contents = { folder: folders.contents, git: git('contents-index', folders.contents) }
      const all = await changesBetween([start.tree, taken], contents, system)
      const inRepository = all.find(({ path }) => repositories.some(each => `${path}/`.startsWith(each)))
      if (inRepository !== undefined) {
        throw new RelayError('agent', `The agent wrote ${inRepository.path}, in another git repository`)
      }
      return split(all, prefix)
    },
    remove: () => removeAll([at('')], '/', system),
  }
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
