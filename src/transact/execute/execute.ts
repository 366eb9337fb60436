import { join } from 'node:path'
import type { Entry } from '../../model/entry.ts'
import { markText } from '../disk/mark.ts'
import { foldersOf, isKeptInStage, type Move } from '../entry/moves.ts'
import type { Stage } from '../layout/stage.ts'
import { stageNewFiles } from './stage-new-files.ts'
import { swap } from './swap.ts'
import { syncTouched } from './sync.ts'

/**
 * Carries out an entry's moves, in an order that can be taken back from any point.
 *
 * 1. Every new file is in the stage, or is written beside its place, and synced: a full disk shows here, before anything is
 *    touched. So are the files that will be taken out of their places.
 * 2. New folders are made.
 * 3. Each place is swapped: the old inode is moved into the stage, the new file gets the place only if that is still
 *    free, and then what was taken out is compared with the snapshot. The place is empty between these two steps alone,
 *    so that whoever watches the project hardly finds a file missing; in return there is no moment at which an edit
 *    could be overwritten.
 * 4. Folders that have nothing left in them and were made by what is taken back go.
 * 5. What was touched is synced.
 *
 * Answers the paths where something else stood than the snapshot says: a user's edit, and a reason to roll back.
 */
export async function execute(moves: readonly Move[], entry: Entry, stage: Stage): Promise<readonly string[]> {
  const { root, files } = stage.layout
  await stageNewFiles(
    moves.filter(move => !isKeptInStage(move)),
    stage,
  )
  await files.sync(stage.folder)
  await files.create(stage.staged, markText, { mode: 0o600, sync: 'name' })
  for (const folder of entry.createdFolders) {
    const path = join(root, folder)
    if (!(await files.makeFolder(path)) && (await files.stat(path))?.kind !== 'folder') return [folder]
  }
  // One after the other: several at once would wait for each other while their places are empty.
  const unfit: string[] = []
  for (const move of moves) if (!(await swap(move, stage))) unfit.push(move.path)
  for (const folder of [...(entry.removedFolders?.keys() ?? [])].toReversed())
    await files.removeFolder(join(root, folder))
  await syncTouched(moves, foldersOf(entry), stage)
  return unfit
}
