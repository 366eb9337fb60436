import { dirname, join } from 'node:path'
import type { Rescue } from '../../model.ts'
import { makeYoung } from '../disk/make-young.ts'
import { moveIfFree } from '../disk/move-if-free.ts'
import { holds, type Move } from '../entry/moves.ts'
import { isLost, isRemoved, isSameFile, isStillStaged, judge, type Scene, standsAsBefore } from './evidence.ts'
import { putAside } from './put-aside.ts'

/**
 * What becomes of a file that the user edited after relay had written it: `rescue` puts the edit aside and restores
 * the original, `keep` leaves the edit and puts the original aside. Neither loses anything.
 */
export type EditPolicy = 'rescue' | 'keep'

/** What a restore is told of the user's edits. */
export interface Edits {
  readonly policy: EditPolicy
  /** What was taken out of a place may be an edit that came before, and not what the snapshot says. */
  readonly tookEdits?: boolean
}

/** A restore under way: what it goes by, and what it has put aside. */
interface Restoring extends Scene, Edits {
  /** One place at a time is empty: it would else wait for the others, which may have long to read. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
  readonly rescued: Rescue[]
  readonly kept: Rescue[]
}

/** `false`: the user's version stayed. */
export async function restoreMove(move: Move, scene: Restoring): Promise<boolean> {
  try {
    await settleGone(move, scene)
    return move.before.kind === 'absent' ? await removeNew(move, scene) : await putBack(move, scene)
  } catch (error) {
    // A full disk may have no room for what has to be put aside, and a rescue folder that `sudo relay` has made takes none
    // of it: it stays in the stage. The place need not wait for that.
    await fillEmpty(move, scene)
    throw error
  }
}

/** Takes back a new file: there was nothing, so there is nothing. */
async function removeNew(move: Move, scene: Restoring): Promise<boolean> {
  const place = join(scene.layout.root, move.target)
  if (await isStillStaged(move, scene)) return true
  for (let turn = 1; turn <= turns; turn++) {
    const found = await judge(place, move, scene)
    if (found === 'nothing') return true
    if (found === 'edited' && scene.policy === 'keep') {
      scene.kept.push({ path: move.path, rescue: '' })
      return false
    }
    const isOut = await takeOut(move, scene)
    await settleGone(move, scene)
    if (isOut) return true
  }
  return true
}

/** Puts back what stood in a place: the old inode, or its content from the entry when the inode is lost. */
async function putBack(move: Move, scene: Restoring): Promise<boolean> {
  const { root, files } = scene.layout
  const place = join(root, move.target)
  let old = await oldOf(move, scene)
  if (old === undefined) return true
  if (await isSameFile(old, place, files)) {
    await files.remove(old)
    return true
  }
  const original = await originalBeside(old, move, scene)
  if (original !== undefined && scene.policy === 'rescue') {
    await files.rename(old, scene.stage.gone(move))
    await settleGone(move, scene)
    old = original
  }
  for (let turn = 1; turn <= turns; turn++) {
    const found = await judge(place, move, scene)
    if (found === 'edited' && (scene.policy === 'keep' || turn > 1)) break
    if (found === 'nothing') await remakeAbove(place, scene)
    const from = old
    const isBack = await scene.alone(async () => {
      if (found !== 'nothing') await takeOut(move, scene)
      return comeBack(from, move, scene)
    })
    await settleGone(move, scene)
    if (isBack) {
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
async function originalBeside(old: string, move: Move, scene: Restoring): Promise<string | undefined> {
  if (
    scene.tookEdits === true ||
    old === scene.stage.remade(move) ||
    (await holds(old, move.before, scene.layout.files))
  )
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

async function comeBack(old: string, { before, target }: Move, { layout: { root, files } }: Scene): Promise<boolean> {
  const pointsTo = before.kind === 'link' ? before.to : undefined
  if (pointsTo === undefined) await makeYoung(old, files)
  return moveIfFree(old, join(root, target), files, { whenFull: 'move', pointsTo })
}

/** So often a place is emptied that does not stay empty. */
const turns = 5

/** The folders of a place that somebody has removed meanwhile. */
async function remakeAbove(place: string, scene: Scene): Promise<void> {
  const { root, files } = scene.layout
  const folder = dirname(place)
  if (folder === root || !(await isRemoved(folder, scene))) return
  await remakeAbove(folder, scene)
  await files.makeFolder(folder)
}

/** Where the old state of a place is kept; `undefined` when the place was never swapped, or is as before already. */
async function oldOf(move: Move, scene: Scene): Promise<string | undefined> {
  const { stage, layout } = scene
  const { files } = layout
  const old = stage.old(move)
  if ((await files.stat(old)) !== null) return old
  if (await holds(stage.remade(move), move.before, files)) return stage.remade(move)
  if (!(await isLost(move, scene)) || (await standsAsBefore(move, scene))) return undefined
  return remake(move, scene)
}

/** Makes the old state of a place from the entry. */
async function remake(move: Move, scene: Scene): Promise<string> {
  const { stage, layout } = scene
  const { files } = layout
  const remade = stage.remade(move)
  await remakeAbove(remade, scene)
  // One that is not whole was left by a kill.
  await files.remove(remade)
  if (move.before.kind === 'link') await files.symlink(move.before.to, remade)
  if (move.before.kind === 'file') await files.create(remade, move.before.bytes, { mode: move.before.mode })
  return remade
}

/**
 * Takes what stands in a place out of it, in one step that cannot lose an edit. What it was is seen by `settleGone` once
 * the place is filled again, for until then the file is missing. `false`: it was there a moment ago, and is not.
 */
async function takeOut(move: Move, { stage, layout: { root, files } }: Scene): Promise<boolean> {
  return (await files.rename(join(root, move.target), stage.gone(move))) === 'renamed'
}

/**
 * Discards what was taken out if relay had written it or it is what comes back anyway (`git checkout` of the file), else
 * rescues it: also what a command may have made of a file, since a user may have typed at the same time.
 */
async function settleGone(move: Move, scene: Restoring): Promise<void> {
  const gone = scene.stage.gone(move)
  const found = await judge(gone, move, scene)
  if (found === 'nothing') return
  if (found === 'ours' || found === 'before') {
    await scene.layout.files.remove(gone)
    return
  }
  scene.rescued.push(await putAside(gone, move, scene.stage))
}

async function keepEdit(move: Move, old: string, scene: Restoring): Promise<boolean> {
  scene.kept.push(await putAside(old, move, scene.stage))
  return false
}
