import { join } from 'node:path'
import { asError, RelayError } from '../../errors.ts'
import { turnstile } from '../../ground/collections.ts'
import type { Entry } from '../../model/entry.ts'
import { believedMode } from '../../model/path-state.ts'
import type { Restoration } from '../../model/talk.ts'
import { inFlight } from '../disk/in-flight.ts'
import { retryOnce } from '../disk/retry-once.ts'
import { foldersOf, type Move, movesOf } from '../entry/moves.ts'
import { syncTouched } from '../execute/sync.ts'
import type { Layout } from '../layout/layout.ts'
import { filesIn, remakeStage, type Stage, stageOf } from '../layout/stage.ts'
import { evidenceOf } from './evidence.ts'
import { type Edits, restoreMove } from './restore-move.ts'

/** For a transaction that changed no file. */
export const untouched: Restoration = { restored: [], rescued: [], kept: [], merged: [] }

/**
 * Takes an entry's moves back: every place is as the snapshot says, with the same inode where that was kept.
 *
 * One code for a "no", a failure, a signal and a recovery, told only by what is on the disk. Each step looks first, so
 * it can be killed anywhere and run again (what the looks tell is in `evidence.ts`). It discards nothing: entry and stage stay
 * for the caller to remove once this has ended well. When a place cannot be restored the others still are, and the error
 * names it, and of how many.
 */
export async function restore(entry: Entry, layout: Layout, edits: Edits): Promise<Restoration> {
  const { root, files } = layout
  const stage = stageOf(layout, entry.uuid)
  const moves = movesOf(entry)
  await retryOnce(() => remakeStage(stage)).catch(error => {
    const failures = moves.map(({ path }) => ({ path, error }))
    throw incomplete(entry, moves.length, failures)
  })
  if ((await retryOnce(() => files.stat(stage.staged))) === null) {
    const there = await inStage(stage)
    // Originals without the mark: somebody has removed it, and these may be the only copies of the files.
    const isTouched = there.includes(stage.staged) || moves.some(move => there.includes(stage.old(move)))
    if (!isTouched) return untouched
  }

  // If a folder cannot be made, the files elsewhere are still restored.
  const failure = await remakeFolders(entry, layout).catch(error => ({ error }))
  const restoration = await restoreMoves(moves, entry, layout, edits)
  if (failure !== undefined) throw failure.error
  const left = new Set(await inStage(stage))
  const failures = moves.filter(move => left.has(stage.old(move))).map(({ path }) => ({ path, error: overlooked }))
  if (failures.length > 0) {
    const all = new Set([...restoration.restored, ...failures.map(({ path }) => path)])
    throw incomplete(entry, all.size, failures)
  }
  await syncTouched(moves, foldersOf(entry), stage, 'into their places')
  if (entry.createdFolders.length === 0) return restoration
  // Only now: a power cut may take a folder with what was moved out of it, as long as the stage is not on the disk.
  for (const folder of entry.createdFolders.toReversed()) {
    await retryOnce(() => files.removeFolder(join(root, folder)))
  }
  await syncTouched([], entry.createdFolders, stage, 'into their places')
  return restoration
}

/**
 * Lists the whole stage, because asking for a single name can miss a file: a network folder remembers for seconds that
 * a name was free. Nothing may be discarded for that.
 */
async function inStage(stage: Stage): Promise<readonly string[]> {
  return retryOnce(() => filesIn(stage))
}

/**
 * Adds to any error of a rollback that the entry stays: a full disk or a missing permission is the reason, but the user
 * has to know that a transaction is open, and what ends it.
 */
export async function orUnfinished<T>(entry: Entry, restoring: () => Promise<T>): Promise<T> {
  try {
    return await restoring()
  } catch (error) {
    if (error instanceof RelayError && error.kind === 'unfinished') throw error
    throw notRestored(entry, (error as Error).message, REMEDY, error)
  }
}

export function notRestored({ number }: Entry, why: string, hint: string, cause?: unknown): RelayError {
  return new RelayError('unfinished', `#${number} could not be rolled back completely: ${why}`, { hint, cause })
}

export async function remakeFolders({ removedFolders = new Map() }: Entry, { root, files }: Layout): Promise<void> {
  for (const [folder, mode] of removedFolders) {
    await retryOnce(() => files.makeFolder(join(root, folder), believedMode(mode)))
  }
}

/** The folders that were made for these moves stay. */
export async function restoreMoves(
  moves: readonly Move[],
  entry: Entry,
  layout: Layout,
  edits: Edits,
): Promise<Restoration> {
  const evidence = await retryOnce(() => evidenceOf(entry, layout))
  const restoring = { ...evidence, ...edits, alone: turnstile(1), rescued: [], kept: [], merged: [] }
  const failures: { readonly path: string; readonly error: Error }[] = []
  const results = await inFlight(moves, async move => {
    try {
      return (await retryOnce(() => restoreMove(move, restoring))) ? move.path : undefined
    } catch (error) {
      failures.push({ path: move.path, error: asError(error) })
      return undefined
    }
  })
  const restored = results.filter(path => path !== undefined)
  if (failures.length > 0) throw incomplete(entry, restored.length + failures.length, failures)
  return { restored, rescued: restoring.rescued, kept: restoring.kept, merged: restoring.merged }
}

function incomplete(
  entry: Entry,
  total: number,
  failures: readonly { readonly path: string; readonly error: Error }[],
): RelayError {
  const lines = failures.map(({ path, error }) => `  ${path}: ${error.message}`)
  const what = `Could not restore ${failures.length} of ${total} files of #${entry.number}:`
  return new RelayError('unfinished', [what, ...lines].join('\n'), {
    hint: `The originals are safe in .relaycode/${entry.uuid}.pending.yml. ${REMEDY}`,
    cause: failures[0]?.error,
  })
}

const overlooked = new Error('its original was not found at first')

/** The hint if a cause outside relay stops a rollback. */
export const REMEDY = 'Remove the cause, then run `relay recover`.'
