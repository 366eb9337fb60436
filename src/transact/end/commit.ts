import type { Check, Checks } from '../../model/check.ts'
import type { CheckRecord, Entry } from '../../model/entry.ts'
import type { Rescue } from '../../model/talk.ts'
import { retryOnce } from '../disk/retry-once.ts'
import type { Move } from '../entry/moves.ts'
import { type Ending, writeEnding } from '../entry/write-entry.ts'
import { historyLine } from '../journal/history-line.ts'
import { type Places, writtenStates } from '../survey/places.ts'
import type { Running } from '../work/work.ts'
import { clearUpKept } from './clear-up.ts'

/** The rename is the commit. If it cannot be brought to the disk it is taken back, and the rollback follows. */
export async function commit(pending: Uint8Array, uuid: string, ending: Ending, work: Running): Promise<void> {
  const { layout, stage } = work
  const { files } = layout
  const whole = Buffer.concat([pending, Buffer.from(writeEnding(ending))])
  await files.create(stage.draft, whole, { mode: 0o600, sync: 'name' })
  await files.rename(stage.draft, layout.pending(uuid))
  try {
    await files.rename(layout.pending(uuid), layout.applied(uuid))
    await files.sync(layout.folder)
  } catch (error) {
    // A rename that reported a failure may still have happened.
    await retryOnce(() => files.rename(layout.applied(uuid), layout.pending(uuid)))
    throw error
  }
}

/** After the commit: what fails here is made good by the next recovery, and changes nothing about the end. */
export async function endKept(entry: Entry, work: Running): Promise<readonly Rescue[]> {
  try {
    await work.journal.remember(historyLine(entry, 'committed', work.system.clock.now().toISOString()))
    return await clearUpKept(entry, work.stage)
  } catch {
    // The stage still stands, so the next relay finds that this is left to do.
    return []
  }
}

export function endingOf(
  checks: Checks,
  moves: readonly Move[],
  places: Places,
  { by, at, byHand }: { readonly by: 'auto' | 'user'; readonly at: Date; readonly byHand: ReadonlySet<string> },
): Ending {
  const { comparison } = checks
  const edited = moves.flatMap(({ path }) => (byHand.has(path) ? [path] : []))
  return {
    checks: {
      before: recordOf(checks.before),
      after: { ...recordOf(checks.after), ...(comparison && { new: comparison.new, fixed: comparison.fixed }) },
    },
    written: writtenStates(moves, places),
    outcome: { kind: 'committed', by, at: at.toISOString(), ...(edited.length > 0 && { edited }) },
  }
}

function recordOf(check: Check): CheckRecord {
  switch (check.kind) {
    case 'unchecked':
      return { errors: null }
    case 'counted':
      return { errors: check.errors, ...(check.tests === 'none' && { tests: 'none' }) }
    case 'uncounted':
      return { errors: null, uncounted: check.why }
  }
}
