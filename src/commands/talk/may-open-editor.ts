import type { Terminal } from '../../ports.ts'
import { showNotes } from './show-notes.ts'

/** Whether the editor may open: where it is vi that nobody named, a person is told first how to leave it, and may say no. */
export async function mayOpenEditor(terminal: Terminal, setting: string | undefined): Promise<boolean> {
  if (terminal.fallbackEditor(setting) !== 'vi') return true
  // Its screen does not say that, and covers what was said before.
  showNotes([`No editor is set (\`relay config --user editor …\`, or EDITOR), so relay opens vi. ${leavingVi}`], {
    terminal,
  })
  const typed = await terminal.ask('Open vi? (Enter/n)')
  return typed !== undefined && !/^\s*n/i.test(typed)
}

const leavingVi = 'To leave it press Escape, then type :wqa and Enter to save, or :qa! and Enter to change nothing.'
