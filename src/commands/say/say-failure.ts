import { RelayError } from '../../errors.ts'
import type { System } from '../../ports.ts'
import { errorLines } from '../../report/error-lines.ts'
import { exitCodeOfInterruption, exitCodeOfKind } from '../exit-code.ts'
import { failureOf } from './failure-of.ts'
import { isScreen } from './is-screen.ts'
import { styleOf } from './style-of.ts'

/** Says why a command could not go on and what to do next, and answers its exit code. */
export function sayFailure(error: unknown, { terminal, interruption }: System): number {
  terminal.status(undefined)
  const known = error instanceof RelayError
  // Interrupted while nothing was under way: the signal is the whole story.
  if (interruption.aborted && !(known && error.kind === 'unfinished')) return exitCodeOfInterruption({ interruption })
  for (const line of errorLines(failureOf(error), styleOf(terminal), isScreen(terminal))) terminal.err(line)
  return exitCodeOfKind(known ? error.kind : 'failed')
}
