/**
 * The evidence for a rollback: what is on the disk in an entry's places and in its stage. Changes nothing; `restore`
 * acts on it.
 */
import { dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { Entry } from '../../model/entry.ts'
import type { Files } from '../../ports.ts'
import { inFlight } from '../disk/in-flight.ts'
import { isGone } from '../disk/is-gone.ts'
import { sha256 } from '../entry/hash.ts'
import { hashAfter, holds, type Move, movesOf } from '../entry/moves.ts'
import type { Layout } from '../layout/layout.ts'
import { isStageLost, type Stage, stageOf } from '../layout/stage.ts'
import { notedWritten, startedCommand, type Written } from '../layout/stage-notes.ts'

/** An entry's files, and how far the transaction came, by its stage. */
export interface Evidence {
  readonly layout: Layout
  readonly stage: Stage
  /** The stage is gone, and the old inodes with it: only the places show how far the transaction came. */
  readonly lost: boolean
  /** The patch's files after the commands, if that was noted. */
  readonly written: Written | undefined
  /** A command was started that runs only after every place was swapped. */
  readonly allSwapped: boolean
  /** A command's effects were not noted yet: they cannot be told from edits. */
  readonly commandRan: boolean
  /** The entry was not begun here, and what it says of the files is not believed. */
  readonly foreign?: boolean
  /** Folders that did not come back in time. */
  readonly removed: Set<string>
}

/** Reads only the stage: each place is read when it is restored, for it may have changed by then. */
export async function evidenceOf(entry: Entry, layout: Layout): Promise<Evidence> {
  const stage = stageOf(layout, entry.uuid)
  const written = await notedWritten(stage)
  const step = (await startedCommand(stage))?.step
  const allSwapped = step === 'post' || step === 'lint'
  return {
    layout,
    stage,
    lost: await isStageLost(stage),
    written,
    allSwapped,
    commandRan: written === undefined && allSwapped,
    removed: new Set(),
  }
}

/**
 * The paths of an entry where a restore would meet what relay did not write: edits, and what is put aside without a
 * question, since a command may have made it of the file.
 */
export async function findForeign(
  entry: Entry,
  layout: Layout,
): Promise<{ readonly edited: readonly string[]; readonly aside: readonly string[] }> {
  const evidence = await evidenceOf(entry, layout)
  if (!evidence.lost && (await layout.files.stat(evidence.stage.staged)) === null) return { edited: [], aside: [] }
  const found = await inFlight(movesOf(entry), async move => {
    try {
      if (!(await wasSwapped(move, evidence)) && !(await changedLeftOut(move, evidence))) return undefined
      return { path: move.path, by: await whoWrote(join(layout.root, move.target), move, evidence) }
    } catch (error) {
      // A link has taken a folder's place, so the file cannot be reached; the restore will say so.
      if (error instanceof RelayError && error.kind === 'conflict') return undefined
      throw error
    }
  })
  const by = (who: 'edited' | 'commands') => found.flatMap(each => (each?.by === who ? each.path : []))
  return { edited: by('edited'), aside: by('commands') }
}

/** The moves whose changes are in their places, without those that were left out. */
export async function findSwapped(entry: Entry, layout: Layout): Promise<readonly Move[]> {
  const evidence = await evidenceOf(entry, layout)
  const found = await inFlight(movesOf(entry), async move => ((await wasSwapped(move, evidence)) ? move : undefined))
  return found.filter(move => move !== undefined)
}

/** relay's file is in the move's place, or was: the present one may be an edit of it. */
async function wasSwapped(move: Move, evidence: Evidence): Promise<boolean> {
  if (move.before.kind === 'absent') return !(await isStillStaged(move, evidence))
  const { root, files } = evidence.layout
  const old = evidence.stage.old(move)
  if ((await files.stat(old)) === null) return (await isLost(move, evidence)) && !(await standsAsBefore(move, evidence))
  return !(await isSameFile(old, join(root, move.target), files))
}

/**
 * The author of the file in a place: relay, one of the project's commands, or the user; `before`: the file is as it
 * was.
 */
type Found = 'nothing' | 'ours' | 'before' | 'commands' | 'edited'

/** The path is a move's place, or the file that was taken out of it. */
export async function whoWrote(path: string, move: Move, evidence: Evidence): Promise<Found> {
  const { written, commandRan, foreign } = evidence
  const { files } = evidence.layout
  // A file behind a link that took a folder's place is nobody's version of this file.
  let found = await files.inspect(path)
  if (found === null && !(await isRemoved(dirname(path), evidence))) found = await files.inspect(path)
  if (found === null) return 'nothing'
  if (foreign === true) return 'edited'
  if (found.kind === 'link' && move.after?.kind === 'link' && found.to === move.after.to) return 'ours'
  const hash = found.kind === 'file' ? sha256(found.bytes) : undefined
  if (hash !== undefined && hash === hashAfter(move)) return 'ours'
  if (move.before.kind === 'file' && hash === move.before.sha256 && (await comesBack(move, evidence))) return 'before'
  if (hash !== undefined && hash === written?.get(move.path)) return 'commands'
  return commandRan ? 'commands' : 'edited'
}

/**
 * The file that comes back to a place, or is there already, is the snapshot's, and not an edit that was taken out
 * unseen.
 */
async function comesBack(move: Move, { stage, layout: { root, files } }: Evidence): Promise<boolean> {
  for (const path of [stage.old(move), stage.remade(move), join(root, move.target)]) {
    if ((await files.stat(path)) !== null) return holds(path, move.before, files)
  }
  return false
}

/**
 * The new file of a move has not left the stage, so the file in its place is not relay's. Some file systems (in user
 * space, shared folders) number names and not files: there the place can hold the file under another number.
 */
export async function isStillStaged(move: Move, { stage, layout: { root, files } }: Evidence): Promise<boolean> {
  const [fresh, place] = [stage.fresh(move), join(root, move.target)]
  if ((await files.stat(fresh)) === null) return false
  return !(await isSameFile(fresh, place, files)) && !(await isSameVersion(fresh, place, files))
}

/** Nobody else wrote the same text at the same moment. */
async function isSameVersion(one: string, other: string, files: Files): Promise<boolean> {
  if ((await files.stat(one))?.modifiedMs !== (await files.stat(other))?.modifiedMs) return false
  const [a, b] = [await files.inspect(one), await files.inspect(other)]
  return a?.kind === 'file' && b?.kind === 'file' && Buffer.compare(a.bytes, b.bytes) === 0
}

/**
 * A place was swapped although its old inode is nowhere: somebody has removed it, alone, with the whole stage, or with
 * the folder beside its place that held it. A swap uses up the new file, or leaves the place of a deleted file empty; a
 * user who deletes the file before the swap looks the same.
 */
export async function isLost(move: Move, evidence: Evidence): Promise<boolean> {
  if (evidence.lost) return true
  if (move.after !== null) return !(await isStillStaged(move, evidence))
  const isTold = evidence.allSwapped || move.aside !== undefined
  const { root, files } = evidence.layout
  return isTold && (await files.stat(join(root, move.target))) === null
}

/**
 * The user left this place out after it was swapped, and a command or somebody has changed it since. A file that nobody
 * can read any more does not keep the rollback open.
 */
export async function changedLeftOut(move: Move, evidence: Evidence): Promise<boolean> {
  const wasThere = evidence.allSwapped && move.before.kind !== 'absent'
  return wasThere && !(await standsAsBefore(move, evidence).catch(() => true))
}

/** Where a move changes only the permission bits, those that it gives tell its file. Nobody believes a foreign entry's bits. */
export async function standsAsBefore(move: Move, { layout: { root, files }, foreign }: Evidence): Promise<boolean> {
  const { before, after, target } = move
  const place = join(root, target)
  if (!(await holds(place, before, files))) return false
  const isSame = before.kind === 'file' && before.sha256 === hashAfter(move)
  if (!isSame || after?.kind !== 'file' || after.mode === before.mode || foreign === true) return true
  return (await files.stat(place))?.mode !== after.mode
}

/** A folder that is only exchanged or moved for a moment brings its files back, and does not count as removed. */
export async function isRemoved(folder: string, { layout: { files }, removed }: Evidence): Promise<boolean> {
  if ((await files.stat(folder)) !== null) return false
  if (!removed.has(folder) && (await isGone(folder, files))) removed.add(folder)
  return removed.has(folder)
}

/** A link that was made again counts as the same link. */
export async function isSameFile(one: string, other: string, files: Files): Promise<boolean> {
  const [a, b] = [await files.stat(one), await files.stat(other)]
  if (a === null || b === null) return false
  if (a.kind === 'link' && b.kind === 'link') return (await files.readLink(one)) === (await files.readLink(other))
  return a.inode === b.inode && a.device === b.device
}
