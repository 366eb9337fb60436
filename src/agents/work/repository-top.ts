import type { System } from '../../ports.ts'
import { findUsersRepository } from '../checkout/users-repository.ts'

/** The top of the git repository around a folder; `undefined` where it is in none. */
export async function repositoryTop(folder: string, system: System): Promise<string | undefined> {
  const real = await system.files.realPath(folder)
  return real === null ? undefined : (await findUsersRepository(real, system))?.top
}
