import { join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { readDependencies } from './dependencies-note.ts'
import { borrowObjects, initRepository, noConversion, writeNew } from './git.ts'
import type { PrivateRepository } from './private-repository.ts'
import type { Doors } from './program.ts'
import { textOf } from './users-repository.ts'

/** Makes the agent's `.git` in a checkout whose files are all written. */
export async function makeAgentsRepository(
  folder: string,
  tree: string,
  own: PrivateRepository,
  system: Doors,
): Promise<void> {
  await beginAgentsRepository(folder, tree, own, system)
  await fillAgentsRepository(folder, own, system)
}

/**
 * Makes the agent's repository: one commit of the start, on `main`. It has no remote, no hook and nothing from the user. relay
 * reads only the subject of a commit from it (`agentsSubject`), so the agent may do with it what it likes.
 *
 * Can run while the files are still being written.
 */
export async function beginAgentsRepository(
  folder: string,
  tree: string,
  own: PrivateRepository,
  system: Doors,
): Promise<void> {
  const gitDir = join(folder, '.git')
  const commit = ['-c', 'user.name=relay', '-c', 'user.email=relay@localhost', 'commit-tree', '-m', 'The start', tree]
  const [name] = await Promise.all([
    own.git('index', folder)(commit),
    initRepository(['--initial-branch=main', folder], own.format, system),
  ])
  await borrowObjects(gitDir, [join(own.gitDir, 'objects')], system)
  await system.files.append(join(gitDir, 'config'), new TextEncoder().encode(quiet), { sync: false })
  await system.files.makeFolder(join(gitDir, 'info'))
  await writeNew(join(gitDir, 'info/attributes'), `* ${noConversion}\n`, system)
  await writeNew(join(gitDir, 'refs/heads/main'), name, system)
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
