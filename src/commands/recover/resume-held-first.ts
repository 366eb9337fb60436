import { RelayError } from '../../errors.ts'
import { withoutCommands } from '../../model/commands-of.ts'
import type { Project } from '../../model/project.ts'
import type { System, Talk } from '../../ports.ts'
import { durable } from '../../transact/disk/durable.ts'
import { layoutOf } from '../../transact/layout/layout.ts'
import { withLock } from '../../transact/lock/lock.ts'
import { previewRecovery } from '../../transact/recover/recover.ts'
import { resumeHeld } from '../../transact/recover/resume-held.ts'
import { copyIfWished } from '../follow-up/copy-follow-up.ts'
import { areConfirmed, type TrustOptions } from '../talk/confirm-commands.ts'

/**
 * Whatever was left open with `q` is asked about once more, before anything else is written. Left open again it ends the
 * command: throws `unfinished`. So does one that an error took back, whatever the answer was: nothing is to be written on
 * top of what should have been kept.
 */
export async function resumeHeldFirst(
  project: Project,
  system: System,
  talk: Talk,
  options: TrustOptions,
): Promise<void> {
  const layout = layoutOf(project.root, durable(system.files, project.config))
  if (!talk.present) return
  const found = await previewRecovery(layout, system)
  if (!found.some(({ action }) => action === 'held')) return
  // Without a yes to them it can still be kept or taken back.
  const usable = (await areConfirmed(project, system, options)) ? project : withoutCommands(project)
  const outcomes = await withLock(layout, system, talk, () => resumeHeld(usable, layout, system, talk))
  for (const outcome of outcomes) await copyIfWished(outcome, project, system)
  // How to come back to it stands above.
  const left = outcomes.find(outcome => outcome.kind === 'held')
  if (left !== undefined) {
    throw new RelayError('unfinished', `relay does nothing else while #${left.number} waits for your answer`, {
      isSaid: system.interruption.aborted,
    })
  }
  for (const outcome of outcomes) {
    if (outcome.kind !== 'rolled-back' || outcome.reason.kind !== 'failed') continue
    // What it was, and what to do about it, stands above.
    const kind = outcome.reason.error instanceof RelayError ? outcome.reason.error.kind : 'failed'
    throw new RelayError(kind, `relay did nothing else: #${outcome.number} was rolled back because of an error`)
  }
}
