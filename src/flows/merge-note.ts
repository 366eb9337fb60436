import { join } from 'node:path'
import { digest } from '../ground/bytes.ts'
import { isShape, isText } from '../ground/json.ts'
import type { MergeNote } from '../model/ship.ts'
import type { System } from '../ports.ts'
import { isOwn, makeFolders, readNote, writeNote } from '../state-files.ts'

type Doors = Pick<System, 'files' | 'stateFolder' | 'uid'>

/** Remembers the last merge that relay made in a project, so that `relay undo` does not reach behind it. Never fails. */
export async function noteMerge(root: string, note: MergeNote, system: Doors): Promise<void> {
  const { files, stateFolder } = system
  if (stateFolder === undefined) return
  const write = async () =>
    writeNote(await placeIn(await makeFolders(join(stateFolder, 'merges'), files), root, files), note, system)
  await write().catch(() => undefined)
}

/** `undefined` also where somebody else could have written it: it names a command for people to run. */
export async function readMerge(root: string, system: Doors): Promise<MergeNote | undefined> {
  const { files, stateFolder } = system
  const folder = stateFolder === undefined ? null : await files.realPath(join(stateFolder, 'merges'))
  if (folder === null) return undefined
  const place = await placeIn(folder, root, files)
  const note = (await isOwn(place, system)) ? await readNote(place, system) : undefined
  return isMergeNote(note) ? note : undefined
}

async function placeIn(folder: string, root: string, files: Doors['files']): Promise<string> {
  return join(folder, `${digest('sha256', (await files.realPath(root)) ?? root).slice(0, 32)}.json`)
}

const isMergeNote = isShape<MergeNote>({ at: isText, branch: isText, into: isText, undo: isText })
