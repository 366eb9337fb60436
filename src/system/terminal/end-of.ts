import type { ChildProcess } from 'node:child_process'

/**
 * Answers how a program on the terminal ended: its exit code, `null` for a signal, or the error that kept it from
 * starting. An interruption ends it.
 */
export async function endOf(begin: () => ChildProcess, interruption: AbortSignal): Promise<number | null | Error> {
  let program: ChildProcess
  try {
    program = begin()
  } catch (error) {
    // Most errors come as an event. Those of no memory, and of a sandbox, are thrown.
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
 * A command line whose program takes the place of the shell, where the line is a plain one. A signal would end the
 * shell alone, and the program would keep the terminal, on its own screen.
 */
export function inPlaceOfShell(command: string): string {
  const isPlain =
    process.platform !== 'win32' && /^(?!(?:exec|command|eval) )[\w./+-]+( [^;&|<>()`\n]*)?$/.test(command)
  return isPlain ? `exec ${command}` : command
}
