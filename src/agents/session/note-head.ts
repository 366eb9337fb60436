import { dirname, join } from 'node:path'
import { usersGitAt } from '../checkout/git.ts'
import type { Doors } from '../checkout/program.ts'
import { findUsersRepository } from '../checkout/users-repository.ts'

/**
 * The commit that is checked out where a note lies: empty where there is none, `undefined` while a git changes files there. A
 * line that comes with another commit was written by somebody else, perhaps.
 */
export async function headAround(note: string, system: Doors): Promise<string | undefined> {
  const repository = await findUsersRepository(dirname(note), system)
  if (repository === undefined) return ''
  const { gitDir } = repository
  if ((await system.files.stat(join(gitDir, 'index.lock'))) !== null) return undefined
  const git = usersGitAt(gitDir, '/', system)
  return (await git(['rev-parse', '--verify', '--quiet', 'HEAD'], '', [0, 1, 128])).trim()
}
