import { RelayError } from '../../errors.ts'
import type { Project } from '../../model/project.ts'
import { rememberSeen } from '../../pack/seen-versions.ts'
import type { System } from '../../ports.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { ensureRelayFolder } from '../../transact/layout/relay-folder.ts'
import { showNotes } from '../talk/show-notes.ts'
import type { Pack } from './make-pack.ts'

/**
 * Remembers what a model has now. Only once it was handed over: an answer is merged as if made from what is remembered,
 * and from a version that nobody was given it was not.
 */
export async function rememberPack({ files }: Pack, { root }: Project, system: System): Promise<void> {
  const layout = layoutOf(root, system.files)
  try {
    await ensureRelayFolder(layout)
    await rememberSeen({ folder: layout.seen, files: system.files }, files, system.clock.now(), system.randomUuid())
  } catch (error) {
    if (!(error instanceof RelayError)) throw error
    showNotes([`relay cannot remember what you gave the model: ${error.message}`], system)
  }
}
