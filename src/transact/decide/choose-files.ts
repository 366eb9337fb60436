import { join } from 'node:path'
import type { Entry } from '../../model/entry.ts'
import type { Rescue } from '../../model/talk.ts'
import { retryOnce } from '../disk/retry-once.ts'
import { touchNow } from '../disk/touch-now.ts'
import { foldersOf, type Move } from '../entry/moves.ts'
import { stageNewFiles } from '../execute/stage-new-files.ts'
import { swap } from '../execute/swap.ts'
import { syncTouched } from '../execute/sync.ts'
import type { Layout } from '../layout/layout.ts'
import { stageOf } from '../layout/stage.ts'
import { remakeFolders, restoreMoves } from '../restore/restore.ts'

/** What came of a choice. */
export interface Chosen {
  /** The user's own versions of what was left out. */
  readonly rescued: readonly Rescue[]
  /** What could not be brought back: the user has changed these places meanwhile. */
  readonly blocked: readonly string[]
}

/**
 * Takes some moves of an entry back, and brings others back in that had been left out.
 *
 * A move that is left out is as one that was never swapped: its place is as before, and its new file waits in the stage
 * again. So a recovery has nothing new to know, and every file can still be had until the end.
 */
export async function chooseFiles(
  choice: { readonly takeOut: readonly Move[]; readonly bringBack: readonly Move[] },
  entry: Entry,
  layout: Layout,
): Promise<Chosen> {
  const { takeOut, bringBack } = choice
  const { root, files } = layout
  const stage = stageOf(layout, entry.uuid)
  await remakeFolders(entry, layout)
  const { rescued } = await restoreMoves(takeOut, entry, layout, { policy: 'rescue' })
  await stageNewFiles(takeOut, stage)
  // Before anything goes the other way: one folder may be where the one comes back to, and where the other leaves from.
  await syncTouched(takeOut, foldersOf(entry), stage, 'into their places')

  for (const folder of entry.createdFolders) {
    if (bringBack.some(({ target }) => target.startsWith(`${folder}/`))) await files.makeFolder(join(root, folder))
  }
  const blocked: Move[] = []
  for (const move of bringBack) {
    if (move.after?.kind === 'file') await touchNow(stage.fresh(move), files)
    if (!(await swap(move, stage))) blocked.push(move)
  }
  // What was taken out of their places is what the user made of them; where nothing was, nothing comes back.
  const taken: Move[] = []
  for (const move of blocked) if ((await files.stat(stage.old(move))) !== null) taken.push(move)
  await restoreMoves(taken, entry, layout, { policy: 'keep', tookEdits: true })
  await stageNewFiles(blocked, stage)

  for (const folder of foldersOf(entry).toReversed()) await retryOnce(() => files.removeFolder(join(root, folder)))
  await syncTouched([...takeOut, ...bringBack], foldersOf(entry), stage)
  return { rescued, blocked: blocked.map(({ path }) => path) }
}
