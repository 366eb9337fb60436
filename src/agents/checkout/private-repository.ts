import { join } from 'node:path'
import { insideOf } from '../../ground/paths.ts'
import { type Git, gitAt, makeRepository } from './git.ts'
import type { Doors } from './program.ts'
import {
  findUsersRepository,
  textOf,
  type UsersRepository,
  type UsersSettings,
  usersFile,
  usersSettings,
} from './users-repository.ts'

/** relay's own repository for one checkout, in relay's folder. All of relay's git calls for the checkout go to it. */
export interface PrivateRepository {
  /** The user's folder: the top of the repository around the project, else the project's root. */
  readonly top: string
  /** The path from `top` to the project's root: empty, or with a slash at its end. */
  readonly prefix: string
  readonly users: { readonly repository: UsersRepository | undefined; readonly settings: UsersSettings }
  readonly gitDir: string
  /** The hash of its objects: `sha1` or `sha256`. */
  readonly format: string
  /** A path in relay's folder for this checkout. */
  at(name: string): string
  /** Git with the index `index` in relay's folder, and any work tree. `objects` is another folder of objects to read. */
  git(index: string, workTree: string, objects?: string): Git
}

/** Makes a private repository that borrows the objects of the user's repository. */
export async function openPrivateRepository(
  { root, folder }: Place,
  repository: UsersRepository | undefined,
  system: Doors,
): Promise<PrivateRepository> {
  const settings = await usersSettings(repository, system)
  const top = repository?.top ?? root
  const inTop = insideOf(top, root) ?? ''
  const exclude = repository && (await textOf(join(repository.shared, 'info/exclude'), system))
  const objects = repository === undefined ? [] : [join(repository.shared, 'objects')]
  const format = settings.get('extensions.objectformat') ?? 'sha1'
  await makeRepository(join(folder, 'git'), { objects, format, exclude: `${exclude ?? ''}\n.relaycode/\n` }, system)
  const prefix = inTop === '' ? '' : `${inTop}/`
  return repositoryIn(folder, { top, prefix, format, users: { repository, settings } }, system)
}

/** Opens the private repository that an earlier relay run made. */
export async function reopenPrivateRepository(
  { root, folder }: Place,
  facts: Pick<PrivateRepository, 'top' | 'prefix' | 'format'>,
  system: Doors,
): Promise<PrivateRepository> {
  const found = await findUsersRepository(root, system)
  const repository = found?.top === facts.top ? found : undefined
  const settings = await usersSettings(repository, system)
  return repositoryIn(folder, { ...facts, users: { repository, settings } }, system)
}

interface Place {
  readonly root: string
  readonly folder: string
}

function repositoryIn(
  folder: string,
  facts: Pick<PrivateRepository, 'top' | 'prefix' | 'format' | 'users'>,
  system: Doors,
): PrivateRepository {
  const gitDir = join(folder, 'git')
  const { settings } = facts.users
  const taken = {
    excludesFile: usersFile('core.excludesfile', 'ignore', settings, system),
    ignoresModes: settings.get('core.filemode') === 'false',
  }
  const at = (name: string) => join(folder, name)
  const git: PrivateRepository['git'] = (index, workTree, objects) =>
    gitAt({ gitDir, index: at(index), workTree, objects }, taken, system)
  const { top, prefix, format, users } = facts
  return { top, prefix, users, gitDir, format, at, git }
}
