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

export interface Chosen {
  /** The user's own versions of the files that were left out. */
  readonly rescued: readonly Rescue[]
  /** Paths that could not be brought back, because the user has changed them meanwhile. */
  readonly blocked: readonly string[]
}

/**
 * Leaves some moves of an entry out, and brings others in again.
 *
 * A move that is left out looks as if it was never swapped: its place is as before, and its new file waits in the
 * stage. So a recovery needs to know nothing new, and each file can be brought in again until the end.
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
  // Before the others are brought in: a file may come back to a folder that another one leaves.
  await syncTouched(takeOut, foldersOf(entry), stage, 'into their places')

  for (const folder of entry.createdFolders) {
    if (bringBack.some(({ target }) => target.startsWith(`${folder}/`))) await files.makeFolder(join(root, folder))
  }
  const blocked: Move[] = []
  for (const move of bringBack) {
    if (move.after?.kind === 'file') await touchNow(stage.fresh(move), files)
    if (!(await swap(move, stage))) blocked.push(move)
  }
  // The swap has taken the user's version out of its place, if there was one: it comes back.
  const taken: Move[] = []
  for (const move of blocked) if ((await files.stat(stage.old(move))) !== null) taken.push(move)
  await restoreMoves(taken, entry, layout, { policy: 'keep', tookEdits: true })
  await stageNewFiles(blocked, stage)

  for (const folder of foldersOf(entry).toReversed()) await retryOnce(() => files.removeFolder(join(root, folder)))
  await syncTouched([...takeOut, ...bringBack], foldersOf(entry), stage)
  return { rescued, blocked: blocked.map(({ path }) => path) }
}
