import type { Recovery } from '../model.ts'
import { visibleLine } from './visible.ts'

/** Nothing of it is left to take back, or to be asked about. */
export function isOver({ action }: Recovery): boolean {
  return action === 'finished' || action === 'unbegun'
}

/** One transaction that is not over, for a command that only reads: what it is, and what ends it. */
export function unfinishedNote({ action, number, uuid, title }: Recovery): string {
  const name = [number === undefined ? visibleLine(uuid) : `#${number}`, visibleLine(title)].filter(Boolean).join(' ')
  switch (action) {
    case 'held':
      return `unanswered: ${name}. To keep it or roll it back: relay recover`
    case 'unreadable':
      return `unfinished, and its entry cannot be read: ${name}. See: relay recover --dry-run`
    default:
      return `unfinished: ${name}. To take it back: relay recover`
  }
}
