import { join, relative } from 'node:path'
import { pathForCommands, programFolders, topAround } from '../ground/program-folders.ts'
import type { System } from '../ports.ts'
import { nearestKey } from './nearest-key.ts'
import { tracksAny } from './tracked-by-git.ts'

type Doors = Pick<System, 'env' | 'files' | 'shell'>

/** A program that a command line starts by its name. */
export interface CommandProgram {
  readonly name: string
  /** What runs: relative to the project where it lies there. `null`: nothing of that name is found. */
  readonly runs: string | null
  /** The project's own program of that name, relative to the project. */
  readonly own?: string
  /** git tracks the project's own program: it came with the clone. */
  readonly isTracked: boolean
  /** The command line with a program that is found, and that was perhaps meant. */
  readonly near?: string
}

/** The programs of a command line, as far as they can be told without a shell. */
export async function programsOf(command: string, root: string, system: Doors): Promise<readonly CommandProgram[]> {
  const { env, files, shell } = system
  const top = await topAround(root, files)
  const folders = programFolders(root, top)
  const { PATH, Path = PATH } = await pathForCommands(root, env, files)
  const here = (path: string) => relative(root, path).replaceAll('\\', '/')
  const find = async (name: string): Promise<CommandProgram> => {
    if (name.includes('/')) return pathProgram(name, await shell.find(join(root, name)))
    const found = await shell.find(name, Path)
    const own = (await Promise.all(folders.map(folder => shell.find(join(folder, name))))).find(path => path !== null)
    const isOwn = found !== null && folders.some(folder => found.startsWith(join(folder, '/')))
    const near = found === null ? nearestKey(name, await namesIn(folders, system)) : undefined
    return {
      name,
      runs: isOwn ? here(found) : found,
      ...(own === undefined || own === null ? {} : { own: here(own) }),
      isTracked: own !== undefined && own !== null && (await tracksAny(top, await waysTo(own, top, system), files)),
      ...(near === undefined ? {} : { near: command.replace(name, near) }),
    }
  }
  return Promise.all(namesOf(command).map(find))
}

function pathProgram(name: string, found: string | null): CommandProgram {
  return { name, runs: found === null ? null : name, isTracked: false }
}

/** The words at the beginning of each part; none that a shell would have to expand, and none that it runs itself. */
function namesOf(command: string): readonly string[] {
  const words = command.split(/[;&|\n]+/).flatMap(part => {
    const word = part
      .trim()
      .split(/\s+/)
      .find(each => !/^\w+=/.test(each))
    return word === undefined || !/^[\w.+@/-]+$/.test(word) || word.startsWith('/') ? [] : word
  })
  return [...new Set(words)].filter(word => !ofShells.test(word))
}

const ofShells =
  /^(?:\.|cd|echo|printf|test|true|false|exit|set|export|unset|eval|exec|source|command|type|wait|trap|umask|ulimit|read|shift|return|if|then|else|elif|fi|for|while|until|do|done|case|esac|time)$/

/** What a name may be a misspelling of. */
async function namesIn(folders: readonly string[], { files, shell }: Doors): Promise<readonly string[]> {
  const own = await Promise.all(folders.map(folder => files.list(folder).catch(() => null)))
  const usual = await Promise.all(usualLinters.map(async name => ((await shell.find(name)) === null ? [] : [name])))
  return [...own.flatMap(names => names ?? []), ...usual.flat()]
}

const usualLinters = [
  'npx',
  'npm',
  'bun',
  'deno',
  'cargo',
  'go',
  'ruff',
  'mypy',
  'flake8',
  'pylint',
  'pyright',
  'eslint',
  'tsc',
  'biome',
]

/** Each path, from the top, by which git may know a program: its own, that of a link on the way, and where links lead. */
async function waysTo(path: string, top: string, { files }: Doors): Promise<readonly string[]> {
  const parts = relative(top, path).replaceAll('\\', '/').split('/')
  const real = await files.realPath(path)
  return [
    ...parts.map((_, at) => parts.slice(0, at + 1).join('/')),
    ...(real === null ? [] : [relative(top, real).replaceAll('\\', '/')]),
  ]
}

/** The folders of the project's own programs, for people. */
export async function ownFolderNames(root: string, { files }: Pick<System, 'files'>): Promise<readonly string[]> {
  return programFolders(root, await topAround(root, files)).map(folder => relative(root, folder).replaceAll('\\', '/'))
}
