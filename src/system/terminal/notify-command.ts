import type { Notice } from '../../ports.ts'
import { late } from '../late.ts'

/** Longer than any sound or message takes. Milliseconds. */
const LIMIT = 60_000

/**
 * Runs the user's own command for a notice, aside: relay does not wait for it, and Ctrl+C is not for it. What it is
 * about is in its environment and never in its text, where a shell would read it.
 */
export function runNotifyCommand(
  command: string,
  { project, number }: Notice,
  env: NodeJS.ProcessEnv,
  failed: (why: string) => void,
): void {
  const isWindows = process.platform === 'win32'
  const about = { RELAY_EVENT: 'question', RELAY_PROJECT: project, RELAY_NUMBER: String(number ?? '') }
  try {
    const child = late.childProcess.spawn(command, {
      shell: true,
      // A group of its own, so that all of it can be ended.
      detached: !isWindows,
      windowsHide: true,
      stdio: 'ignore',
      env: { ...env, ...about },
    })
    const end = setTimeout(() => {
      try {
        if (isWindows || child.pid === undefined) child.kill()
        else process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has just ended.
      }
    }, LIMIT)
    end.unref()
    child.unref()
    child.once('error', error => failed(error.message))
    child.once('exit', code => {
      clearTimeout(end)
      if (code !== 0 && code !== null) failed(`exit ${code}`)
    })
  } catch (error) {
    failed((error as Error).message)
  }
}
