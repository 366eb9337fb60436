import type { ChildProcess } from 'node:child_process'

/** How a program ends that has the terminal: its exit code, `null` by a signal, or why it never began. An interruption ends it. */
export async function endOf(begin: () => ChildProcess, interruption: AbortSignal): Promise<number | null | Error> {
  let program: ChildProcess
  try {
    program = begin()
  } catch (error) {
    // Most reasons come as an event; no memory, and what a sandbox forbids, are thrown.
    return error as Error
  }
  const end = () => program.kill()
  interruption.addEventListener('abort', end)
  if (interruption.aborted) end()
  const how = await new Promise<number | null | Error>(resolve => {
    program.once('error', resolve)
    program.once('exit', resolve)
  })
  interruption.removeEventListener('abort', end)
  return how
}

/**
 * A command line whose program takes the place of the shell where it is a plain one: a signal ends the shell alone, and
 * the program would go on with the terminal, on its own screen.
 */
export function inPlaceOfShell(command: string): string {
  const isPlain =
    process.platform !== 'win32' && /^(?!(?:exec|command|eval) )[\w./+-]+( [^;&|<>()`\n]*)?$/.test(command)
  return isPlain ? `exec ${command}` : command
}
