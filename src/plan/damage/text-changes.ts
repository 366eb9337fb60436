import type { Change, PathState } from '../../model/plan.ts'
import { difference, type LineBag, lineBag } from './line-bag.ts'

/** A text file that a patch writes: as it is, empty where it is new, and as it will be. */
export interface TextChange {
  readonly path: string
  readonly before: string
  readonly after: string
}

/**
 * The files that a patch changes or makes, as texts: what was written may be looked for in any of them. None where it
 * changes none.
 */
export function textChanges(changes: readonly Change[]): readonly TextChange[] {
  // What only makes new files takes nothing away.
  if (changes.every(({ before }) => before === null)) return []
  return changes.flatMap(({ path, op, effect, before, after }) => {
    if (op !== 'write' || effect === 'none') return []
    const [was, is] = [before === null ? '' : textOf(before), textOf(after)]
    return was === undefined || is === undefined ? [] : [{ path, before: was, after: is }]
  })
}

/** A file's text; a binary file has none, and no lines. */
export function textOf(state: PathState | undefined): string | undefined {
  if (state?.kind !== 'file' || state.bytes.includes(0)) return undefined
  return new TextDecoder().decode(state.bytes)
}

/** The lines that a patch adds to any of its files: a line that is gone from one may have moved there. */
export function addedLines(texts: readonly TextChange[]): LineBag {
  const added: LineBag = new Map()
  for (const { before, after } of texts) {
    for (const [line, count] of difference(lineBag(after), lineBag(before))) {
      added.set(line, (added.get(line) ?? 0) + count)
    }
  }
  return added
}
