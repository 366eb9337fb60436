import { digest } from '../ground/bytes.ts'
import { groupBy } from '../ground/collections.ts'
import type { Change, FileState } from '../model/plan.ts'
import { isTooLarge, readText } from './file-text.ts'

/**
 * Finds the new files that are deleted ones under another name, each with the change that deletes the old one.
 *
 * Either the patch renames the file, or the bytes are the same, or at least half of the text is, apart from line
 * ends. A model that moves a file often deletes it in one place and writes it in another. Shown like that, its
 * changes would be lost among the lines that only moved.
 */
export function findRenames(changes: readonly Change[]): ReadonlyMap<Change, Change> {
  const found = named(changes)
  const gone = new Set(found.values())
  const isLeft = ({ change }: Moving) => !found.has(change) && !gone.has(change)
  const deleted = moving(changes, 'delete').filter(isLeft)
  const created = moving(changes, 'create').filter(isLeft)
  // To read and hash thousands of files of the other side takes seconds.
  if (deleted.length === 0 || created.length === 0) return found
  const taken = new Set<Change>()
  for (const { from, to } of [...identical(deleted, created), ...similar(deleted, created)]) {
    if (found.has(to.change) || taken.has(from.change)) continue
    found.set(to.change, from.change)
    taken.add(from.change)
  }
  return found
}

/** The renames that the patch itself names. */
function named(changes: readonly Change[]): Map<Change, Change> {
  if (changes.every(({ renamedFrom }) => renamedFrom === undefined)) return new Map()
  const byPath = new Map(changes.map(change => [change.path, change]))
  return new Map(
    changes.flatMap((change): [Change, Change][] => {
      const from = byPath.get(change.renamedFrom ?? '')
      return from === undefined || from.effect !== 'delete' ? [] : [[change, from]]
    }),
  )
}

/** A file that is already as wanted does not count, and a moved file counts once. */
export function countFiles(changes: readonly Change[]): number {
  return changes.filter(({ effect }) => effect !== 'none').length - findRenames(changes).size
}

/** A deleted or new file that is not empty, with its change. */
interface Moving {
  readonly change: Change
  readonly file: FileState
}

interface Pair {
  readonly from: Moving
  readonly to: Moving
}

function moving(changes: readonly Change[], effect: 'create' | 'delete'): readonly Moving[] {
  return changes.flatMap(change => {
    const file = effect === 'create' ? change.after : change.before
    if (change.effect !== effect || change.target !== change.path || file?.kind !== 'file' || file.bytes.length === 0)
      return []
    return [{ change, file }]
  })
}

function identical(deleted: readonly Moving[], created: readonly Moving[]): readonly Pair[] {
  const byContent = groupBy(deleted, from => hashOf(from.file))
  const pairs = created.flatMap(to => (byContent.get(hashOf(to.file)) ?? []).map(from => ({ from, to })))
  return [...pairs.filter(keepsName), ...pairs]
}

function hashOf({ bytes }: FileState): string {
  return digest('sha1', bytes)
}

/** A file that moves to another folder keeps its name, so among several files that one is meant. */
function keepsName({ from, to }: Pair): boolean {
  return nameOf(from.change.path) === nameOf(to.change.path)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** How much has to be the same, as a part of the larger file. */
const ENOUGH = 0.5
/** The lines to look up, times the files to look in. Beyond it only identical files are found. */
const MOST_WORK = 20_000_000

function similar(deleted: readonly Moving[], created: readonly Moving[]): readonly Pair[] {
  const old = deleted.flatMap(asText)
  const now = created.flatMap(asText)
  const lines = now.reduce((sum, text) => sum + text.lines.size, 0)
  if (lines * old.length > MOST_WORK) return []

  const where = groupBy(
    old.flatMap(text => Array.from(text.lines.keys(), line => ({ text, line }))),
    ({ line }) => line,
  )
  const pairs = now.flatMap(to =>
    Array.from(sharedWith(to, where), ([from, length]) => {
      return { from: from.moving, to: to.moving, common: length / Math.max(from.length, to.length) }
    }),
  )
  return pairs
    .filter(({ common }) => common >= ENOUGH)
    .sort((a, b) => b.common - a.common || Number(keepsName(b)) - Number(keepsName(a)))
}

/** How much of a text each old text shares. `where` gives the old texts that have a line. */
function sharedWith(
  { lines }: Text,
  where: ReadonlyMap<string, readonly { readonly text: Text }[]>,
): ReadonlyMap<Text, number> {
  const shared = new Map<Text, number>()
  for (const [line, times] of lines) {
    for (const { text } of where.get(line) ?? []) {
      const both = Math.min(times, text.lines.get(line) ?? 0)
      shared.set(text, (shared.get(text) ?? 0) + both * line.length)
    }
  }
  return shared
}

/** A file as a multiset of lines: how often each line occurs. */
interface Text {
  readonly moving: Moving
  readonly lines: ReadonlyMap<string, number>
  /** Of all lines together. */
  readonly length: number
}

function asText(moving: Moving): readonly Text[] {
  const text = isTooLarge(moving.file) ? undefined : readText(moving.file.bytes)
  if (text === undefined) return []
  const lines = new Map<string, number>()
  let length = 0
  for (const line of text.lines) {
    if (line === '') continue
    lines.set(line, (lines.get(line) ?? 0) + 1)
    length += line.length
  }
  return [{ moving, lines, length }]
}
