import { protectedPlace } from '../../ground/protected-place.ts'
import type { Entry } from '../../model/entry.ts'
import type { Files } from '../../ports.ts'
import { readOwn } from '../disk/read-own.ts'
import { foldersOf } from '../entry/moves.ts'
import { readEntry } from '../entry/read-entry.ts'
import { type Layout, stateNames } from '../layout/layout.ts'
import { stageOf } from '../layout/stage.ts'

/** A pending entry from the disk, or `undefined` where it is not one that relay has written. */
export async function readPending(uuid: string, layout: Layout): Promise<Entry | undefined> {
  const entry = await readSafe(layout.pending(uuid), uuid, layout.files)
  if (entry?.held !== true || (await layout.files.stat(stageOf(layout, uuid).answered)) === null) return entry
  const { held: _, ...released } = entry
  return released
}

/** While a relay works, these are its unfinished transactions. */
export async function readAllPending(layout: Layout): Promise<readonly Entry[]> {
  const names = (await stateNames(layout)).filter(({ kind }) => kind === 'pending')
  const entries = await Promise.all(names.map(({ uuid }) => readPending(uuid, layout)))
  return entries.filter(entry => entry !== undefined)
}

/** A kept entry, for clearing up after it. */
export function readEnded(uuid: string, layout: Layout): Promise<Entry | undefined> {
  return readSafe(layout.applied(uuid), uuid, layout.files)
}

async function readSafe(path: string, uuid: string, files: Files): Promise<Entry | undefined> {
  const text = await readOwn(path, files)
  const entry = text === undefined ? undefined : readEntry(text)
  return entry?.uuid === uuid && placesOf(entry).every(mayBeTouched) ? entry : undefined
}

/** Every place that an entry would have a restore touch. */
function placesOf(entry: Entry): readonly string[] {
  const { operations, snapshot } = entry
  const led = [...snapshot.values()].flatMap(({ target, aside }) => [target ?? [], aside ?? []].flat())
  return [...operations.map(({ path }) => path), ...snapshot.keys(), ...led, ...foldersOf(entry)]
}

/**
 * An entry that came with a cloned project is untrusted: relay itself never writes one that leaves the project or leads
 * into a protected place. Where a link takes a path is judged at the moment of use: a change follows none.
 */
function mayBeTouched(path: string): boolean {
  if (path.startsWith('/') || path.includes('\0')) return false
  return !path.split(/[/\\]/).includes('..') && protectedPlace(path) === undefined
}
