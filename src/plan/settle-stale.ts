import { changeBetween } from '../model/path-state.ts'
import type { Change, FileState } from '../model/plan.ts'
import type { AnswerChoice, AnswerOverlap, DecidedOverlap } from '../model/stale.ts'
import { placeEdits } from './edits/place-edits.ts'
import type { Step } from './edits/steps-of.ts'
import { type Base, type MergedAnswer, mergeStale, withFormat } from './merge-stale.ts'

/** A change that keeps what the user did since the model saw the file, or where only a person can tell what is meant. */
export type Settled =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'overlap'; readonly overlap: AnswerOverlap }

/**
 * Brings a change and the user's edits since the model saw the file together.
 *
 * @param base what the model knows of the file, of a renamed one under its old name
 * @param decided what somebody decided about an overlap; it holds only for what was shown
 */
export function settleStale(
  step: Step,
  change: Change,
  base: Base | undefined,
  decided: DecidedOverlap | undefined,
): Settled {
  const { before, edits } = change
  if (base === undefined) return { kind: 'change', change }
  if (edits !== undefined || step.operation.op === 'rename')
    return { kind: 'change', change: withView(step, change, base) }
  // A file that the user removed is made again, for all to see; a link has no text.
  if (before?.kind !== 'file') return { kind: 'change', change }
  const merged = merge(change, before, base)
  if (merged.kind !== 'overlap') return { kind: 'change', change: withMerged(change, merged, base) }

  const { places, marked, formatted } = merged
  const canMark = marked !== undefined
  const why = change.after === null ? 'edited-since' : canMark ? 'text' : 'binary'
  const overlap = { path: change.path, why, places, since: base.since, canMark, now: before.bytes } as const
  const choice = decided !== undefined && isAsShown(overlap, decided.shown) ? decided.choice : undefined
  const chosen = choice && decide(change, before, base, choice, { marked, formatted })
  return chosen === undefined ? { kind: 'overlap', overlap } : { kind: 'change', change: chosen }
}

function merge({ after }: Change, { bytes }: FileState, base: Base, choice?: AnswerChoice): MergedAnswer {
  if (after?.kind === 'file') return mergeStale(base, bytes, after.bytes, choice)
  const isAsLeft = isSame(base.left, bytes) || isSame(base.seen, bytes)
  return isAsLeft ? { kind: 'current' } : { kind: 'overlap', places: [], marked: undefined }
}

/** The change with a choice at the places of its overlap; `undefined`: both texts cannot stand in one file. */
function decide(
  change: Change,
  before: FileState,
  base: Base,
  choice: AnswerChoice,
  { marked, formatted }: Pick<Extract<MergedAnswer, { kind: 'overlap' }>, 'marked' | 'formatted'>,
): Change | undefined {
  if (choice === 'markers') return marked && { ...rewritten(change, marked, formatted), isMarked: true }
  const merged = merge(change, before, base, choice)
  if (merged.kind !== 'overlap') return withMerged(change, merged, base)
  return choice === 'model' ? change : leftAlone(change)
}

/** Whether an overlap is the one that somebody decided about: what was typed elsewhere in a text does not matter. */
export function isAsShown(overlap: AnswerOverlap, shown: AnswerOverlap): boolean {
  if (overlap.why !== shown.why) return false
  if (overlap.places.length === 0) return isSame(overlap.now, shown.now)
  const texts = ({ places }: AnswerOverlap) => JSON.stringify(places.map(({ ours, theirs }) => [ours, theirs]))
  return texts(overlap) === texts(shown)
}

function withMerged(change: Change, merged: Exclude<MergedAnswer, { kind: 'overlap' }>, { since }: Base): Change {
  if (merged.kind === 'current') return change
  const made = rewritten(change, merged.bytes, merged.formatted)
  if (made.effect !== 'none') return { ...made, merged: since }
  return merged.isYours ? { ...made, isYours: true } : made
}

/** The same change with another text; what the model gave is remembered as what it knows. */
function rewritten(change: Change, bytes: Uint8Array, formatted: Uint8Array | undefined): Change {
  const { before, after } = change
  if (after?.kind !== 'file') return change
  return { ...change, ...changeBetween(change, before, { ...after, bytes }), ...known(after.bytes, formatted) }
}

function known(seen: Uint8Array, formatted = seen): Pick<Change, 'seen' | 'formatted'> {
  return isSame(seen, formatted) ? { seen } : { seen, formatted }
}

/** The file as it is; what the model gave is remembered all the same. */
function leftAlone(change: Change): Change {
  const { before, after, op } = change
  const seen = after?.kind === 'file' ? { seen: after.bytes } : {}
  return { ...change, ...changeBetween(change, before, before), op, ...seen, isYours: true }
}

/**
 * What the model takes the file for after its edits: it was not told of the user's lines between them. Where they have no place
 * in what it is known to know, that alone stands for it: what it knows besides, both sides will have changed alike.
 */
function withView({ operation }: Step, change: Change, base: Base): Change {
  if ((operation.op !== 'edit' && operation.op !== 'rename') || change.after?.kind !== 'file') return change
  const view = (text: Uint8Array) => {
    const placed = placeEdits(operation.path, operation, text)
    return placed.kind === 'placed' ? placed.bytes : undefined
  }
  const left = view(base.left)
  const seen = view(base.seen) ?? left ?? base.seen
  const formatted = left ?? withFormat(base.seen, base.left, seen)
  return isSame(seen, change.after.bytes) ? change : { ...change, ...known(seen, formatted) }
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0
}
