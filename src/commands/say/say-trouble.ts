import { RelayError } from '../../errors.ts'
import type { System } from '../../ports.ts'
import { errorLines } from '../../report/error-lines.ts'
import type { WatchEvents } from '../watch/watch-events.ts'
import { isScreen, styleOf } from './style-of.ts'

/** Says what a watcher survives; a defect it does not, and that is thrown on. */
export function sayTrouble(error: unknown, { terminal }: System, events: WatchEvents): void {
  if (!(error instanceof RelayError)) throw error
  for (const line of errorLines(error, styleOf(terminal), isScreen(terminal))) terminal.err(line)
  events.say({ event: 'error', kind: error.kind, message: error.message, hint: error.hint ?? null })
}
