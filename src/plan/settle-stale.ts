import { changeBetween } from '../model/path-state.ts'
import type { Change } from '../model/plan.ts'
import type { AnswerChoice, AnswerOverlap } from '../model/stale.ts'
import { placeEdits } from './edits/place-edits.ts'
import type { Step } from './edits/steps-of.ts'
import { type Base, mergeStale } from './merge-stale.ts'

/** A change that keeps what the user did since the model saw the file, or where only a person can tell what is meant. */
export type Settled =
  | { readonly kind: 'change'; readonly change: Change }
  | { readonly kind: 'overlap'; readonly overlap: AnswerOverlap }

/**
 * Brings a change and the user's edits since the model saw the file together.
 *
 * @param base what the model knows of the file, of a renamed one under its old name
 * @param choice what somebody decided about an overlap
 */
export function settleStale(
  step: Step,
  change: Change,
  base: Base | undefined,
  choice: AnswerChoice | undefined,
): Settled {
  if (base === undefined) return { kind: 'change', change }
  if (change.edits !== undefined || step.operation.op === 'rename') {
    return { kind: 'change', change: withView(step, change, base) }
  }
  const found = overlapIn(change, base)
  if (found === 'none') return { kind: 'change', change }
  if (!('why' in found)) return { kind: 'change', change: { ...rewritten(change, found.bytes), merged: base.since } }
  if (choice === undefined || (choice === 'markers' && found.marked === undefined)) {
    const { why, places, marked } = found
    return {
      kind: 'overlap',
      overlap: { path: change.path, why, places, since: base.since, canMark: marked !== undefined },
    }
  }
  return { kind: 'change', change: chosen(change, choice, found.marked) }
}

type Found =
  | 'none'
  | { readonly bytes: Uint8Array }
  | (Pick<AnswerOverlap, 'why' | 'places'> & { readonly marked: Uint8Array | undefined })

function overlapIn({ before, after }: Change, base: Base): Found {
  // A file that the user removed is made again, for all to see; a link has no text.
  if (before?.kind !== 'file') return 'none'
  if (after?.kind !== 'file') {
    const isAsLeft = [base.left, base.seen].some(known => Buffer.compare(known, before.bytes) === 0)
    return isAsLeft ? 'none' : { why: 'edited-since', places: [], marked: undefined }
  }
  const merged = mergeStale(base, before.bytes, after.bytes)
  switch (merged.kind) {
    case 'current':
      return 'none'
    case 'merged':
      return { bytes: merged.bytes }
    case 'overlap': {
      const { places, marked } = merged
      return { why: marked === undefined ? 'binary' : 'text', places, marked }
    }
  }
}

/** The same change with another text; what the model gave is remembered as what it knows. */
function rewritten(change: Change, bytes: Uint8Array): Change {
  const { before, after } = change
  if (after?.kind !== 'file') return change
  return { ...change, ...changeBetween(change, before, { ...after, bytes }), seen: after.bytes }
}

function chosen(change: Change, choice: AnswerChoice, marked: Uint8Array | undefined): Change {
  switch (choice) {
    case 'model':
      return change
    case 'markers':
      return marked === undefined ? change : { ...rewritten(change, marked), isMarked: true }
    case 'mine': {
      const { before, after } = change
      const seen = after?.kind === 'file' ? { seen: after.bytes } : {}
      return { ...change, ...changeBetween(change, before, before), op: change.op, ...seen }
    }
  }
}

/**
 * What the model takes the file for after its edits: it was not told of the user's lines between them. Where they have no place
 * in what it is known to know, that alone stands for it: what it knows besides, both sides will have changed alike.
 */
function withView({ operation }: Step, change: Change, base: Base): Change {
  if ((operation.op !== 'edit' && operation.op !== 'rename') || change.after?.kind !== 'file') return change
  const views = [base.left, base.seen].map(known => placeEdits(operation.path, operation, known))
  const placed = views.find(view => view.kind === 'placed')
  const view = placed?.kind === 'placed' ? placed.bytes : base.left
  return Buffer.compare(view, change.after.bytes) === 0 ? change : { ...change, seen: view }
}
