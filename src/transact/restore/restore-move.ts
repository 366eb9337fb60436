import { dirname, join } from 'node:path'
import type { Entry } from '../../model/entry.ts'
import { believedMode } from '../../model/path-state.ts'
import type { Rescue } from '../../model/talk.ts'
import { moveIfFree } from '../disk/move-if-free.ts'
import { touchNow } from '../disk/touch-now.ts'
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
  /** Paths where something else stood than the snapshot: one of them that is empty now was deleted by the user. */
  readonly conflicts?: ReadonlySet<string>
  /** The entry was not begun here: what stands in the places is the user's, whatever the entry says of it. */
  readonly foreign?: boolean
}

/** A restore under way: what it goes by, and what it has put aside. */
interface Restoring extends Evidence, Edits {
  /** One place at a time is empty: it would else wait for the others, which may have long to read. */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>
  readonly rescued: Rescue[]
  readonly kept: Rescue[]
}

/** `false`: the user's version stayed, or what a command made of a file that the user had left out. */
export async function restoreMove(move: Move, restoring: Restoring): Promise<boolean> {
  try {
    await settleGone(move, restoring)
    return move.before.kind === 'absent' ? await removeNew(move, restoring) : await putBack(move, restoring)
  } catch (error) {
    // A full disk may have no room for what has to be put aside, and a rescue folder that `sudo relay` has made takes none
    // of it: it stays in the stage. The place need not wait for that.
    await fillEmpty(move, restoring)
    throw error
  }
}

/** Takes back a new file: there was nothing, so there is nothing. */
async function removeNew(move: Move, restoring: Restoring): Promise<boolean> {
  const place = join(restoring.layout.root, move.target)
  if (await isStillStaged(move, restoring)) return (await restoring.layout.files.stat(place)) === null
  for (let turn = 1; turn <= turns; turn++) {
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

/** Puts back what stood in a place: the old inode, or its content from the entry when the inode is lost. */
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
  for (let turn = 1; turn <= turns; turn++) {
    const found = await whoWrote(place, move, restoring)
    if (found === 'edited' && (restoring.policy === 'keep' || turn > 1)) break
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
    // Something appeared meanwhile. A folder that was away brings relay's own file back; what a user wrote stays.
  }
  return keepEdit(move, old, restoring)
}

/**
 * Nothing goes back to a place. Where a file was to be deleted nothing tells whether the one that stands there came after:
 * then the original goes to the rescue folder.
 */
async function leave(move: Move, restoring: Restoring): Promise<boolean> {
  // One that nobody can read any more (it lies behind a link now, say) keeps nothing open.
  const isBefore = await standsAsBefore(move, restoring).catch(() => undefined)
  if (isBefore === false && move.after === null && !(await isEmpty(move, restoring))) {
    return keepEdit(move, await remake(move, restoring), restoring)
  }
  return isBefore === true
}

/**
 * The original made anew, where the file that was taken out is it no more: a command that goes through every folder has
 * rewritten it, or an editor through a handle of its own. One that was edited before it was taken out is the original.
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

/** Puts back what stood in a place that is empty by now; whatever else is in it stays. */
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

/** So often a place is emptied that does not stay empty. */
const turns = 5

/** The folders of a place that somebody has removed meanwhile. */
async function remakeAbove(place: string, evidence: Evidence): Promise<void> {
  const { root, files } = evidence.layout
  const folder = dirname(place)
  if (folder === root || !(await isRemoved(folder, evidence))) return
  await remakeAbove(folder, evidence)
  await files.makeFolder(folder)
}

/** For files that were left out, and are something else by now: what they were goes to the rescue folder, and they stay. */
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
    aside.push(await putAside(await remake(move, evidence), move, evidence.stage))
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

/** Makes the old state of a place from the entry. */
async function remake(move: Move, evidence: Evidence): Promise<string> {
  const { stage, layout } = evidence
  const { root, files } = layout
  const remade = stage.remade(move)
  await remakeAbove(remade, evidence)
  // One that is not whole was left by a kill.
  await files.remove(remade)
  if (move.before.kind === 'link') await files.symlink(move.before.to, remade)
  if (move.before.kind === 'file') {
    const onDisk = await files.stat(join(root, move.target))
    await files.create(remade, move.before.bytes, { mode: believedMode(move.before.mode, onDisk?.mode) })
  }
  return remade
}

/**
 * Takes what stands in a place out of it, in one step that cannot lose an edit. What it was is seen by `settleGone` once
 * the place is filled again, for until then the file is missing. `false`: it was there a moment ago, and is not.
 */
async function takeOut(move: Move, { stage, layout: { root, files } }: Evidence): Promise<boolean> {
  return (await files.rename(join(root, move.target), stage.gone(move))) === 'renamed'
}

/**
 * Discards what was taken out if relay had written it or it is what comes back anyway (`git checkout` of the file), else
 * rescues it: also what a command may have made of a file, since a user may have typed at the same time.
 */
async function settleGone(move: Move, restoring: Restoring): Promise<void> {
  const gone = restoring.stage.gone(move)
  const found = await whoWrote(gone, move, restoring)
  if (found === 'nothing') return
  if (found === 'ours' || found === 'before') {
    await restoring.layout.files.remove(gone)
    return
  }
  restoring.rescued.push(await putAside(gone, move, restoring.stage))
}

async function keepEdit(move: Move, old: string, restoring: Restoring): Promise<boolean> {
  restoring.kept.push(await putAside(old, move, restoring.stage))
  return false
}
