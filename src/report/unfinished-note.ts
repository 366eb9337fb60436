import type { Recovery } from '../model.ts'
import { visibleLine } from './visible.ts'

/** Nothing of it is left to take back, or to be asked about. */
export function isOver({ action }: Recovery): boolean {
  return action === 'finished' || action === 'unbegun'
}

/** One transaction that is not over, for a command that only reads: what ends it, and what it is. */
export function unfinishedNote({ action, number, uuid, title }: Recovery): string {
  const name = [number === undefined ? visibleLine(uuid) : `#${number}`, visibleLine(title)].filter(Boolean).join(' ')
  switch (action) {
    case 'held':
      return `unanswered (relay recover asks again): ${name}`
    case 'unreadable':
      return `unfinished, and its entry cannot be read (see relay recover --dry-run): ${name}`
    default:
      return `unfinished (relay recover takes it back): ${name}`
  }
}
