import type { System } from '../../ports.ts'
import { noteLines } from '../../report/text/hanging.ts'
import { styleOf } from './style-of.ts'

/** Says what is odd about the configuration, but no reason to stop. */
export function showNotes(notes: readonly string[], { terminal }: Pick<System, 'terminal'>): void {
  for (const note of notes) for (const line of noteLines(note, styleOf(terminal))) terminal.err(line)
}
