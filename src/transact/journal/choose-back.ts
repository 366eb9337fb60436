import { wasKept } from './history-line.ts'
import type { EndedTransaction } from './journal.ts'

/**
 * The transaction that `undo` takes back: the newest that stands, and is no undo or redo itself. So one undo after
 * another goes back step by step; what was reverted by number is a step as well.
 */
export function chooseUndo(newestFirst: Iterable<EndedTransaction>): EndedTransaction | undefined {
  for (const transaction of newestFirst) {
    if (transaction.outcome === 'committed' && transaction.source !== 'undo' && transaction.source !== 'redo')
      return transaction
  }
  return undefined
}

/** The undo that `redo` takes back: the last that stands, as long as nothing but undos and redos came after it. */
export function chooseRedo(newestFirst: Iterable<EndedTransaction>): EndedTransaction | undefined {
  for (const transaction of newestFirst) {
    if (!wasKept(transaction)) continue
    if (transaction.source === undefined || transaction.source === 'revert') return undefined
    if (transaction.source === 'undo' && transaction.outcome === 'committed') return transaction
  }
  return undefined
}

/**
 * Why there is nothing to redo: what was kept last (the newest patch or revert), and the undo that stands and is older.
 */
export function whyNoRedo(newestFirst: Iterable<EndedTransaction>): {
  readonly last: EndedTransaction | undefined
  readonly undo?: EndedTransaction
} {
  let last: EndedTransaction | undefined
  for (const transaction of newestFirst) {
    if (!wasKept(transaction)) continue
    if (transaction.source === undefined || transaction.source === 'revert') last ??= transaction
    if (transaction.source === 'undo' && transaction.outcome === 'committed') return { last, undo: transaction }
  }
  return { last }
}
