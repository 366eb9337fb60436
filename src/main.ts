import { CommanderError } from 'commander'
import { chooseCommand, type Start } from './cli.ts'
import type { System } from './ports.ts'

/** What is there before it is known what is wanted. */
export interface Surroundings extends Start {
  /** Opens the doors to the world. */
  open(): Promise<System>
}

/**
 * Runs one command line and answers its exit code. The one place where an error becomes words: what happened, then
 * what to do next.
 */
export async function main(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  let system: System | undefined
  try {
    const run = chooseCommand(argv, surroundings)
    const opened = await surroundings.open()
    system = opened
    return await opened.trace.span('command', () => run(opened))
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    const { sayFailure } = await import('./commands/say-failure.ts')
    return sayFailure(error, system ?? (await surroundings.open()))
  }
}
