import { join } from 'node:path'
import type { Dependencies } from './dependencies-note.ts'
import { borrowObjects, initRepository, noConversion, writeNew } from './git.ts'
import type { PrivateRepository } from './private-repository.ts'
import { copyFile, type Doors } from './program.ts'
import { textOf } from './users-repository.ts'

/**
 * Gives the checkout a `.git` for the agent: one commit of the start, on `main`. It has no remote, no hook and nothing of the
 * user's; what becomes of it is of no matter to relay, which never reads it. The files of the start need not stand yet.
 */
export async function makeAgentsRepository(
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

/** Lets it know the files of the checkout, once these and all beside them stand. */
export async function fillAgentsRepository(
  folder: string,
  { linked, copied }: Dependencies,
  own: PrivateRepository,
  system: Doors,
): Promise<void> {
  const gitDir = join(folder, '.git')
  await copyFile(own.at('index'), join(gitDir, 'index'), system)
  const laid = [...linked, ...copied].map(path => `/${path.replace(/[\\*?[ ]/g, '\\$&')}\n`)
  const exclude = (await textOf(join(own.gitDir, 'info/exclude'), system)) ?? ''
  await writeNew(join(gitDir, 'info/exclude'), `${exclude}\n${laid.join('')}`, system)
}

/** The agent's git asks for no key, and runs no hook that the user has for all repositories. */
const quiet = '[core]\n\thooksPath = /dev/null\n[commit]\n\tgpgsign = false\n[gc]\n\tauto = 0\n'
