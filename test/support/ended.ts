import type { ChildProcess } from 'node:child_process'

/** Ends a program that a test has started, and waits for that. */
export async function ended(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise(resolve => child.once('exit', resolve))
  child.kill(signal)
  await exit
}
