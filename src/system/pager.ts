import { spawn } from 'node:child_process'
import { findProgram } from './find-program.ts'

/** The pager's command line, by the user's wish; `undefined`: print instead. An empty wish is one for none. */
export function choosePager(env: NodeJS.ProcessEnv): string | undefined {
  const wish = env['RELAY_PAGER'] ?? env['GIT_PAGER'] ?? env['PAGER']
  if (wish !== undefined) return wish === '' || wish === 'cat' ? undefined : wish
  return findProgram('less', env) === null ? undefined : 'less -R'
}

/**
 * Shows a text in the user's pager on the terminal behind `screen`, a file descriptor. `false`: there is no such
 * program, and nothing was shown. An interruption ends it.
 */
export async function showInPager(
  command: string,
  text: string,
  options: { readonly screen: number; readonly env: NodeJS.ProcessEnv; readonly interruption: AbortSignal },
): Promise<boolean> {
  // As git has it: quit when it fits on one screen, keep colours, leave the text on the screen.
  const env = { LESS: 'FRX', LV: '-c', ...options.env }
  const pager = spawn(command, { shell: true, env, stdio: ['pipe', options.screen, 'inherit'] })
  const end = () => pager.kill()
  options.interruption.addEventListener('abort', end)
  // Whoever quits a pager has seen enough: what is left over is nobody's loss.
  pager.stdin?.on('error', () => {})
  pager.stdin?.end(text)
  const code = await new Promise<number | null>(resolve => {
    pager.once('error', () => resolve(127))
    pager.once('exit', resolve)
  })
  options.interruption.removeEventListener('abort', end)
  return code !== 126 && code !== 127
}
