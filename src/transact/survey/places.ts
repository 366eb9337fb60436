import { join } from 'node:path'
import type { WrittenState } from '../../model/entry.ts'
import { changeBetween, isSameState, NEW_FILE_MODE } from '../../model/path-state.ts'
import type { Change, FileState, LinkState, PathState } from '../../model/plan.ts'
import { inFlight } from '../disk/in-flight.ts'
import { sha256 } from '../entry/hash.ts'
import { hashAfter, type Move } from '../entry/moves.ts'
import type { Layout } from '../layout/layout.ts'
import type { Written } from '../layout/stage-notes.ts'

/** The present states of the places of moves, by path; `null`: neither a file nor a link. */
export type Places = ReadonlyMap<string, Placed>

type Placed = (FileState & { readonly sha256: string }) | LinkState | null

/** Whatever is neither a file nor a link counts as nothing. */
export async function lookAt(moves: readonly Move[], { root, files }: Layout): Promise<Places> {
  const found = await inFlight(moves, async (move): Promise<[string, Placed]> => {
    const place = join(root, move.target)
    const stat = await files.stat(place)
    if (stat?.kind === 'link') return [move.path, { kind: 'link', to: await files.readLink(place) }]
    const bytes = stat?.kind === 'file' ? await files.read(place) : null
    if (stat === null || bytes === null) return [move.path, null]
    // Equal content is kept in memory once, with one hash.
    const { after } = move
    const content =
      after?.kind === 'file' && Buffer.compare(bytes, after.bytes) === 0 ? after : { bytes, sha256: sha256(bytes) }
    return [move.path, { kind: 'file', bytes: content.bytes, mode: stat.mode, sha256: content.sha256 }]
  })
  return new Map(found)
}

/** `null` for whatever is no file. */
export function hashIn(places: Places, path: string): string | null {
  const placed = places.get(path)
  return placed?.kind === 'file' ? placed.sha256 : null
}

export function hashesIn(places: Places): Written {
  return new Map([...places.keys()].map(path => [path, hashIn(places, path)]))
}

/** The paths where two looks differ. */
export function differences(before: Written, after: Written): readonly string[] {
  return [...after].flatMap(([path, hash]) => (before.get(path) === hash ? [] : [path]))
}

/**
 * The present files as an entry keeps them. If a command or the user changed one, its bytes are kept: undo needs them
 * to recognise later edits.
 */
export function writtenStates(moves: readonly Move[], places: Places): ReadonlyMap<string, WrittenState> {
  const states = moves.flatMap((move): [string, WrittenState][] => {
    const placed = places.get(move.path)
    if (placed?.kind !== 'file') return []
    const { sha256: hash, mode, bytes } = placed
    if (hashAfter(move) !== hash) return [[move.path, { sha256: hash, mode, bytes }]]
    const isOtherMode = move.after?.kind === 'file' && move.after.mode !== undefined && move.after.mode !== mode
    return [[move.path, { sha256: hash, ...(isOtherMode ? { mode } : {}) }]]
  })
  return new Map(states)
}

/** The states of the files and links in the places of moves; `null` for whatever else is there. */
export function statesIn(moves: readonly Move[], places: Places): ReadonlyMap<string, PathState> {
  return new Map(moves.map(({ path }) => [path, places.get(path) ?? null]))
}

/** The paths where two looks differ in anything: kind, content, permission bits, or where a link points. */
export function changedBetween(before: Places, after: Places): readonly string[] {
  return [...after].flatMap(([path, placed]) => (isSameState(before.get(path) ?? null, placed) ? [] : [path]))
}

/** Moves as changes, by what is really on the disk. */
export function changesOf(moves: readonly Move[], places: Places): readonly Change[] {
  return moves.map(({ path, target, aside, renamedFrom, before, after }) => ({
    ...changeBetween({ path, target, aside }, before.kind === 'absent' ? null : before, places.get(path) ?? null),
    op: after === null ? 'delete' : 'write',
    renamedFrom,
  }))
}

/** The places as they would be without any command, for moves that are not in their places. */
export function plannedPlaces(moves: readonly Move[]): Places {
  return new Map(
    moves.map(({ path, after }): [string, Placed] => {
      if (after?.kind !== 'file') return [path, after]
      return [path, { ...after, mode: after.mode ?? NEW_FILE_MODE }]
    }),
  )
}
