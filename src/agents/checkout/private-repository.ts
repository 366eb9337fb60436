import { join } from 'node:path'
import { insideOf } from '../../ground/inside-of.ts'
import { type Git, gitAt, makeRepository } from './git.ts'
import type { Doors } from './program.ts'
import { textOf, type UsersRepository, type UsersSettings, usersFile, usersSettings } from './users-repository.ts'

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
  /** Git with an index in its folder, and a work tree anywhere. */
  git(index: string, workTree: string): Git
}

export async function openPrivateRepository(
  place: { readonly root: string; readonly folder: string },
  repository: UsersRepository | undefined,
  system: Doors,
): Promise<PrivateRepository> {
  const { root, folder } = place
  const gitDir = join(folder, 'git')
  const settings = await usersSettings(repository, system)
  const top = repository?.top ?? root
  const inTop = insideOf(top, root) ?? ''
  const exclude = repository && (await textOf(join(repository.shared, 'info/exclude'), system))
  const objects = repository === undefined ? [] : [join(repository.shared, 'objects')]
  const format = settings.get('extensions.objectformat') ?? 'sha1'
  await makeRepository(gitDir, { objects, format, exclude: `${exclude ?? ''}\n.relaycode/\n` }, system)
  const taken = {
    excludesFile: usersFile('core.excludesfile', 'ignore', settings, system),
    ignoresModes: settings.get('core.filemode') === 'false',
  }
  const at = (name: string) => join(folder, name)
  return {
    top,
    prefix: inTop === '' ? '' : `${inTop}/`,
    users: { repository, settings },
    gitDir,
    format,
    at,
    git: (index, workTree) => gitAt({ gitDir, index: at(index), workTree }, taken, system),
  }
}
