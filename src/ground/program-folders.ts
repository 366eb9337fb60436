import { delimiter, join } from 'node:path'
import { foldersFrom } from './paths.ts'

interface Looking {
  stat(path: string): Promise<{ readonly uid?: number } | null>
}

type Env = Readonly<Record<string, string>>

/**
 * The top of the repository that a project lies in; the project itself where it is in none. Another user's repository is
 * none: anybody can make one in /tmp.
 */
export async function topAround(root: string, files: Looking): Promise<string> {
  const own = (await files.stat(root))?.uid
  for (const folder of foldersFrom(root)) {
    const git = await files.stat(join(folder, '.git'))
    if (git !== null) return git.uid === own ? folder : root
  }
  return root
}

/**
 * The folders in which a project's own programs lie, whether they exist or not. Packages may lie in any folder up to the
 * top of the repository.
 */
export function programFolders(root: string, top: string): readonly string[] {
  const upwards = foldersFrom(root)
  return [
    ...upwards.slice(0, Math.max(0, upwards.indexOf(top)) + 1).map(folder => join(folder, 'node_modules', '.bin')),
    join(root, '.venv', delimiter === ';' ? 'Scripts' : 'bin'),
    join(root, 'vendor', 'bin'),
  ]
}

/**
 * PATH with these folders at its end, under its name: there nothing of a project stands before a program of the system.
 * Empty where there is no PATH: a shell then takes its own.
 */
export function pathWith(folders: readonly string[], env: Env): Record<string, string> {
  // Windows has it as `Path`.
  const name = ['PATH', 'Path'].find(each => env[each] !== undefined)
  if (name === undefined) return {}
  const there = (env[name] ?? '').split(delimiter)
  // A folder with this sign in its name would be read as two others.
  const added = folders.filter(folder => !folder.includes(delimiter) && !there.includes(folder))
  return { [name]: [...there, ...added].join(delimiter) }
}

/** PATH for the commands of a project. */
export async function pathForCommands(root: string, env: Env, files: Looking): Promise<Record<string, string>> {
  return pathWith(programFolders(root, await topAround(root, files)), env)
}
