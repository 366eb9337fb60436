import { type MergedFile, mergeFiles } from '../lines/merge-files.ts'
import type { AgentChange } from '../model/agent-changes.ts'
import { changeBetween, isSameContent, NEW_FILE_MODE, NEW_PROGRAM_MODE } from '../model/path-state.ts'
import type { Change, FileState, PathFact, PathState } from '../model/plan.ts'
import type { AnswerOverlap, DecidedOverlap } from '../model/stale.ts'
import { isAsShown, type Settled } from './settle-stale.ts'

/** Who made a change, and since when the user may have changed the file as well: `codex began`. */
export type Maker = Required<Pick<AnswerOverlap, 'by' | 'since'>>

/**
 * Brings what was made of a file elsewhere and what the user did to it meanwhile together.
 *
 * What it was made from is known, so only what both sides changed is merged, line by line. Of permission bits it counts alone
 * whether a file can be run: all others are the user's, and a checkout does not have them.
 *
 * @param fact a look at the path itself, its own link not followed
 * @param decided what somebody decided about an overlap; it holds only for what was shown
 */
export function settleAgentChanges(
  { path, base, made }: AgentChange,
  fact: PathFact,
  { by, since }: Maker,
  decided: DecidedOverlap | undefined,
): Settled {
  const now: PathState = fact.link === undefined ? (fact.file ?? null) : { kind: 'link', to: fact.link }
  const { place: target, otherNames, otherDevice: aside, isClosed } = fact
  const to = (after: PathState) => changeBetween({ path, target, otherNames, aside, isClosed }, now, after)
  const wanted = withMode(base, made, now)
  if (isAlike(now, base) || isAlike(now, made)) return { kind: 'change', change: to(wanted) }
  const labels = { ours: `your edit, after ${since}`, theirs: by }
  const merged = mergeBoth(base, now, made, labels)
  const holding = (bytes: Uint8Array): Change => {
    if (wanted?.kind !== 'file' || made?.kind !== 'file') return to(wanted)
    return { ...to({ ...wanted, bytes }), seen: made.bytes }
  }
  const withBoth = (bytes: Uint8Array): Change => {
    const change = holding(bytes)
    return change.effect === 'none' ? { ...change, isYours: true } : { ...change, merged: since }
  }
  if (merged?.kind === 'clean') return { kind: 'change', change: withBoth(merged.bytes) }
  const { places, marked } = merged?.kind === 'overlap' ? merged : { places: [], marked: undefined }
  const why = whyOverlap(base, now, made, merged)
  const overlap = { path, why, places, since, by, canMark: marked !== undefined, now: bytesOf(now) }
  const choice = decided !== undefined && isAsShown(overlap, decided.shown) ? decided.choice : undefined
  if (choice === undefined || (choice === 'markers' && marked === undefined)) return { kind: 'overlap', overlap }
  if (choice === 'markers') return { kind: 'change', change: { ...holding(marked as Uint8Array), isMarked: true } }
  const chosen = mergeBoth(base, now, made, labels, choice)
  if (chosen?.kind === 'clean') return { kind: 'change', change: withBoth(chosen.bytes) }
  return { kind: 'change', change: choice === 'model' ? to(wanted) : { ...to(now), isYours: true } }
}

/** What the user has there, as a decision about it was made. */
function bytesOf(now: PathState): Uint8Array {
  if (now === null) return new Uint8Array()
  return now.kind === 'file' ? now.bytes : new TextEncoder().encode(now.to)
}

/** The same content, whatever the permission bits. */
function isAlike(one: PathState, other: PathState): boolean {
  if (one?.kind === 'file') return isSameContent(one, other)
  return one === null ? other === null : other?.kind === 'link' && one.to === other.to
}

/** Nothing where one of them is no file; one that both made began as an empty one. */
function mergeBoth(
  base: PathState,
  ours: PathState,
  theirs: PathState,
  labels: Parameters<typeof mergeFiles>[1],
  choice?: 'model' | 'mine',
): MergedFile | undefined {
  if (base?.kind === 'link' || ours?.kind !== 'file' || theirs?.kind !== 'file') return undefined
  const texts = { base: base?.bytes ?? new Uint8Array(), ours: ours.bytes, theirs: theirs.bytes }
  return mergeFiles(texts, labels, part => {
    if (choice === undefined) return part
    return choice === 'model'
      ? { kind: 'certain', by: 'theirs', lines: part.theirs }
      : { kind: 'certain', by: 'ours', lines: part.ours }
  })
}

function whyOverlap(
  base: PathState,
  now: PathState,
  made: PathState,
  merged: MergedFile | undefined,
): AnswerOverlap['why'] {
  if (made === null) return 'edited-since'
  if (now === null) return 'deleted-since'
  if (merged === undefined) return 'link'
  if (merged.kind === 'binary') return 'binary'
  return base === null ? 'made-since' : 'text'
}

/** What was made, with the permission bits of the file that is there; it is made a program, or none, only where it became that. */
function withMode(base: PathState, made: PathState, now: PathState): PathState {
  if (made?.kind !== 'file') return made
  const runs = mayRun(made)
  if (now?.kind !== 'file') return { ...made, mode: runs ? NEW_PROGRAM_MODE : NEW_FILE_MODE }
  if (runs === (base?.kind === 'file' && mayRun(base))) return { ...made, mode: now.mode }
  // Whoever may read a program may run it.
  return { ...made, mode: runs ? now.mode | ((now.mode & 0o444) >> 2) : now.mode & ~0o111 }
}

/** As git tells a program. */
function mayRun({ mode }: FileState): boolean {
  return (mode & 0o100) !== 0
}
