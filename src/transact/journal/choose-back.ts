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

/**
 * The undo that `redo` takes back: the last that stands, of the newest change or of one by its number, as long as nothing but
 * such steps came after it.
 */
export function chooseRedo(newestFirst: Iterable<EndedTransaction>): EndedTransaction | undefined {
  for (const transaction of newestFirst) {
    if (!wasKept(transaction)) continue
    if (transaction.source === undefined) return undefined
    if (isStandingUndo(transaction)) return transaction
  }
  return undefined
}

/** Why there is nothing to redo: the patch that was kept last, and the undo that stands and is older. */
export function whyNoRedo(newestFirst: Iterable<EndedTransaction>): {
  readonly last: EndedTransaction | undefined
  readonly undo?: EndedTransaction
} {
  let last: EndedTransaction | undefined
  for (const transaction of newestFirst) {
    if (!wasKept(transaction)) continue
    if (transaction.source === undefined) last ??= transaction
    if (isStandingUndo(transaction)) return { last, undo: transaction }
  }
  return { last }
}

function isStandingUndo({ source, outcome }: EndedTransaction): boolean {
  return (source === 'undo' || source === 'revert') && outcome === 'committed'
}
