import { RelayError } from '../../errors.ts'
import type { Entry, EntryOperation } from '../../model.ts'
import { readOwnBytes } from '../disk/read-own.ts'
import { foldersOf, isKeptInStage, movesOf } from '../entry/moves.ts'
import { readEntry } from '../entry/read-entry.ts'
import { writeEntry } from '../entry/write-entry.ts'
import type { Layout } from '../layout/layout.ts'
import { markBegun } from '../lock/begun-here.ts'
import type { Work } from '../work/work.ts'
import { stageNewFiles } from './stage-new-files.ts'
import { syncOriginals } from './sync.ts'

/** A pending entry, as it stands on the disk. */
export interface Pending {
  readonly entry: Entry
  readonly bytes: Uint8Array
}

/**
 * Puts the whole plan, the new files and the originals on the disk, and answers the plan as it is read back from there.
 *
 * The new files wait in the stage, which counts for nothing without the plan; so none has to wait for another. An
 * interruption leaves out what is not begun, and the caller must not go on.
 */
export async function commitPlan(entry: Entry, work: Work): Promise<Pending> {
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

async function writePlan(entry: Entry, { layout, stage, system }: Work): Promise<Pending> {
  const { files } = layout
  await Promise.all([
    files.create(stage.draft, Buffer.from(planText(entry)), { mode: 0o600, sync: 'name' }),
    markBegun(entry.uuid, layout, system),
  ])
  await files.rename(stage.draft, layout.pending(entry.uuid))
  // Reading it changes nothing, and need not wait for the disk.
  const [, pending] = await Promise.all([files.sync(layout.folder), readBack(entry, layout)])
  return pending
}

/** An entry is one text, and no text of the runtime's holds more than half a gigabyte. */
function planText(entry: Entry): string {
  try {
    return writeEntry(entry)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (!(cause instanceof RangeError) && code !== 'ERR_STRING_TOO_LONG') throw cause
    const message = `What #${entry.number} has to keep for going back is more than fits into one entry (512 MB)`
    throw new RelayError('environment', message, { hint: 'Take fewer of the large files at a time.', cause })
  }
}

async function readBack(entry: Entry, layout: Layout): Promise<Pending> {
  const bytes = await readOwnBytes(layout.pending(entry.uuid), layout.files)
  const read = bytes && readEntry(bytes.toString('utf8'))
  if (bytes === undefined || read === undefined || !isSame(read.operations, entry.operations)) {
    throw new RelayError('failed', `The entry ${entry.uuid}.pending.yml could not be read back as it was written`, {
      hint: 'Check the disk, then try again.',
    })
  }
  // What is known of an operation is known of the same one, and not told a second time.
  return { entry: { ...read, operations: entry.operations }, bytes }
}

/** To the byte, and in the same order. */
function isSame(some: readonly EntryOperation[], others: readonly EntryOperation[]): boolean {
  return some.length === others.length && some.every((one, at) => asksForTheSame(one, others[at]))
}

function asksForTheSame(one: EntryOperation, other: EntryOperation | undefined): boolean {
  if (one.path !== other?.path) return false
  switch (one.op) {
    case 'delete':
      return other.op === 'delete'
    case 'link':
      return other.op === 'link' && one.to === other.to
    case 'write': {
      if (other.op !== 'write' || one.mode !== other.mode || one.content !== other.content) return false
      const [bytes, otherBytes] = [one.bytes, other.bytes]
      if (bytes === undefined || otherBytes === undefined) return bytes === otherBytes
      return Buffer.compare(bytes, otherBytes) === 0
    }
  }
}
