import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { copyIndex } from './copy-index.ts'
import type { Git } from './git.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'
import { textOf, usersFile } from './users-repository.ts'

/** A path of the user's folder that is not in the checkout, although git does not ignore it. */
export interface LeftOut {
  /** Relative to the top of the repository. The path of a nested repository ends with a slash. */
  readonly path: string
  /** `undefined` for a nested repository: relay does not look into it. */
  readonly bytes: number | undefined
}

export interface FolderTree {
  /** The hash of the git tree. */
  readonly tree: string
  readonly leftOut: readonly LeftOut[]
}

const megabyte = 1024 * 1024
/** Limits for untracked files. */
const mostBytesOfOne = 20 * megabyte
const mostBytesOfAll = 500 * megabyte
/** Limit for a folder that is in no repository. */
const mostFiles = 10_000

/**
 * Stores a folder as it is, with uncommitted changes and untracked files, as a tree in relay's own repository.
 *
 * Starts from a copy of the user's index, so that git reads only the files that changed since. relay's git converts nothing.
 * Where the user's git does (`core.autocrlf`, filters), the index describes other bytes than the folder has: every file is read
 * then.
 */
export async function folderTree(own: PrivateRepository, system: Doors): Promise<FolderTree> {
  const { top, users } = own
  const index = own.at('start')
  const git = own.git('start', top)
  await copyUsersIndex(own, system)
  const { known, added } = await listFiles(git)
  const repositories = [...known.submodules.map(path => `${path}/`), ...added.filter(path => path.endsWith('/'))]
  const sized = await sizesOf(
    added.filter(path => !path.endsWith('/')),
    top,
    system,
  )
  const taken = users.repository === undefined ? mustBeSmall(sized, top) : smallOnes(sized)
  if (known.isPlain && !(await mayConvert([...known.paths, ...added], users, system))) {
    await forget(known.submodules, git)
  } else {
    await system.files.remove(index)
    await git(['update-index', '-z', '--index-info'], known.entries.map(entry => `${entry}\0`).join(''))
  }
  await git(['add', '--update', ':/'])
  await addFiles(
    taken.map(({ path }) => path),
    git,
  )
  const inTree = new Set(taken)
  return {
    tree: (await git(['write-tree'])).trim(),
    leftOut: [...repositories.map(path => ({ path, bytes: undefined })), ...sized.filter(file => !inTree.has(file))],
  }
}

/** Adds untracked files as they are. Skips a file that is gone meanwhile. */
export async function addFiles(paths: readonly string[], git: Git): Promise<void> {
  if (paths.length === 0) return
  await git(['update-index', '--add', '--remove', '-z', '--stdin'], paths.map(path => `${path}\0`).join(''))
}

interface KnownFiles {
  readonly paths: readonly string[]
  readonly submodules: readonly string[]
  /** In the format of `git update-index --index-info`, without the submodules. */
  readonly entries: readonly string[]
  /**
   * Every file is a plain entry: none is marked `assume-unchanged` or `skip-worktree`, so the index tells which files changed.
   */
  readonly isPlain: boolean
}

async function copyUsersIndex(own: PrivateRepository, system: Doors): Promise<void> {
  const { repository } = own.users
  if (repository === undefined) return
  const source = join(repository.gitDir, 'index')
  if ((await system.files.stat(source)) === null) return
  // The copy keeps the time of the index: git reads a file again when it is not older than the index.
  await copyIndex(source, own.at('start'), system)
  const parts = (await system.files.list(repository.gitDir))?.filter(name => name.startsWith('sharedindex.')) ?? []
  for (const name of parts) await copyIndex(join(repository.gitDir, name), join(own.gitDir, name), system)
}

/** The files of the index, and those that are neither there nor ignored. */
async function listFiles(git: Git): Promise<{ readonly known: KnownFiles; readonly added: readonly string[] }> {
  const listed = await git(['ls-files', '-z', '--stage', '-v', '--others', '--exclude-standard'])
  const lines = listed.split('\0').filter(Boolean)
  const isOther = (line: string) => line.startsWith(other)
  return {
    known: knownFiles(lines.filter(line => !isOther(line))),
    added: lines.filter(isOther).map(line => line.slice(other.length)),
  }
}

/** What stands before a file that is not in the index. */
const other = '? '

function knownFiles(lines: readonly string[]): KnownFiles {
  const files = lines.map(line => {
    const [, tag = '', entry = '', mode = '', path = ''] = /^(.) (([0-7]+) [^\t]*\t([\s\S]*))$/.exec(line) ?? []
    return { tag, entry, mode, path }
  })
  const inConflict = files.find(({ tag }) => tag.toUpperCase() === 'M')
  if (inConflict !== undefined) {
    throw new RelayError('usage', `A merge is under way here, and ${inConflict.path} is in conflict`, {
      hint: 'Resolve it, or end it with `git merge --abort` or `git rebase --abort`.',
    })
  }
  const tracked = files.filter(({ mode }) => mode !== submodule)
  return {
    paths: tracked.map(({ path }) => path),
    submodules: files.filter(({ mode }) => mode === submodule).map(({ path }) => path),
    entries: tracked.map(({ entry }) => entry),
    isPlain: files.every(({ tag }) => tag === 'H'),
  }
}

/** The mode of a submodule in git. */
export const submodule = '160000'

/** Removes the submodules from relay's index: to see whether one changed, git would run what is configured in it. */
async function forget(submodules: readonly string[], git: Git): Promise<void> {
  if (submodules.length === 0) return
  await git(['update-index', '--force-remove', '-z', '--stdin'], submodules.map(path => `${path}\0`).join(''))
}

/** Whether the user's git may store other bytes for a file than the folder has. */
async function mayConvert(
  paths: readonly string[],
  { repository, settings }: PrivateRepository['users'],
  system: Doors,
): Promise<boolean> {
  if ((settings.get('core.autocrlf') ?? 'false') !== 'false') return true
  const all = [
    ...paths.filter(path => /(?:^|\/)\.gitattributes$/.test(path)).map(path => join(repository?.top ?? '/', path)),
    ...(repository === undefined ? [] : [join(repository.shared, 'info/attributes')]),
    usersFile('core.attributesfile', 'attributes', settings, system),
  ]
  const texts = await Promise.all(all.map(path => textOf(path, system).catch(() => 'text')))
  return texts.some(text => text !== undefined && converting.test(text))
}

const converting = /(?:^|[^-\w])(?:text|crlf|eol|filter|ident|working-tree-encoding)\b/

interface Sized {
  readonly path: string
  readonly bytes: number
}

async function sizesOf(paths: readonly string[], top: string, { files }: Doors): Promise<readonly Sized[]> {
  return await Promise.all(
    paths.map(async path => ({ path, bytes: (await files.stat(join(top, path)).catch(() => null))?.size ?? 0 })),
  )
}

/** The files within the limits. The largest are left out first. */
function smallOnes(sized: readonly Sized[]): readonly Sized[] {
  let sum = 0
  return sized
    .toSorted((one, other) => one.bytes - other.bytes)
    .filter(({ bytes }) => {
      sum += bytes
      return bytes <= mostBytesOfOne && sum <= mostBytesOfAll
    })
}

function mustBeSmall(sized: readonly Sized[], top: string): readonly Sized[] {
  const sum = sized.reduce((bytes, file) => bytes + file.bytes, 0)
  if (sized.length <= mostFiles && sum <= mostBytesOfAll) return sized
  const what = sized.length > mostFiles ? `more than ${mostFiles} files` : `${Math.round(sum / megabyte)} MB`
  throw new RelayError('usage', `${top} is not in a git repository, and holds ${what}: too much to copy for an agent`, {
    hint: 'Run `git init` there, with a .gitignore for what nobody wrote.',
  })
}
