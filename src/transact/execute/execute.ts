import { dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import { remembered } from '../../ground/remembered.ts'
import type { Entry } from '../../model.ts'
import type { Files, Stat } from '../../ports.ts'
import { inFlight } from '../disk/in-flight.ts'
import { markText } from '../disk/mark.ts'
import { moveIfFree } from '../disk/move-if-free.ts'
import { foldersOf, holds, isKeptInStage, type Move } from '../entry/moves.ts'
import type { Layout } from '../layout/layout.ts'
import type { Stage } from '../layout/stage.ts'

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
  // One after the other: of several under way at once each would wait for the others with its place empty.
  const unfit: string[] = []
  for (const move of moves) if (!(await swap(move, stage))) unfit.push(move.path)
  for (const folder of [...(entry.removedFolders?.keys() ?? [])].toReversed())
    await files.removeFolder(join(root, folder))
  await syncTouched(moves, foldersOf(entry), stage)
  return unfit
}

/** Writes what the moves will put in their places beside those that have it already. */
export async function stageNewFiles(moves: readonly Move[], stage: Stage): Promise<void> {
  const { root, files } = stage.layout
  const ownerIn = await ownersFor(stage)
  await inFlight(moves, async move => {
    if (move.after === null) return
    if (move.after.kind === 'link') {
      await files.symlink(move.after.to, stage.fresh(move))
      return
    }
    const { bytes, mode } = move.after
    const owner = await ownerIn(move)
    await files.create(stage.fresh(move), bytes, {
      standsFor: join(root, move.target),
      ...(mode === undefined ? {} : { mode }),
      ...(owner === undefined ? {} : { owner }),
    })
  })
}

/**
 * Brings what will be taken out of its place to the disk. What somebody saved a moment ago may not be there yet: after a
 * power cut the stage would hold an empty file, or an older text, for the original. Their folders are brought there as
 * well, for whether that can be done must show before anything is touched.
 */
export async function syncOriginals(
  moves: readonly Move[],
  changedFolders: readonly string[],
  { root, files }: Layout,
): Promise<void> {
  await inFlight(moves, async ({ before, target }) => {
    const place = join(root, target)
    // Whatever else is there by now is a conflict, which the swap finds.
    const isThere = async () => (await files.stat(place))?.kind === 'file'
    if (before.kind !== 'file' || !(await isThere())) return
    await files.sync(place).catch(async error => {
      if (await isThere()) throw error
    })
  })
  // One that this user may change and not read can be brought to the disk neither then nor on the way back.
  await inFlight(touchedFolders(moves, changedFolders, root), folder => syncIfThere(folder, files))
}

async function syncIfThere(folder: string, files: Files): Promise<void> {
  if ((await files.stat(folder)) !== null) await files.sync(folder)
}

/** The folders in which names change. */
function touchedFolders(moves: readonly Move[], changedFolders: readonly string[], root: string): readonly string[] {
  const folders = new Set<string>()
  for (const { target, aside } of moves) {
    folders.add(dirname(join(root, target)))
    if (aside !== undefined) folders.add(join(root, aside))
  }
  for (const folder of changedFolders) folders.add(dirname(join(root, folder)))
  return [...folders]
}

type Owner = { readonly uid: number; readonly gid: number }

/** A replaced file keeps its owner; a new one gets its folder's group where the folder asks for that (setgid). */
async function ownersFor(stage: Stage): Promise<(move: Move) => Promise<Owner | undefined>> {
  const { root, files } = stage.layout
  const self = await files.stat(stage.folder)
  const nearest = remembered(
    async (folder: string): Promise<Stat> => (await files.stat(folder)) ?? nearest(dirname(folder)),
  )
  return async move => {
    if (move.before.kind === 'file') {
      const found = await files.stat(join(root, move.target))
      // A new file has the stage's owner anyhow.
      if (found === null || (found.uid === self?.uid && found.gid === self.gid)) return undefined
      return { uid: found.uid, gid: found.gid }
    }
    const found = await nearest(dirname(join(root, move.target)))
    return self !== null && (found.mode & 0o2000) !== 0 ? { uid: self.uid, gid: found.gid } : undefined
  }
}

/** `false`: something else stood there than the snapshot says. */
export async function swap(move: Move, stage: Stage): Promise<boolean> {
  try {
    return await exchange(move, stage)
  } catch (error) {
    // A folder on the way has become a link since the survey, or is elsewhere.
    if (error instanceof RelayError && error.kind === 'conflict') return false
    throw error
  }
}

async function exchange(move: Move, stage: Stage): Promise<boolean> {
  const { root, files } = stage.layout
  const [fresh, place] = [stage.fresh(move), join(root, move.target)]
  // A staged file that is not what the entry says (a torn write, a meddler) must never get the place.
  if (move.after !== null && !(await isAsStaged(move.after, fresh, stage.layout))) {
    throw new RelayError('failed', `The staged copy of ${move.path} is damaged`, {
      hint: 'Check the disk, then try again.',
    })
  }
  if (move.before.kind !== 'absent' && (await files.rename(place, stage.old(move))) === 'absent') return false
  const pointsTo = move.after?.kind === 'link' ? move.after.to : undefined
  if (move.after !== null && !(await moveIfFree(fresh, place, files, { pointsTo }))) return false
  return move.before.kind === 'absent' || holds(stage.old(move), move.before, files)
}

async function isAsStaged(after: NonNullable<Move['after']>, fresh: string, { files }: Layout): Promise<boolean> {
  if (after.kind === 'link')
    return (await files.stat(fresh))?.kind === 'link' && (await files.readLink(fresh)) === after.to
  const staged = await files.read(fresh)
  return staged !== null && Buffer.compare(staged, after.bytes) === 0
}

/**
 * Brings the names that were changed to the disk: those in the touched folders, in the stage, and the folders' own. Where
 * the originals went comes before where they were: of a file that moved, a power cut on btrfs can take the new name and
 * leave the old one gone.
 */
export async function syncTouched(
  moves: readonly Move[],
  changedFolders: readonly string[],
  stage: Stage,
  originalsWent: 'into the stage' | 'into their places' = 'into the stage',
): Promise<void> {
  const { root, files } = stage.layout
  const order = [[stage.folder], touchedFolders(moves, changedFolders, root)]
  for (const some of originalsWent === 'into the stage' ? order : order.toReversed()) {
    await inFlight(some, folder => syncIfThere(folder, files))
  }
}
