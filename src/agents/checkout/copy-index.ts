import { RelayError } from '../../errors.ts'
import type { Doors } from './program.ts'

/**
 * Copies an index of git, over an older copy. The copy is not younger than the index: git reads a file again where that is not
 * older than the index.
 */
export async function copyIndex(from: string, to: string, { files }: Doors): Promise<void> {
  // Looked at first: where the user's git writes another index meanwhile, the copy is too old rather than too young.
  const found = await files.stat(from)
  const bytes = await files.read(from)
  if (found === null || bytes === null) throw new RelayError('failed', `${from} is gone`)
  await files.remove(to)
  await files.create(to, bytes, { mode: found.mode, sync: false })
  await files.touch(to, Math.floor(found.modifiedMs))
}
