import { constants } from 'node:buffer'
import { RelayError } from '../../errors.ts'
import type { Entry } from '../../model/entry.ts'
import { foldersOf, isKeptInStage, movesOf } from '../entry/moves.ts'
import { writeEntry } from '../entry/write-entry.ts'
import type { Layout } from '../layout/layout.ts'
import { markStarted } from '../lock/begun-here.ts'
import type { Running } from '../work/work.ts'
import { stageNewFiles } from './stage-new-files.ts'
import { syncOriginals } from './sync.ts'

export interface Pending {
  readonly entry: Entry
  readonly bytes: Uint8Array
}

/**
 * Puts the whole plan, the new files and the originals on the disk, and answers the plan as it is on the disk.
 *
 * The new files go to the stage, which counts for nothing without the plan: so all can be written at once. An
 * interruption leaves out what was not begun, and the caller must stop.
 */
export async function commitPlan(entry: Entry, work: Running): Promise<Pending> {
  const { layout, stage } = work
  const { interruption } = work.system
  const moves = movesOf(entry)
  const [staged, synced, written] = await Promise.allSettled([
    stageNewFiles(moves.filter(isKeptInStage), stage, interruption),
    syncOriginals(moves, foldersOf(entry), layout, interruption),
    writePlan(entry, work),
  ])
  if (written.status === 'rejected') throw written.reason
  for (const step of [staged, synced]) if (step.status === 'rejected') throw step.reason
  return written.value
}

async function writePlan(entry: Entry, { layout, stage, system }: Running): Promise<Pending> {
  const { files } = layout
  const bytes = planBytes(entry)
  await Promise.all([
    files.create(stage.draft, bytes, { mode: 0o600, sync: 'name' }),
    markStarted(entry.uuid, layout, system),
  ])
  await files.rename(stage.draft, layout.pending(entry.uuid))
  // Reading the entry can happen while the disk syncs.
  await Promise.all([files.sync(layout.folder), confirm(bytes, entry, layout)])
  return { entry, bytes }
}

/** An entry is read as one text, and in JavaScript a text has at most half a gigabyte. */
function planBytes(entry: Entry): Buffer {
  try {
    const bytes = writeEntry(entry)
    if (bytes.length > constants.MAX_STRING_LENGTH) throw new RangeError('too long for one text')
    return bytes
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (!(cause instanceof RangeError) && code !== 'ERR_STRING_TOO_LONG') throw cause
    const message = `The undo data of #${entry.number} is larger than relay can store (512 MB)`
    throw new RelayError('environment', message, { hint: 'Change fewer of the large files at a time.', cause })
  }
}

/** relay carries out what the file says: the entry in memory is that only if the bytes are equal. */
async function confirm(bytes: Buffer, { uuid }: Entry, { pending, files }: Layout): Promise<void> {
  const found = await files.inspect(pending(uuid))
  if (found?.kind === 'file' && bytes.equals(found.bytes)) return
  throw new RelayError('failed', `relay wrote .relaycode/${uuid}.pending.yml, but read back something else`, {
    hint: 'Check the disk, then try again.',
  })
}
