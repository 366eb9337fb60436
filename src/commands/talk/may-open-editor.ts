import type { Terminal } from '../../ports.ts'
import { showNotes } from './show-notes.ts'

/** Whether the editor may open: where it is vi that nobody named, a person is told first how to leave it, and may say no. */
export async function mayOpenEditor(terminal: Terminal): Promise<boolean> {
  if (terminal.fallbackEditor !== 'vi') return true
  // Its screen does not say that, and covers what was said before.
  showNotes([`No editor is set (EDITOR), so relay opens vi. ${leavingVi}`], { terminal })
  const typed = await terminal.ask('Open vi? (Enter/n)')
  return typed !== undefined && !/^\s*n/i.test(typed)
}

const leavingVi = 'To leave it press Escape, then type :wqa and Enter to save, or :qa! and Enter to change nothing.'
