import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { type Doors, type Printed, runProgram } from './program.ts'

/**
 * The paths that one call of git works with. Git searches for none of them, so it cannot find a repository that an agent left.
 */
export interface GitPlaces {
  readonly gitDir: string
  readonly index: string
  readonly workTree: string
  /** Another folder of objects to read, for this call only. */
  readonly objects?: string | undefined
}

/** The user's settings that relay's git follows. */
export interface GitSettings {
  /** The user's global file of ignore patterns. */
  readonly excludesFile: string
  /** The user's file system has no executable bit (`core.fileMode=false`). */
  readonly ignoresModes: boolean
}

/** Runs git with these arguments and gives its stdout. Throws where the exit code is none of `codes` (by default 0). */
export type Git = (args: readonly string[], stdin?: string, codes?: readonly number[]) => Promise<string>

/**
 * Git that runs no other program and reads no configuration but relay's: no hook, monitor, filter or signing, whatever lies in
 * the work tree. The private repository (`makeRepository`) overrules the attributes in the tree.
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
 * Git in the user's repository, for its refs and work trees. It runs no hook and no monitor. It reads the configuration of that
 * repository alone, which no agent can reach.
 */
export function usersGitAt(gitDir: string, cwd: string, system: Doors): Git {
  const options = plainSettings.flatMap(setting => ['-c', setting])
  return async (args, stdin = '', codes = [0]) => {
    const argv = ['git', ...options, ...args]
    return outputOf(args, await runProgram(argv, { cwd, env: { ...closedEnv, GIT_DIR: gitDir }, stdin }, system), codes)
  }
}

/**
 * Unpacks all objects of a pack into a folder of objects, one file each, as a commit by the user's git would. `gitDir` is
 * relay's repository, which git needs for its settings.
 */
export async function unpackInto(
  objects: string,
  { pack, gitDir, shares }: { readonly pack: string; readonly gitDir: string; readonly shares: string },
  system: Doors,
): Promise<void> {
  const settings = [...plainSettings, `core.sharedRepository=${shares}`, 'core.fsync=committed']
  const git = ['git', ...settings.flatMap(setting => ['-c', setting]), 'unpack-objects', '-q']
  const env = { ...closedEnv, GIT_DIR: gitDir, GIT_OBJECT_DIRECTORY: objects }
  // The `Programs` port takes stdin as text, and a pack is binary. So a shell redirects the file.
  const argv = ['sh', '-c', 'exec "$@" < "$0"', pack, ...git]
  outputOf(['unpack-objects'], await runProgram(argv, { cwd: '/', env }, system))
}

/** Makes one of relay's own repositories. It converts nothing, and borrows objects from others. */
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

/** Copies a repository with all its objects, but without its files, hooks and settings. */
export async function cloneRepository(from: string, to: string, system: Doors): Promise<void> {
  const argv = ['git', 'clone', '--quiet', '--bare', '--no-hardlinks', '--template=', '--', from, to]
  outputOf(['clone'], await runProgram(argv, { cwd: '/', env: closedEnv }, system))
}

/** Lets a repository read missing objects from other repositories. It writes none there. */
export async function borrowObjects(gitDir: string, objects: readonly string[], { files }: Doors): Promise<void> {
  const lines = objects.map(path => `${/^[#"]|\n/.test(path) ? JSON.stringify(path) : path}\n`)
  if (!(await files.makeFolder(join(gitDir, 'objects/info'))))
    await files.remove(join(gitDir, 'objects/info/alternates'))
  await writeNew(join(gitDir, 'objects/info/alternates'), lines.join(''), { files })
}

/** Attributes that win over every `.gitattributes`: git stores and writes each file byte for byte, and runs no driver. */
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
