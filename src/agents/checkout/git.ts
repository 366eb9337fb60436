import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { type Doors, type Printed, runProgram } from './program.ts'

/** What one call of git works with: nothing is looked for, so nothing that lies about is found. */
export interface GitPlaces {
  readonly gitDir: string
  readonly index: string
  readonly workTree: string
  /** A folder of objects that are read as well, for once. */
  readonly objects?: string | undefined
}

/** What relay's git takes over from the user's settings. */
export interface GitSettings {
  /** The user's own file of what git ignores everywhere. */
  readonly excludesFile: string
  /** The user's file system cannot tell what may be executed. */
  readonly ignoresModes: boolean
}

/** Runs git with these words and gives what it printed. Throws where it fails: with another exit code than these. */
export type Git = (args: readonly string[], stdin?: string, codes?: readonly number[]) => Promise<string>

/**
 * Git that runs nothing and reads no configuration but relay's: no hook, no monitor, no filter, no signing, whatever lies in
 * the work tree. What the attributes of a tree say is overruled in the private repository (`makeRepository`).
 */
export function gitAt(places: GitPlaces, settings: GitSettings, system: Doors): Git {
  const env = {
    ...closedEnv,
    GIT_DIR: places.gitDir,
    GIT_INDEX_FILE: places.index,
    GIT_WORK_TREE: places.workTree,
    ...(places.objects && { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(places.objects) }),
  }
  const options = [
    ...plainSettings,
    `core.excludesFile=${settings.excludesFile}`,
    ...(settings.ignoresModes ? ['core.fileMode=false'] : []),
  ].flatMap(setting => ['-c', setting])
  return async (args, stdin = '', codes = [0]) => {
    const argv = ['git', ...options, ...args]
    return outputOf(args, await runProgram(argv, { cwd: places.workTree, env, stdin }, system), codes)
  }
}

/**
 * Git in a repository of the user's, for what only that can tell or do: its refs and its work trees. It runs no hook and no
 * monitor, and reads no configuration but the one of that repository, which no agent can reach.
 */
export function usersGitAt(gitDir: string, cwd: string, system: Doors): Git {
  const options = plainSettings.flatMap(setting => ['-c', setting])
  return async (args, stdin = '', codes = [0]) => {
    const argv = ['git', ...options, ...args]
    return outputOf(args, await runProgram(argv, { cwd, env: { ...closedEnv, GIT_DIR: gitDir }, stdin }, system), codes)
  }
}

/**
 * Puts all objects of a pack into a folder of objects, one a file, as a commit of the user's would. `gitDir`: of relay's
 * repository, which git needs for its settings.
 */
export async function unpackInto(
  objects: string,
  { pack, gitDir, shares }: { readonly pack: string; readonly gitDir: string; readonly shares: string },
  system: Doors,
): Promise<void> {
  const settings = [...plainSettings, `core.sharedRepository=${shares}`, 'core.fsync=committed']
  const git = ['git', ...settings.flatMap(setting => ['-c', setting]), 'unpack-objects', '-q']
  const env = { ...closedEnv, GIT_DIR: gitDir, GIT_OBJECT_DIRECTORY: objects }
  // What a program is given as text cannot be a pack.
  const argv = ['sh', '-c', 'exec "$@" < "$0"', pack, ...git]
  outputOf(['unpack-objects'], await runProgram(argv, { cwd: '/', env }, system))
}

/** Makes a repository of relay's that converts nothing and borrows the objects of others. */
export async function makeRepository(
  gitDir: string,
  { objects, format, exclude }: { objects: readonly string[]; format: string; exclude: string },
  system: Doors,
): Promise<void> {
  await initRepository(['--bare', gitDir], format, system)
  await system.files.makeFolder(join(gitDir, 'info'))
  await writeNew(join(gitDir, 'info/attributes'), `* ${noConversion} -diff -merge\n`, system)
  await writeNew(join(gitDir, 'info/exclude'), exclude, system)
  await borrowObjects(gitDir, objects, system)
}

export async function initRepository(args: readonly string[], format: string, system: Doors): Promise<void> {
  const argv = ['git', 'init', '--quiet', '--template=', `--object-format=${format}`, ...args]
  outputOf(['init'], await runProgram(argv, { cwd: '/', env: closedEnv }, system))
}

/** Copies a repository with all its objects, and none of its files, hooks and settings. */
export async function cloneRepository(from: string, to: string, system: Doors): Promise<void> {
  const argv = ['git', 'clone', '--quiet', '--bare', '--no-hardlinks', '--template=', '--', from, to]
  outputOf(['clone'], await runProgram(argv, { cwd: '/', env: closedEnv }, system))
}

/** Has a repository read objects of others where it lacks them. It writes none there. */
export async function borrowObjects(gitDir: string, objects: readonly string[], { files }: Doors): Promise<void> {
  const lines = objects.map(path => `${/^[#"]|\n/.test(path) ? JSON.stringify(path) : path}\n`)
  if (!(await files.makeFolder(join(gitDir, 'objects/info'))))
    await files.remove(join(gitDir, 'objects/info/alternates'))
  await writeNew(join(gitDir, 'objects/info/alternates'), lines.join(''), { files })
}

/** These win over every `.gitattributes`: a file goes in and comes out byte for byte, and no driver is asked. */
export const noConversion = '-text -filter -ident -working-tree-encoding'

const closedEnv = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
}

const plainSettings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.attributesFile=/dev/null',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'commit.gpgsign=false',
  'submodule.recurse=false',
  'gc.auto=0',
]

function outputOf(args: readonly string[], { code, out, err }: Printed, codes: readonly number[] = [0]): string {
  if (codes.includes(code)) return out
  if (code === 127) throw new RelayError('environment', 'There is no git here', { hint: 'Install git.' })
  throw new RelayError('failed', `\`git ${args[0]}\` failed: ${err || `exit code ${code}`}`)
}

export async function writeNew(path: string, text: string, { files }: Pick<Doors, 'files'>): Promise<void> {
  await files.create(path, new TextEncoder().encode(text), { mode: 0o600, sync: false })
}
