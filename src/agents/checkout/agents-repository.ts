import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { readDependencies } from './dependencies-note.ts'
import { borrowObjects, initRepository, noConversion, writeNew } from './git.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'
import { textOf } from './users-repository.ts'

/** What the repository in a checkout begins with. */
export interface Beginning {
  readonly tree: string
  /** The user's commit of that tree, and its branch. Without one, relay makes a commit, on `main`. */
  readonly real?: { readonly commit: string; readonly branch: string }
}

/**
 * Makes the repository in a checkout, with one commit of the start. It has no remote, no hook and no setting from the user.
 * relay reads only the subject of a commit from it (`agentsSubject`), so an agent may do with it what it likes. The checks of a
 * branch get a new one, in which the start is the user's own commit with its history.
 *
 * Can run while the files are still being written.
 */
export async function beginAgentsRepository(
  folder: string,
  { tree, real }: Beginning,
  own: PrivateRepository,
  system: Doors,
): Promise<void> {
  const gitDir = join(folder, '.git')
  const commit = ['-c', 'user.name=relay', '-c', 'user.email=relay@localhost', 'commit-tree', '-m', 'The start', tree]
  const { branch } = real ?? { branch: 'main' }
  const [name] = await Promise.all([
    real?.commit ?? own.git('index', folder)(commit),
    initRepository([`--initial-branch=${branch}`, folder], own.format, system),
  ])
  await borrowObjects(gitDir, [join(own.gitDir, 'objects')], system)
  await system.files.append(join(gitDir, 'config'), new TextEncoder().encode(quiet), { sync: false })
  await system.files.makeFolder(join(gitDir, 'info'))
  await writeNew(join(gitDir, 'info/attributes'), `* ${noConversion}\n`, system)
  await makeFoldersTo(join('refs/heads', branch), gitDir, system)
  await writeNew(join(gitDir, 'refs/heads', branch), `${name.trim()}\n`, system)
}

async function makeFoldersTo(path: string, above: string, { files }: Doors): Promise<void> {
  const parts = path.split('/').slice(0, -1)
  for (const at of parts.keys()) await files.makeFolder(join(above, ...parts.slice(0, at + 1)))
}

/** Gives the agent's repository an index of the checkout's files. Call it when these and the dependencies are in place. */
export async function fillAgentsRepository(folder: string, own: PrivateRepository, system: Doors): Promise<void> {
  const { linked, copied } = await readDependencies(own, system)
  const gitDir = join(folder, '.git')
  // The copy may get a later time: no file has changed since the index was made.
  await system.files.create(join(gitDir, 'index'), await bytesOf(own.at('index'), system), { mode: 0o600, sync: false })
  const laid = [...linked, ...copied].map(path => `/${path.replace(/[\\*?[ ]/g, '\\$&')}\n`)
  const exclude = (await textOf(join(own.gitDir, 'info/exclude'), system)) ?? ''
  await writeNew(join(gitDir, 'info/exclude'), `${exclude}\n${laid.join('')}`, system)
}

async function bytesOf(path: string, { files }: Doors): Promise<Uint8Array> {
  const bytes = await files.read(path)
  if (bytes === null) throw new RelayError('failed', `${path} is gone`)
  return bytes
}

/** The agent's git never asks for a signing key, and runs none of the user's global hooks. */
const quiet = '[core]\n\thooksPath = /dev/null\n[commit]\n\tgpgsign = false\n[gc]\n\tauto = 0\n'
