import { asError, RelayError } from '../../errors.ts'
import type { System } from '../../ports.ts'
import { errorLines } from '../../report/screens/error-lines.ts'
import { exitCodeByKind, exitCodeOfInterruption } from './exit-code.ts'
import { isScreen, styleOf } from './style-of.ts'
import type { WatchEvents } from './watch-events.ts'

/** Says why a command could not go on and what to do next, and answers its exit code. */
export function sayFailure(error: unknown, { terminal, interruption }: System): number {
  terminal.status(undefined)
  const known = error instanceof RelayError
  // Interrupted while nothing was under way: the signal is the whole story.
  if (interruption.aborted && !(known && error.kind === 'unfinished')) return exitCodeOfInterruption({ interruption })
  if (known && error.isSaid) return exitCodeByKind[error.kind]
  for (const line of errorLines(failureOf(error), styleOf(terminal), isScreen(terminal))) terminal.err(line)
  return exitCodeByKind[known ? error.kind : 'failed']
}

/** What went wrong and what to do next, in words. What we did not foresee is a defect, and called that. */
export function failureOf(thrown: unknown): { readonly message: string; readonly hint: string | undefined } {
  const error = asError(thrown)
  if (error instanceof RelayError) return error
  return { message: `Unexpected: ${error.message}`, hint: 'This is a bug in relay. Please report it.' }
}

/**
 * Says what a watcher survives; a defect it does not, and that is thrown on. What an interruption ended before anything was
 * begun needs no word.
 */
export function sayTrouble(error: unknown, { terminal, interruption }: System, events: WatchEvents): void {
  if (interruption.aborted && error === interruption.reason) return
  if (!(error instanceof RelayError)) throw error
  for (const line of errorLines(error, styleOf(terminal), isScreen(terminal))) terminal.err(line)
  events.say({ event: 'error', kind: error.kind, message: error.message, hint: error.hint ?? null })
}
