import type { Start } from './cli/program.ts'
import { firstPage } from './commands/help/first-page.ts'
import type { System } from './ports.ts'

/** What exists before the command line has been parsed. */
export interface Surroundings extends Start {
  /** Opens the doors to the world. */
  open(): Promise<System>
}

/**
 * Runs one command line and answers its exit code. The one place where an error becomes words: what happened, then
 * what to do next.
 */
export async function main(argv: readonly string[], surroundings: Surroundings): Promise<number> {
  const page = firstPage(argv, surroundings.version)
  if (page !== undefined) {
    surroundings.out(page)
    return 0
  }
  // Beforehand: it may be a lack of file handles that has to be told, or relay's own files are another version's by then.
  const { sayFailure } = await import('./commands/talk/say-failure.ts')
  let system: System | undefined
  try {
    const { chooseCommand } = await import('./cli/choose-command.ts')
    const { visible } = await import('./report/text/visible.ts')
    // What was typed wrong is named, and it may be the name of a file that somebody else made.
    const run = chooseCommand(argv, { ...surroundings, err: text => surroundings.err(visible(text)) })
    if (typeof run === 'number') return run
    const opened = await surroundings.open()
    system = opened
    return await opened.trace.span('command', () => run(opened))
  } catch (error) {
    return sayFailure(error, system ?? (await surroundings.open()))
  }
}
