import { type Layout, stateNames } from '../layout/layout.ts'

export interface LookOptions {
  /** Look at everything, also where something says that there is no need: for who wants to know, and has the time. */
  readonly thorough?: boolean
}

/** A transaction that has a pending entry, or a stage without one. */
export interface Unfinished {
  readonly uuid: string
  readonly pending: boolean
}

/**
 * The transactions that were begun and have not come to their end.
 *
 * A journal can be long, and to list its folder is what costs: where a relay noted that all had ended, and
 * nothing in the folder has changed since, there is nothing to look for. With `thorough` the note does not count.
 */
export async function findUnfinished(
  layout: Layout,
  { thorough = false }: LookOptions = {},
): Promise<readonly Unfinished[]> {
  if (!thorough && (await isNoted(layout, layout.folder))) return []
  const found = new Map<string, boolean>()
  for (const { kind, uuid } of await stateNames(layout)) {
    if (kind !== 'applied') found.set(uuid, kind === 'pending' || found.get(uuid) === true)
  }
  return [...found].map(([uuid, pending]) => ({ uuid, pending }))
}

/** Whether nothing has come to the folder since all had ended, and nobody has written the history since. */
export async function isUntouched(layout: Layout): Promise<boolean> {
  return (await isNoted(layout, layout.folder)) && (await isNoted(layout, layout.history))
}

/**
 * The note is a file, and its time is what it says: whatever comes to the folder later, by whomever, makes the folder
 * younger than the note.
 */
async function isNoted({ allEnded, files }: Layout, path: string): Promise<boolean> {
  const note = await files.stat(allEnded)
  if (note?.kind !== 'file') return false
  const found = await files.stat(path)
  return found !== null && found.changedMs <= note.changedMs
}

/**
 * To be called before a transaction leaves its first trace. Both are changes to the same folder, which is synced before
 * a file of the project is touched: what a power cut keeps together with the note (on btrfs, a stage) had not begun, and is
 * found by `relay recover`.
 */
export async function beginUnfinished({ allEnded, files }: Layout): Promise<void> {
  await files.remove(allEnded)
}

/**
 * To be called when a transaction has ended and none before it was left: leaves the note, unless this one left something
 * behind. Never fails: without the note the next relay looks for itself.
 */
export async function noteAllEnded(uuid: string, { allEnded, stage, pending, files }: Layout): Promise<void> {
  try {
    for (const trace of [stage(uuid), pending(uuid)]) {
      if ((await files.stat(trace)) !== null) return
    }
    await files.create(allEnded, noteText, { mode: 0o600, sync: false })
  } catch {
    // See above.
  }
}

const noteText = Buffer.from(
  'Every transaction has ended, as long as nothing in this folder is younger than this file.\n',
)
