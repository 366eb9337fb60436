import { join, resolve } from 'node:path'
import { foldersFrom } from '../../ground/paths.ts'
import type { System } from '../../ports.ts'
import { type Doors, runProgram } from './program.ts'

/** Paths of the user's repository around a folder. relay writes nothing there. */
export interface UsersRepository {
  /** The folder that contains `.git`. */
  readonly top: string
  /** The git directory of this work tree. All work trees of a repository have `shared` in common. */
  readonly gitDir: string
  readonly shared: string
}

/** The user's git settings by name, for example `core.autocrlf`. */
export type UsersSettings = ReadonlyMap<string, string>

/** The repository around a folder. Its `.git` may be a file that names the git directory, as in a work tree or a submodule. */
export async function findUsersRepository(root: string, system: Doors): Promise<UsersRepository | undefined> {
  for (const top of foldersFrom(root)) {
    const gitDir = await gitDirIn(top, system)
    if (gitDir === undefined) continue
    const shared = (await textOf(join(gitDir, 'commondir'), system))?.trim()
    return { top, gitDir, shared: shared === undefined ? gitDir : resolve(gitDir, shared) }
  }
  return undefined
}

async function gitDirIn(top: string, system: Doors): Promise<string | undefined> {
  const git = join(top, '.git')
  const found = await system.files.stat(git)
  const named = found?.kind === 'file' ? /^gitdir: (.+?)\s*$/.exec((await textOf(git, system)) ?? '')?.[1] : undefined
  const gitDir = found?.kind === 'file' ? named && resolve(top, named) : git
  if (found === null || gitDir === undefined) return undefined
  return (await system.files.stat(join(gitDir, 'HEAD'))) === null ? undefined : gitDir
}

/** The branch that the user is on; `undefined` for a detached HEAD. */
export async function usersBranch({ gitDir }: UsersRepository, system: Doors): Promise<string | undefined> {
  return /^ref: refs\/heads\/(.+?)\s*$/.exec((await textOf(join(gitDir, 'HEAD'), system)) ?? '')?.[1]
}

/** All of the user's git settings. The user's git prints them, and runs nothing else for that. */
export async function usersSettings(
  repository: UsersRepository | undefined,
  system: Doors & Pick<System, 'env'>,
): Promise<UsersSettings> {
  const where = repository === undefined ? {} : { GIT_DIR: repository.gitDir }
  const configHome = system.env['XDG_CONFIG_HOME']
  const env = { ...where, ...(configHome === undefined ? {} : { XDG_CONFIG_HOME: configHome }) }
  const { code, out } = await runProgram(['git', 'config', '--list', '-z'], { cwd: '/', env }, system)
  if (code !== 0) return new Map()
  return new Map(
    out.split('\0').map(entry => {
      const [name = '', ...value] = entry.split('\n')
      return [name, value.length === 0 ? 'true' : value.join('\n')] as const
    }),
  )
}

/** A global file of the user's git: the configured one, else the one at git's default place. */
export function usersFile(setting: string, name: string, settings: UsersSettings, { env, home = '/' }: Doors): string {
  const set = settings.get(setting)
  if (set !== undefined) return set.replace(/^~(?=\/)/, home)
  return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git', name)
}

export async function textOf(path: string, { files }: Pick<Doors, 'files'>): Promise<string | undefined> {
  const bytes = await files.read(path)
  return bytes === null ? undefined : new TextDecoder().decode(bytes)
}
