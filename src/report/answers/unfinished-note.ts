import type { Recovery } from '../../model/talk.ts'
import { cutTitle } from '../text/cut-line.ts'
import { visibleLine } from '../text/visible.ts'

/** Nothing of it is left to undo, or to ask about. */
export function isOver({ action }: Recovery): boolean {
  return action === 'finished' || action === 'unbegun'
}

/** `#42 Fix the store`, or its uuid where no number is known. */
export function nameOfRecovery({ number, uuid, title }: Recovery): string {
  return [number === undefined ? visibleLine(uuid) : `#${number}`, cutTitle(title)].filter(Boolean).join(' ')
}

/** One open transaction, for a command that only reads: what it is, and how to end it. */
export function unfinishedNote(recovery: Recovery): string {
  const name = nameOfRecovery(recovery)
  switch (recovery.action) {
    case 'held':
      return `${name} waits for your answer: run \`relay recover\``
    case 'foreign':
      return `${name} is unfinished, and was not begun in this folder on this machine: \`relay recover\` asks you`
    case 'unreadable':
      return `${name} is unfinished, and relay cannot read it: see \`relay recover --dry-run\``
    default:
      return `${name} is unfinished: \`relay recover\` rolls it back`
  }
}
