import { wasKept } from './history-line.ts'
import type { Turn } from './journal.ts'

/**
 * The transaction that `undo` takes back: the newest that stands, and is no undo or redo itself. So one undo after
 * another goes back step by step; what was reverted by number is a step as well.
 */
export function chooseUndo(newestFirst: Iterable<Turn>): Turn | undefined {
  for (const turn of newestFirst) {
    if (turn.outcome === 'committed' && turn.source !== 'undo' && turn.source !== 'redo') return turn
  }
  return undefined
}

/** The undo that `redo` takes back: the last that stands, as long as nothing but undos and redos came after it. */
export function chooseRedo(newestFirst: Iterable<Turn>): Turn | undefined {
  for (const turn of newestFirst) {
    if (!wasKept(turn)) continue
    if (turn.source === undefined || turn.source === 'revert') return undefined
    if (turn.source === 'undo' && turn.outcome === 'committed') return turn
  }
  return undefined
}

/**
 * Why there is nothing to redo: what was kept last (the newest patch or revert), and the undo that stands and is older.
 */
export function whyNoRedo(newestFirst: Iterable<Turn>): { readonly last: Turn | undefined; readonly undo?: Turn } {
  let last: Turn | undefined
  for (const turn of newestFirst) {
    if (!wasKept(turn)) continue
    if (turn.source === undefined || turn.source === 'revert') last ??= turn
    if (turn.source === 'undo' && turn.outcome === 'committed') return { last, undo: turn }
  }
  return { last }
}
