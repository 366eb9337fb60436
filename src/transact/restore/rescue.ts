import { basename, dirname, join } from 'node:path'
import { RelayError } from '../../errors.ts'
import type { Entry } from '../../model/entry.ts'
import type { Rescue } from '../../model/talk.ts'
import type { Files } from '../../ports.ts'
import { inFlight } from '../disk/in-flight.ts'
import { holds, isKeptInStage, type Move, movesOf } from '../entry/moves.ts'
import type { Layout } from '../layout/layout.ts'
import type { Stage } from '../layout/stage.ts'
import { foldersDown, rescueEnding, rescuePlace } from './rescue-copies.ts'

/**
 * Moves a file that was in a place, or would come back to it, out of the way. Answers where it is, relative to the
 * root. Files that were put aside before are not overwritten.
 */
export async function rescueFile(from: string, move: Move, stage: Stage): Promise<Rescue> {
  const { layout } = stage
  const kind = move.aside === undefined ? undefined : (await layout.files.inspect(from))?.kind
  const canCopy = kind !== 'folder' && kind !== 'other'
  const place = canCopy ? await rescue(from, move, stage) : await setBeside(from, move, layout)
  return { path: move.path, rescue: place.slice(layout.root.length + 1) }
}

/**
 * Puts aside files that were taken out of their places and have changed since: an editor that had them open has written
 * to them. A file with a second name is not lost.
 */
export async function rescueLateSaves(moves: readonly Move[], stage: Stage): Promise<readonly Rescue[]> {
  const { files } = stage.layout
  const staged = await files.stat(stage.staged)
  const replaced = moves.filter(({ before }) => before.kind !== 'absent')
  const found = await inFlight(replaced, async move => {
    const old = stage.old(move)
    const stat = await files.stat(old)
    if (stat?.kind !== 'file' || stat.links > 1) return []
    // It was the original if it is older than the stage; another file system may have another clock.
    if (staged !== null && isKeptInStage(move) && stat.modifiedMs < staged.modifiedMs) return []
    return (await holds(old, move.before, files)) ? [] : [await rescueFile(old, move, stage)]
  })
  return found.flat()
}

/**
 * The user's versions that an earlier rollback put aside under their own paths, before it was killed and could not name
 * them.
 */
export async function rescuedBefore(entry: Entry, layout: Layout): Promise<readonly Rescue[]> {
  const { root, files } = layout
  const begun = (await files.stat(layout.pending(entry.uuid)))?.changedMs ?? Number.POSITIVE_INFINITY
  const found = await inFlight(movesOf(entry), async ({ path, before }) => {
    const place = rescuePlace(path, entry.uuid, layout)
    const there = await files.stat(place)
    // An earlier transaction with the same uuid may have left its own file there; an original is put aside once more.
    if (there === null || there.changedMs < begun || (await holds(place, before, files))) return []
    return [{ path, rescue: place.slice(root.length + 1) }]
  })
  return found.flat()
}

/**
 * Puts a pending entry that was not begun here into the rescue folder, after its stage: from then on nothing is unfinished.
 * Answers where they are, relative to the root.
 */
export async function rescueEntry(stage: Stage): Promise<readonly string[]> {
  const { layout, uuid } = stage
  return [...(await rescueStage(stage)), ...(await intoRescues(layout.pending(uuid), layout))]
}

/** Puts the whole stage into the rescue folder: it may hold the only copies of files. */
export async function rescueStage({ folder, layout }: Stage): Promise<readonly string[]> {
  return intoRescues(folder, layout)
}

async function intoRescues(from: string, { rescues, folder, root, files }: Layout): Promise<readonly string[]> {
  const place = await freeName(join(rescues, basename(from)), files)
  if ((await files.rename(from, place)) === 'absent') return []
  for (const changed of [rescues, folder]) await files.sync(changed)
  return [place.slice(root.length + 1)]
}

/** Moves a file into the rescue folder, under its own path. */
async function rescue(from: string, move: Move, { layout, uuid }: Stage): Promise<string> {
  const { files } = layout
  const home = layout.rescue(uuid)
  const folders = [layout.rescues, ...foldersDown(home, dirname(move.path))]
  const wished = rescuePlace(move.path, uuid, layout)
  const underItsPath = async () => {
    for (const folder of folders) await files.makeFolder(folder, 0o700)
    // The rescued version of a file `b` may be in the place of a folder `b.rescued`.
    return (await files.stat(dirname(wished)))?.kind === 'folder' ? freeName(wished, files) : undefined
  }
  // A full disk has no room for new folders, and a long name none for a number. The rescue folder itself always exists,
  // and a rename needs no room.
  const place =
    (await underItsPath().catch(() => undefined)) ??
    (await freeName(join(layout.rescues, `${uuid}.${move.key}${rescueEnding}`), files))
  const isMoved = move.aside === undefined
  if (isMoved) await files.rename(from, place)
  else await copy(from, place, files)
  try {
    // The editor may have saved the file without a sync.
    if (isMoved && (await files.stat(place))?.kind === 'file') await files.sync(place)
    for (const folder of folders) if ((await files.stat(folder)) !== null) await files.sync(folder)
  } catch (error) {
    // Otherwise the next try would find no file, and name none.
    if (isMoved) await files.rename(place, from)
    else await files.remove(place)
    throw error
  }
  if (!isMoved) await files.remove(from)
  return place
}

/**
 * Renames something beside its place: a folder, a pipe, a device or a huge file on another file system, which can be
 * neither moved nor copied, or whatever has taken the place of relay's own folder. A long name is shortened to make
 * room for the ending.
 */
export async function setBeside(
  from: string,
  { target }: Pick<Move, 'target'>,
  { root, files }: Layout,
): Promise<string> {
  const name = `${basename(target).slice(0, 75)}.relay-rescued`
  const place = await freeName(join(root, dirname(target), name), files)
  await files.rename(from, place)
  return place
}

/** The name itself, or the name with the first free number, so that nothing is overwritten. */
async function freeName(path: string, files: Files): Promise<string> {
  for (let copy = 1; ; copy += 1) {
    const place = copy === 1 ? path : `${path}.${copy}`
    if ((await files.stat(place)) === null) return place
  }
}

/** For another file system, to which nothing can be moved: the file is removed once its copy is safe. */
async function copy(from: string, to: string, files: Files): Promise<void> {
  if ((await files.stat(from))?.kind === 'link') {
    await files.symlink(await files.readLink(from), to)
  } else {
    const bytes = await files.read(from)
    if (bytes !== null && (await files.create(to, bytes, { mode: 0o600 })) === 'exists') {
      throw new RelayError('conflict', `Something appeared at ${to} while relay put a file there`, {
        hint: 'Run `relay recover`.',
      })
    }
  }
}
