import { dirname, join } from 'node:path'
import { RelayError } from '../errors.ts'
import type { Entry, Rescue, Restoration } from '../model.ts'
import type { Files } from '../ports.ts'
import { syncTouched } from './execute.ts'
import { sha256 } from './hash.ts'
import { inFlight } from './in-flight.ts'
import { isGone } from './is-gone.ts'
import type { Layout } from './layout.ts'
import { makeYoung } from './make-young.ts'
import { moveIfFree } from './move-if-free.ts'
import { hashAfter, holds, type Move, movesOf } from './moves.ts'
import { putAside } from './put-aside.ts'
import { isStageLost, notedWritten, remakeStage, type Stage, stageOf, startedCommand, type Written } from './stage.ts'
import { twice } from './twice.ts'

/**
 * What becomes of a file that the user edited after relay had written it: `rescue` puts the edit aside and restores
 * the original, `keep` leaves the edit and puts the original aside. Neither loses anything.
 */
export type EditPolicy = 'rescue' | 'keep'

/** What a restore knows of the user's edits. */
export interface Edits {
  readonly policy: EditPolicy
  /** What was taken out of a place may be an edit that came before, and not what the snapshot says. */
  readonly tookEdits?: boolean
}

/** Of a transaction that had not come to change a file. */
export const untouched: Restoration = { restored: [], rescued: [], kept: [] }

/**
 * Takes an entry's moves back: every place is as the snapshot says, with the same inode where that was kept.
 *
 * One code for a "no", a failure, a signal and a recovery, told only by what is on the disk. Each step looks first, so
 * it can be killed anywhere and run again. It discards nothing: entry and stage stay for the caller to remove once
 * this has ended well. When a place cannot be restored the others still are, and the error names both.
 */
export async function restore(entry: Entry, layout: Layout, files: Files, edits: Edits): Promise<Restoration> {
  const stage = stageOf(layout, entry.uuid)
  const moves = movesOf(entry)
  await twice(() => remakeStage(stage, files)).catch(error => {
    const failures = moves.map(({ path }) => ({ path, error }))
    throw incomplete(entry, [], failures)
  })
  if ((await twice(() => files.stat(stage.staged))) === null) return untouched

  // A folder that cannot be made keeps back no file that lies elsewhere.
  const failure = await remakeFolders(entry, layout, files).catch(error => ({ error }))
  const restoration = await restoreMoves(moves, entry, layout, files, edits)
  if (failure !== undefined) throw failure.error
  for (const folder of entry.createdFolders.toReversed()) {
    await twice(() => files.removeFolder(join(layout.root, folder)))
  }
  await syncTouched(moves, entry, stage, layout.root, files)
  return restoration
}

/**
 * Goes back as a whole, and says of whatever stops it that the entry stays: a full disk or a missing permission is why,
 * but what the user has to know is that a transaction is open and who ends it.
 */
export async function orUnfinished<T>(entry: Entry, goBack: () => Promise<T>): Promise<T> {
  try {
    return await goBack()
  } catch (error) {
    if (error instanceof RelayError && error.kind === 'unfinished') throw error
    const message = `#${entry.number} could not be taken back to its end: ${(error as Error).message}`
    throw new RelayError('unfinished', message, { hint: REMEDY, cause: error })
  }
}

/** Makes the folders again that an entry had removed. */
export async function remakeFolders(
  { removedFolders = new Map() }: Entry,
  layout: Layout,
  files: Files,
): Promise<void> {
  for (const [folder, mode] of removedFolders) await twice(() => files.makeFolder(join(layout.root, folder), mode))
}

/** Takes back some of an entry's moves; the folders that were made for them stay. */
export async function restoreMoves(
  moves: readonly Move[],
  entry: Entry,
  layout: Layout,
  files: Files,
  edits: Edits,
): Promise<Restoration> {
  const scene = await twice(() => sceneOf(entry, layout, files, edits))
  const failures: { readonly path: string; readonly error: Error }[] = []
  const results = await inFlight(moves, async move => {
    try {
      return (await twice(() => restoreMove(move, scene))) ? move.path : undefined
    } catch (error) {
      failures.push({ path: move.path, error: error instanceof Error ? error : new Error(String(error)) })
      return undefined
    }
  })
  const restored = results.filter(path => path !== undefined)
  if (failures.length > 0) throw incomplete(entry, restored, failures)
  return { restored, rescued: scene.rescued, kept: scene.kept }
}

/** The paths of an entry where a restore would meet a user's edit. */
export async function findEdits(entry: Entry, layout: Layout, files: Files): Promise<readonly string[]> {
  return (await findForeign(entry, layout, files)).edited
}

/**
 * The paths of an entry where a restore would meet what relay did not write: edits, and what is put aside without a
 * question, since a command may have made it of the file.
 */
export async function findForeign(
  entry: Entry,
  layout: Layout,
  files: Files,
): Promise<{ readonly edited: readonly string[]; readonly aside: readonly string[] }> {
  const stage = stageOf(layout, entry.uuid)
  const scene = await sceneOf(entry, layout, files, { policy: 'keep' })
  if (!scene.lost && (await files.stat(stage.staged)) === null) return { edited: [], aside: [] }
  const found = await inFlight(movesOf(entry), async move => {
    try {
      if (!(await wasSwapped(move, scene))) return undefined
      return { path: move.path, by: await judge(join(layout.root, move.target), move, scene) }
    } catch (error) {
      // A link has taken a folder's place: nothing that could be reached here, as the restore will say.
      if (error instanceof RelayError && error.kind === 'conflict') return undefined
      throw error
    }
  })
  const by = (who: 'edited' | 'commands') => found.flatMap(each => (each?.by === who ? each.path : []))
  return { edited: by('edited'), aside: by('commands') }
}

/** The moves of an entry whose changes stand in their places, and not those that were left out. */
export async function findSwapped(entry: Entry, layout: Layout, files: Files): Promise<readonly Move[]> {
  const scene = await sceneOf(entry, layout, files, { policy: 'keep' })
  const found = await inFlight(movesOf(entry), async move => ((await wasSwapped(move, scene)) ? move : undefined))
  return found.filter(move => move !== undefined)
}

/** Something of relay's is in the move's place, or was: what is there now may be an edit of it. */
async function wasSwapped(move: Move, scene: Scene): Promise<boolean> {
  if (move.before.kind === 'absent') return !(await isStillStaged(move, scene))
  const old = scene.stage.old(move)
  if ((await scene.files.stat(old)) === null) return (await isLost(move, scene)) && !(await standsAsBefore(move, scene))
  return !(await isSameFile(old, join(scene.layout.root, move.target), scene.files))
}

/** Everything that restoring one move needs to know, and what it found. */
interface Scene extends Edits {
  readonly layout: Layout
  readonly stage: Stage
  readonly uuid: string
  readonly files: Files
  /** The stage is gone, and the old inodes with it: what stands in the places is all that tells how far it came. */
  readonly lost: boolean
  /** What the patch's files were after the commands, once that was known. */
  readonly written: Written | undefined
  /** A command had been started that runs only once every place is swapped. */
  readonly allSwapped: boolean
  /** The effects of one were not yet noted: they cannot be told from edits. */
  readonly commandRan: boolean
  readonly rescued: Rescue[]
  readonly kept: Rescue[]
  /** Folders that were waited for in vain. */
  readonly removed: Set<string>
}

async function sceneOf(entry: Entry, layout: Layout, files: Files, edits: Edits): Promise<Scene> {
  const stage = stageOf(layout, entry.uuid)
  const written = await notedWritten(stage, files)
  const step = (await startedCommand(stage, files))?.step
  const allSwapped = step === 'post' || step === 'lint'
  return {
    layout,
    stage,
    uuid: entry.uuid,
    files,
    ...edits,
    lost: await isStageLost(stage, files),
    written,
    allSwapped,
    commandRan: written === undefined && allSwapped,
    rescued: [],
    kept: [],
    removed: new Set(),
  }
}

/** `false`: the user's version stayed. */
async function restoreMove(move: Move, scene: Scene): Promise<boolean> {
  try {
    await settleGone(move, scene)
  } catch (error) {
    // A full disk may have no room for what was taken out, which stays in the stage. The place need not wait for that.
    await fillEmpty(move, scene)
    throw error
  }
  return move.before.kind === 'absent' ? removeNew(move, scene) : putBack(move, scene)
}

/** Takes back a new file: there was nothing, so there is nothing. */
async function removeNew(move: Move, scene: Scene): Promise<boolean> {
  const place = join(scene.layout.root, move.target)
  if (await isStillStaged(move, scene)) return true
  for (let turn = 1; turn <= turns; turn++) {
    const found = await judge(place, move, scene)
    if (found === 'nothing') return true
    if (found === 'edited' && scene.policy === 'keep') {
      scene.kept.push({ path: move.path, rescue: '' })
      return false
    }
    if (await takeOut(move, scene)) return true
  }
  return true
}

/** Puts back what stood in a place: the old inode, or its content from the entry when the inode is lost. */
async function putBack(move: Move, scene: Scene): Promise<boolean> {
  const { files } = scene
  const place = join(scene.layout.root, move.target)
  let old = await oldOf(move, scene)
  if (old === undefined) return true
  if (await isSameFile(old, place, files)) {
    await files.remove(old)
    return true
  }
  const original = await originalBeside(old, move, scene)
  if (original !== undefined && scene.policy === 'rescue') {
    scene.rescued.push(await putAside(old, move, scene))
    old = original
  }
  for (let turn = 1; turn <= turns; turn++) {
    const found = await judge(place, move, scene)
    if (found === 'edited' && (scene.policy === 'keep' || turn > 1)) break
    if (found === 'nothing') await remakeAbove(place, scene)
    else await takeOut(move, scene)
    if (await comeBack(old, move, scene)) {
      return original === undefined || old === original || keepEdit(move, original, scene)
    }
    // Something appeared meanwhile. A folder that was away brings relay's own file back; what a user wrote stays.
  }
  return keepEdit(move, old, scene)
}

/**
 * The original made anew, where the file that was taken out is it no more: a command that goes through every folder has
 * rewritten it, or an editor through a handle of its own. One that was edited before it was taken out is the original.
 */
async function originalBeside(old: string, move: Move, scene: Scene): Promise<string | undefined> {
  if (scene.tookEdits === true || old === scene.stage.remade(move) || (await holds(old, move.before, scene.files)))
    return undefined
  return remake(move, scene)
}

/** Puts back what stood in a place that is empty by now; whatever else is in it stays. */
async function fillEmpty(move: Move, scene: Scene): Promise<void> {
  const place = join(scene.layout.root, move.target)
  const old = move.before.kind === 'absent' ? undefined : await oldOf(move, scene)
  if (old === undefined || (await judge(place, move, scene)) !== 'nothing') return
  await remakeAbove(place, scene)
  await comeBack(old, move, scene)
}

async function comeBack(old: string, { before, target }: Move, { files, layout }: Scene): Promise<boolean> {
  const pointsTo = before.kind === 'link' ? before.to : undefined
  if (pointsTo === undefined) await makeYoung(old, files)
  return moveIfFree(old, join(layout.root, target), files, { whenFull: 'move', pointsTo })
}

/** So often a place is emptied that does not stay empty. */
const turns = 5

/** The folders of a place that somebody has removed meanwhile. */
async function remakeAbove(place: string, scene: Scene): Promise<void> {
  const { files, layout } = scene
  const folder = dirname(place)
  if (folder === layout.root || !(await isRemoved(folder, scene))) return
  await remakeAbove(folder, scene)
  await files.makeFolder(folder)
}

/** Whether a folder is away for good: one that is only exchanged or moved for a moment brings back what is in it. */
async function isRemoved(folder: string, { files, removed }: Scene): Promise<boolean> {
  if ((await files.stat(folder)) !== null) return false
  if (!removed.has(folder) && (await isGone(folder, files))) removed.add(folder)
  return removed.has(folder)
}

/** Two names of one file; a link that was made again counts as the same link. */
async function isSameFile(one: string, other: string, files: Files): Promise<boolean> {
  const [a, b] = [await files.stat(one), await files.stat(other)]
  if (a === null || b === null) return false
  if (a.kind === 'link' && b.kind === 'link') return (await files.readLink(one)) === (await files.readLink(other))
  return a.inode === b.inode && a.device === b.device
}

/** Where the old state of a place is kept; `undefined` when the place was never swapped, or is as before already. */
async function oldOf(move: Move, scene: Scene): Promise<string | undefined> {
  const { files, stage } = scene
  const old = stage.old(move)
  if ((await files.stat(old)) !== null) return old
  if (await holds(stage.remade(move), move.before, files)) return stage.remade(move)
  if (!(await isLost(move, scene)) || (await standsAsBefore(move, scene))) return undefined
  return remake(move, scene)
}

/** Makes the old state of a place from the entry. */
async function remake(move: Move, scene: Scene): Promise<string> {
  const { files, stage } = scene
  const remade = stage.remade(move)
  await remakeAbove(remade, scene)
  // One that is not whole was left by a kill.
  await files.remove(remade)
  if (move.before.kind === 'link') await files.symlink(move.before.to, remade)
  if (move.before.kind === 'file') await files.create(remade, move.before.bytes, { mode: move.before.mode })
  return remade
}

/**
 * Whether a place was swapped, when its old inode is nowhere: somebody has removed it, alone, with the whole stage or
 * (where it is kept beside its place) with the folder that it stood in. Who swaps a place uses up the new file, or leaves
 * nothing where there is none: so does a user who deletes the file before it is swapped.
 */
async function isLost(move: Move, scene: Scene): Promise<boolean> {
  if (scene.lost) return true
  if (move.after !== null) return !(await isStillStaged(move, scene))
  const isTold = scene.allSwapped || move.aside !== undefined
  return isTold && (await scene.files.stat(join(scene.layout.root, move.target))) === null
}

function standsAsBefore({ before, target }: Move, { files, layout }: Scene): Promise<boolean> {
  return holds(join(layout.root, target), before, files)
}

/** The new file of a move has not left the stage: what stands in its place is not relay's. */
async function isStillStaged(move: Move, { files, stage, layout }: Scene): Promise<boolean> {
  const fresh = stage.fresh(move)
  if ((await files.stat(fresh)) === null) return false
  return !(await isSameFile(fresh, join(layout.root, move.target), files))
}

/** Who wrote what stands in a place: relay, one of the project's commands, or the user; `before`: it is as it was. */
type Found = 'nothing' | 'ours' | 'before' | 'commands' | 'edited'

async function judge(path: string, move: Move, scene: Scene): Promise<Found> {
  const { files, written, commandRan } = scene
  // What stands behind a link that took a folder's place is nobody's version of this file.
  let found = await files.inspect(path)
  if (found === null && !(await isRemoved(dirname(path), scene))) found = await files.inspect(path)
  if (found === null) return 'nothing'
  if (found.kind === 'link' && move.after?.kind === 'link' && found.to === move.after.to) return 'ours'
  const hash = found.kind === 'file' ? sha256(found.bytes) : undefined
  if (hash !== undefined && hash === hashAfter(move)) return 'ours'
  if (move.before.kind === 'file' && hash === move.before.sha256 && (await comesBack(move, scene))) return 'before'
  if (hash !== undefined && hash === written?.get(move.path)) return 'commands'
  return commandRan ? 'commands' : 'edited'
}

/** Whether what comes back to a place, or is there already, is the snapshot: it may be an edit that was taken out unseen. */
async function comesBack(move: Move, { files, stage, layout }: Scene): Promise<boolean> {
  for (const path of [stage.old(move), stage.remade(move), join(layout.root, move.target)]) {
    if ((await files.stat(path)) !== null) return holds(path, move.before, files)
  }
  return false
}

/**
 * Takes what stands in a place out of it, in one step that cannot lose an edit, and then sees what it was. `false`: it
 * was there a moment ago, and is not.
 */
async function takeOut(move: Move, scene: Scene): Promise<boolean> {
  const moved = await scene.files.rename(join(scene.layout.root, move.target), scene.stage.gone(move))
  await settleGone(move, scene)
  return moved === 'renamed'
}

/**
 * Discards what was taken out if relay had written it or it is what comes back anyway (`git checkout` of the file), else
 * rescues it: also what a command may have made of a file, since a user may have typed at the same time.
 */
async function settleGone(move: Move, scene: Scene): Promise<void> {
  const gone = scene.stage.gone(move)
  const found = await judge(gone, move, scene)
  if (found === 'nothing') return
  if (found === 'ours' || found === 'before') {
    await scene.files.remove(gone)
    return
  }
  scene.rescued.push(await putAside(gone, move, scene))
}

async function keepEdit(move: Move, old: string, scene: Scene): Promise<boolean> {
  scene.kept.push(await putAside(old, move, scene))
  return false
}

function incomplete(
  entry: Entry,
  restored: readonly string[],
  failures: readonly { readonly path: string; readonly error: Error }[],
): RelayError {
  const total = restored.length + failures.length
  const lines = failures.map(({ path, error }) => `  ${path}: ${error.message}`)
  const what = `Could not restore ${failures.length} of ${total} files of #${entry.number}:`
  return new RelayError('unfinished', [what, ...lines].join('\n'), {
    hint: `The originals are safe in .relaycode/${entry.uuid}.pending.yml. ${REMEDY}`,
    cause: failures[0]?.error,
  })
}

const REMEDY = 'Remove the cause, then run `relay recover`.'
