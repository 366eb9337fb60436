import type { ChildProcess } from 'node:child_process'

/** How a program ends that has the terminal: its exit code, `null` by a signal, or why it never began. An interruption ends it. */
export async function endOf(program: ChildProcess, interruption: AbortSignal): Promise<number | null | Error> {
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
