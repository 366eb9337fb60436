import { join } from 'node:path'
import type { System } from '../../ports.ts'
import { removeAll } from '../checkout/remove-all.ts'
import { removedFolder } from '../checkout/remove-later.ts'
import { refuseForeignState } from '../run/run-folder.ts'

/** Removes what this run and earlier ones have taken away with `removeLater`. What cannot be removed stays for a later run. */
export async function removeForGood(system: System): Promise<void> {
  const { files, stateFolder } = system
  if (stateFolder === undefined) return
  const folder = removedFolder(stateFolder)
  const names = await files.list(folder).catch(() => null)
  if (names === null) return
  try {
    await refuseForeignState(system)
    for (const name of names) await removeAll([join(folder, name)], '/', system).catch(() => undefined)
    await files.removeFolder(folder)
  } catch {
    // The command has said its last word.
  }
}
