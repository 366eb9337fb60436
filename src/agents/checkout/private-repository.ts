import { join } from 'node:path'
import { insideOf } from '../../ground/inside-of.ts'
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

/** relay's own repository for one checkout, in a folder of its own. All that relay asks of git is asked of this one. */
export interface PrivateRepository {
  /** Where the files of the user lie: the top of the repository around the project, else the project's root. */
  readonly top: string
  /** From there to the project's root: empty, or with a slash at its end. */
  readonly prefix: string
  readonly users: { readonly repository: UsersRepository | undefined; readonly settings: UsersSettings }
  readonly gitDir: string
  /** How its objects are named: `sha1`, `sha256`. */
  readonly format: string
  /** A place in its folder. */
  at(name: string): string
  /** Git with an index in its folder, and a work tree anywhere; `objects`: where else it finds some. */
  git(index: string, workTree: string, objects?: string): Git
}

/** Makes it, borrowing the objects of the user's. */
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

/** Opens the one that an earlier relay made. */
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
