import { dirname, join } from 'node:path'
import type { Entry } from '../../model/entry.ts'
import { believedMode } from '../../model/path-state.ts'
import type { Rescue } from '../../model/talk.ts'
import { moveIfFree } from '../disk/move-if-free.ts'
import { touchNow } from '../disk/touch-now.ts'
import { sha256 } from '../entry/hash.ts'
import { holds, type Move } from '../entry/moves.ts'
import type { Layout } from '../layout/layout.ts'
import {
  changedLeftOut,
  type Evidence,
  evidenceOf,
  isLost,
  isRemoved,
  isSameFile,
  isStillStaged,
  standsAsBefore,
  whoWrote,
} from './evidence.ts'
import { mergeOut } from './merge-out.ts'
import { rescueFile } from './rescue.ts'

/**
 * What becomes of a file that the user edited after relay had written it: `rescue` puts the edit aside and restores
 * the original, `keep` leaves the edit and puts the original aside. Neither loses anything.
 */
export type EditPolicy = 'rescue' | 'keep'

export interface Edits {
  readonly policy: EditPolicy
  /** A file that was taken out of its place may be an earlier edit, and not the snapshot's. */
  readonly tookEdits?: boolean
  /** Paths that held something else than the snapshot. If one is empty now, the user deleted the file. */
  readonly conflicts?: ReadonlySet<string>
  /** Of an edited file only the change is taken out, where that is a clean merge; else the policy decides. */
  readonly mergesOut?: boolean
  /** The entry was not begun here: all files in the places are the user's, whatever the entry says. */
  readonly foreign?: boolean
}

interface Restoring extends Evidence, Edits {
  /** Only one place at a time is empty: otherwise it would wait for others, which may take long to read. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
  readonly rescued: Rescue[]
  readonly kept: Rescue[]
  readonly merged: string[]
}

/** `false`: the user's version stayed, or a command's version of a file that the user had left out. */
export async function restoreMove(move: Move, restoring: Restoring): Promise<boolean> {
  try {
    await settleGone(move, restoring)
    return move.before.kind === 'absent' ? await removeNew(move, restoring) : await putBack(move, restoring)
  } catch (error) {
    // Putting aside can fail: a full disk has no room, and a rescue folder of `sudo relay` cannot be written. Then the
    // file stays in the stage, and its place is restored all the same.
    await fillEmpty(move, restoring)
    throw error
  }
}

async function removeNew(move: Move, restoring: Restoring): Promise<boolean> {
  const place = join(restoring.layout.root, move.target)
  if (await isStillStaged(move, restoring)) return (await restoring.layout.files.stat(place)) === null
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const found = await whoWrote(place, move, restoring)
    if (found === 'nothing') return true
    if (found === 'edited' && restoring.policy === 'keep') {
      restoring.kept.push({ path: move.path, rescue: '' })
      return false
    }
    const isOut = await takeOut(move, restoring)
    await settleGone(move, restoring)
    if (isOut) return true
  }
  return true
}

/** Puts back the old inode, or its content from the entry if the inode is lost. */
async function putBack(move: Move, restoring: Restoring): Promise<boolean> {
  const { root, files } = restoring.layout
  const place = join(root, move.target)
  let old = await oldOf(move, restoring)
  if (old === undefined) return leave(move, restoring)
  if (await isSameFile(old, place, files)) {
    await files.remove(old)
    return true
  }
  const original = await originalBeside(old, move, restoring)
  if (original !== undefined && restoring.policy === 'rescue') {
    await files.rename(old, restoring.stage.gone(move))
    await settleGone(move, restoring)
    old = original
  }
  if (await putMerged(move, old, restoring)) return false
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const found = await whoWrote(place, move, restoring)
    if (found === 'edited' && (restoring.policy === 'keep' || attempt > 1)) break
    if (found === 'nothing') await remakeAbove(place, restoring)
    const from = old
    const isBack = await restoring.alone(async () => {
      if (found !== 'nothing') await takeOut(move, restoring)
      return comeBack(from, move, restoring)
    })
    await settleGone(move, restoring)
    if (isBack) {
      return original === undefined || old === original || keepEdit(move, original, restoring)
    }
    // Something appeared meanwhile. If a folder came back, this is relay's own file; a user's file stays.
  }
  return keepEdit(move, old, restoring)
}

/**
 * Where the user edited the file, takes only the change out of it. `false`: it stays to be put back whole; also where it was
 * edited once more meanwhile, and then its place may be empty.
 */
async function putMerged(move: Move, old: string, restoring: Restoring): Promise<boolean> {
  const { stage, layout, mergesOut = false, merged } = restoring
  const { root, files } = layout
  const place = join(root, move.target)
  if (!mergesOut || (await whoWrote(place, move, restoring)) !== 'edited') return false
  const made = await mergeOut(move, old, restoring)
  if (made === undefined) return false
  const isIn = await restoring.alone(async () => {
    await takeOut(move, restoring)
    const gone = await files.inspect(stage.gone(move))
    const isSame = gone?.kind === 'file' && sha256(gone.bytes) === made.of
    return isSame && (await comeBack(made.path, move, restoring))
  })
  if (!isIn) {
    await settleGone(move, restoring)
    return false
  }
  // The edits were nowhere else.
  await files.sync(dirname(place))
  await files.remove(stage.gone(move))
  await files.remove(old)
  merged.push(move.path)
  return true
}

/**
 * Leaves a place as it is. If a file was to be deleted, the present one may be the original or a later one: then the
 * original goes to the rescue folder.
 */
async function leave(move: Move, restoring: Restoring): Promise<boolean> {
  // A file that nobody can read any more, for instance behind a link, does not keep the rollback open.
  const isBefore = await standsAsBefore(move, restoring).catch(() => undefined)
  if (isBefore === false && move.after === null && !(await isEmpty(move, restoring))) {
    return keepEdit(move, await remake(move, restoring), restoring)
  }
  return isBefore === true
}

/**
 * Makes the original again if the file that was taken out has changed since: a command that enters every folder has
 * rewritten it, or an editor through an open handle. A file that was edited before it was taken out is the original.
 */
async function originalBeside(old: string, move: Move, restoring: Restoring): Promise<string | undefined> {
  if (
    restoring.tookEdits === true ||
    old === restoring.stage.remade(move) ||
    (await holds(old, move.before, restoring.layout.files))
  )
    return undefined
  return remake(move, restoring)
}

/** Puts the old file back if the place is empty; anything else in it stays. */
async function fillEmpty(move: Move, evidence: Restoring): Promise<void> {
  const place = join(evidence.layout.root, move.target)
  const old = move.before.kind === 'absent' ? undefined : await oldOf(move, evidence)
  if (old === undefined || (await whoWrote(place, move, evidence)) !== 'nothing') return
  await remakeAbove(place, evidence)
  await comeBack(old, move, evidence)
}

async function comeBack(
  old: string,
  { before, target }: Move,
  { layout: { root, files } }: Evidence,
): Promise<boolean> {
  const pointsTo = before.kind === 'link' ? before.to : undefined
  if (pointsTo === undefined) await touchNow(old, files)
  return moveIfFree(old, join(root, target), files, { whenFull: 'move', pointsTo })
}

/** The tries to empty a place that does not stay empty. */
const mostAttempts = 5

/** Makes the folders of a place again that somebody has removed meanwhile. */
async function remakeAbove(place: string, evidence: Evidence): Promise<void> {
  const { root, files } = evidence.layout
  const folder = dirname(place)
  if (folder === root || !(await isRemoved(folder, evidence))) return
  await remakeAbove(folder, evidence)
  await files.makeFolder(folder)
}

/**
 * For files that were left out and have changed since: the originals go to the rescue folder, and the present files
 * stay.
 */
export async function putOriginalsAside(
  leftOut: readonly Move[],
  entry: Entry,
  layout: Layout,
): Promise<readonly Rescue[]> {
  if (leftOut.length === 0) return []
  const evidence = await evidenceOf(entry, layout)
  const aside: Rescue[] = []
  for (const move of leftOut) {
    if (!(await changedLeftOut(move, evidence))) continue
    aside.push(await rescueFile(await remake(move, evidence), move, evidence.stage))
  }
  return aside
}

/**
 * Where the old state of a place is kept; `undefined` when the place was never swapped, or is as before already. An empty
 * place gets what the entry has: its original may have been removed from the stage, or a power cut has taken it.
 */
async function oldOf(move: Move, evidence: Evidence & Pick<Edits, 'conflicts'>): Promise<string | undefined> {
  const { stage, layout, conflicts } = evidence
  const { files } = layout
  const old = stage.old(move)
  if ((await files.stat(old)) !== null) return old
  if (await holds(stage.remade(move), move.before, files)) return stage.remade(move)
  if ((await isEmpty(move, evidence)) && conflicts?.has(move.path) !== true) return remake(move, evidence)
  const isToCome = (await isLost(move, evidence))
    ? !(await standsAsBefore(move, evidence))
    : await changedLeftOut(move, evidence)
  return isToCome ? remake(move, evidence) : undefined
}

async function isEmpty({ target }: Move, { layout: { root, files } }: Evidence): Promise<boolean> {
  return (await files.stat(join(root, target))) === null
}

async function remake(move: Move, evidence: Evidence): Promise<string> {
  const { stage, layout } = evidence
  const { root, files } = layout
  const remade = stage.remade(move)
  await remakeAbove(remade, evidence)
  // A kill may have left a part of the file.
  await files.remove(remade)
  if (move.before.kind === 'link') await files.symlink(move.before.to, remade)
  if (move.before.kind === 'file') {
    const onDisk = await files.stat(join(root, move.target))
    await files.create(remade, move.before.bytes, { mode: believedMode(move.before.mode, onDisk?.mode) })
  }
  return remade
}

/**
 * Takes the file out of a place, in one step that cannot lose an edit. `settleGone` judges it after the place is filled
 * again, because until then the file is missing. `false`: it disappeared a moment ago.
 */
async function takeOut(move: Move, { stage, layout: { root, files } }: Evidence): Promise<boolean> {
  return (await files.rename(join(root, move.target), stage.gone(move))) === 'renamed'
}

/**
 * Discards the file that was taken out if relay wrote it, or if it equals the one that comes back (after `git
 * checkout`). Otherwise rescues it, also after a command may have changed it, since a user may have typed at the same
 * time.
 */
async function settleGone(move: Move, restoring: Restoring): Promise<void> {
  const gone = restoring.stage.gone(move)
  const found = await whoWrote(gone, move, restoring)
  if (found === 'nothing') return
  if (found === 'ours' || found === 'before') {
    await restoring.layout.files.remove(gone)
    return
  }
  restoring.rescued.push(await rescueFile(gone, move, restoring.stage))
}

async function keepEdit(move: Move, old: string, restoring: Restoring): Promise<boolean> {
  restoring.kept.push(await rescueFile(old, move, restoring.stage))
  return false
}
