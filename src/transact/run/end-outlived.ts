import type { Shell } from '../../ports.ts'
import type { Stage } from '../layout/stage.ts'
import { startedCommand } from '../layout/stage-notes.ts'
import { uuidEntry } from './run-command.ts'

/** Ends a command that outlived its relay: it must not write into what is restored, or kept, by another. */
export async function endOutlived(stage: Stage, shell: Shell): Promise<boolean> {
  const started = await startedCommand(stage)
  return started === undefined ? false : shell.endLeftGroup(started.group, uuidEntry(stage.uuid))
}
