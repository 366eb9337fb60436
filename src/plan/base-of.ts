import type { Entry } from '../model/entry.ts'
import type { Change } from '../model/plan.ts'
import { changesOf } from './entry-changes.ts'
import { type Base, withFormat } from './merge-stale.ts'

/**
 * What the model knows of a file by the entries about it, the newest first; `undefined`: nothing.
 *
 * It is what it wrote itself last and nothing took back: what the user put in, at a question or by a merge, was not told to
 * it. Where all was taken back it is the file as the oldest of them found it.
 *
 * @param now the file as it is. Where it is again as before the last change, somebody took that back by other means than
 * relay's (`git checkout`), and means it so
 * @param again the uuid of the answer, where it is taken once more: what it was kept as before, it did not know
 */
export function baseOf(
  path: string,
  entries: readonly Entry[],
  now: Uint8Array | undefined,
  again?: string,
): Base | undefined {
  const last = entries[newestOf(entries, again)]
  const entry = last ?? entries.at(-1)
  const change = entry && changesOf(entry).find(each => each.path === path)
  if (entry === undefined || change === undefined) return undefined
  return last === undefined ? foundBy(entry, change, again) : leftBy(last, change, now)
}

function foundBy(entry: Entry, { path, before }: Change, again: string | undefined): Base | undefined {
  const told = toldIn(entry, path)
  if (told !== undefined && !isOf(entry, again)) return knownBefore(told.seen, entry, told.formatted)
  // Where there was none, what stands there now is the user's from its first line to its last.
  if (before?.kind === 'link') return undefined
  // How long the model has known that nobody can say: what it was given by itself is newer.
  return { ...known(before?.bytes ?? new Uint8Array(), entry), at: new Date(0) }
}

function leftBy(entry: Entry, change: Change, now: Uint8Array | undefined): Base | undefined {
  const { path, after } = change
  const operation = entry.operations.find(each => each.path === path)
  // What somebody made anew where the model removed a file is theirs from its first line to its last.
  if (after === null && (now === undefined || !isAsFound(change, now))) return known(new Uint8Array(), entry)
  if (after?.kind !== 'file' || operation?.op !== 'write') return undefined
  const asked = operation.bytes ?? Buffer.from(operation.content)
  const { seen, formatted } = toldIn(entry, path) ?? { seen: asked, formatted: asked }
  const isByHand = entry.outcome?.edited?.includes(path) === true
  // What was put in by hand is no formatter's work.
  if (!isSame(formatted, asked))
    return knownBefore(seen, entry, isByHand ? formatted : withFormat(asked, after.bytes, formatted))
  if (now !== undefined && isAsFound(change, now)) return known(now, entry)
  return known(seen, entry, isByHand ? formatted : after.bytes)
}

function known(seen: Uint8Array, { number, createdAt, outcome }: Entry, left = seen): Base {
  return { seen, left, at: new Date(outcome?.at ?? createdAt), since: `#${number}` }
}

/** The same where the user's lines were in the file by then that the model was not told of. */
function knownBefore(seen: Uint8Array, entry: Entry, left: Uint8Array): Base {
  return { ...known(seen, entry, left), since: `before #${entry.number}` }
}

/** What the entries tell and what packs gave of a file, the newest first. */
export function newestFirst(base: Base | undefined, given: readonly GivenVersion[]): readonly Base[] {
  const packed = given.map(({ bytes, at }): Base => {
    return { seen: bytes, left: bytes, at, since: 'the last pack', isPack: true }
  })
  return [...(base === undefined ? [] : [base]), ...packed].sort((one, other) => other.at.getTime() - one.at.getTime())
}

/** A version of a file that a model was given, and when. */
export interface GivenVersion {
  readonly bytes: Uint8Array
  readonly at: Date
}

/** Whether older entries would tell nothing more. */
export function isSettled(entries: readonly Entry[], again?: string): boolean {
  return newestOf(entries, again) >= 0
}

/** Where the newest entry stands that an answer made, and that nothing took back; -1: there is none. */
function newestOf(entries: readonly Entry[], again: string | undefined): number {
  const undone = new Set<string>()
  return entries.findIndex(entry => {
    if (undone.has(entry.uuid) || isOf(entry, again)) return false
    if (entry.undoes !== undefined) undone.add(entry.undoes.uuid)
    return entry.undoes === undefined
  })
}

/** Whether an entry was made from the answer with this uuid. */
export function isOf(entry: Entry, uuid: string | undefined): boolean {
  return (entry.modelUuid ?? entry.uuid) === uuid
}

/** The file as the model knew it then, where it was not what was written; and what commands had made of that before. */
function toldIn(entry: Entry, path: string): { readonly seen: Uint8Array; readonly formatted: Uint8Array } | undefined {
  const operation = entry.operations.find(each => each.path === path)
  if (operation?.op !== 'write' || operation.seen === undefined) return undefined
  const { seen, formatted = seen } = operation
  return { seen: Buffer.from(seen), formatted: Buffer.from(formatted) }
}

function isAsFound({ before }: Change, now: Uint8Array): boolean {
  return before?.kind === 'file' && isSame(before.bytes, now)
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}
