import { CommanderError } from 'commander'
import { chooseCommand } from './cli.ts'
import { exitCodeOfKind, exitCodeOfSignal } from './commands/exit-code.ts'
import { styleOf } from './commands/style-of.ts'
import { RelayError } from './errors.ts'
import type { SignalName } from './model.ts'
import type { System } from './ports.ts'
import { errorLines } from './report/error-lines.ts'

/**
 * Runs one command line and answers its exit code. The one place where an error becomes words: what happened, then
 * what to do next.
 */
export async function main(argv: readonly string[], system: System): Promise<number> {
  try {
    const run = chooseCommand(argv, system)
    return await run(system)
  } catch (error) {
    system.terminal.status(undefined)
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const known = error instanceof RelayError
    // Interrupted while nothing was under way: the signal is the whole story.
    if (system.interruption.aborted && !(known && error.kind === 'unfinished')) {
      return exitCodeOfSignal(system.interruption.reason as SignalName)
    }
    for (const line of errorLines(known ? error : unexpected(error), styleOf(system.terminal))) {
      system.terminal.err(line)
    }
    return exitCodeOfKind(known ? error.kind : 'failed')
  }
}

function unexpected(error: unknown): { readonly message: string; readonly hint: string } {
  const message = error instanceof Error ? error.message : String(error)
  return { message: `Unexpected: ${message}`, hint: 'This is a defect of relay. Please report it with what you did.' }
}
